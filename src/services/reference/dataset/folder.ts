import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { UserError } from '../../../kernel/errors.ts'
import type { Finding } from '../../../kernel/service.ts'
import { checkSense } from './sense.ts'
import { createUniverse, type Universe } from './universe.ts'
import { FILE_NAMES, type ParsedDataset, parseDataset } from './validate-structure.ts'

/** Maximum number of findings in the message that rejects a data set. */
const MAX_QUOTED = 3

/** The relative path is the same from the sources and from the compiled package. */
export const BUNDLED = fileURLToPath(new URL('../../../../data/reference', import.meta.url))

/** The folder set by the operator, otherwise an imported data set, otherwise the bundled one. */
export function chooseFolder(told: string | undefined, own: string): string {
  if (told !== undefined) return told
  return existsSync(join(own, 'people.json')) ? own : BUNDLED
}

export async function readJson(
  folder: string,
  names: readonly string[]
): Promise<{ files: Map<string, unknown>; findings: Finding[] }> {
  const files = new Map<string, unknown>()
  const findings: Finding[] = []
  for (const name of names) {
    try {
      files.set(name, JSON.parse(await readFile(join(folder, name), 'utf8')))
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      findings.push({ level: 'error', where: name, text: `cannot be read: ${reason}` })
    }
  }
  return { files, findings }
}

async function readFolder(folder: string): Promise<ParsedDataset> {
  const { files, findings } = await readJson(folder, FILE_NAMES)
  const shaped = parseDataset(files)
  return { ...shaped, findings: [...findings, ...shaped.findings] }
}

export async function checkFolder(folder: string): Promise<readonly Finding[]> {
  const { dataset, findings } = await readFolder(folder)
  return dataset === undefined ? findings : [...findings, ...checkSense(dataset)]
}

export async function openUniverse(folder: string): Promise<Universe> {
  const { dataset, findings } = await readFolder(folder)
  if (dataset === undefined) throw new UserError(rejection(folder, findings))
  return createUniverse(dataset)
}

function rejection(folder: string, findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === 'error')
  const quoted = errors.slice(0, MAX_QUOTED).map(({ where, text }) => `${where}: ${text}`)
  const rest = errors.length - quoted.length
  const more = rest > 0 ? `; and ${rest} more` : ''
  return (
    `The data set in ${folder} cannot be served. ${quoted.join('; ')}${more}. ` +
    `To list all problems, run: nonet check reference ${folder}`
  )
}
