import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../../../../kernel/errors.ts'
import { ExportClient, interrupted } from '../../../../kernel/exchange/export-client.ts'
import { openTarget } from '../../../../kernel/exchange/target-folder.ts'
import type { ConsoleEndpoint } from '../../../../kernel/service.ts'
import { nameProblem } from '../../../../kernel/zip/entry-name.ts'
import type { ExportLine } from './export-line.ts'

type Flags = Readonly<Record<string, unknown>>

interface Written {
  cards: number
  files: number
  missing: number
}

/** Resolves to the output of the command. */
export async function runExport(
  endpoint: ConsoleEndpoint,
  target: string,
  flags: Flags,
  show: (done: number, total: number) => void
): Promise<string> {
  const { board, markdown } = flags
  const isPublished = flags['published-only'] === true
  const client = new ExportClient(endpoint)
  await using folder = await openTarget(target, { isPublic: isPublished })
  try {
    const what = markdown === true ? 'markdown' : 'board'
    const parameters = {
      ...(typeof board === 'string' && { board }),
      'published-only': String(isPublished)
    }
    const { total, lines } = await client.readLines(what, parameters)
    const written = await writeLines(folder.path, client, lines, (done) =>
      show(done, Math.max(done, total))
    )
    await folder.finish()
    return describe(written, target)
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw new UserError(`Cannot export to ${target}: ${(cause as Error).message}`, { cause })
  }
}

/** A text file is open until a line is of another one, except `board.json`, which has files between. */
async function writeLines(
  folder: string,
  client: ExportClient,
  lines: AsyncIterable<string>,
  show: (done: number) => void
): Promise<Written> {
  const written: Written = { cards: 0, files: 0, missing: 0 }
  let isEnded = false
  let output: { path: string; handle: FileHandle } | undefined
  async function close(): Promise<void> {
    await output?.handle.sync()
    await output?.handle.close()
    output = undefined
  }
  try {
    for await (const text of lines) {
      const line: ExportLine = JSON.parse(text)
      isEnded = 'end' in line
      if ('end' in line) continue
      const path = pathIn(folder, line.path)
      if ('hash' in line) {
        if (await client.saveFile(line.hash, path)) written.files++
        else written.missing++
        continue
      }
      if (output?.path !== path) {
        await close()
        await mkdir(dirname(path), { recursive: true })
        output = { path, handle: await open(path, 'wx') }
      }
      await output.handle.write(line.text)
      if (line.isCard) show(++written.cards)
    }
  } finally {
    await close()
  }
  if (!isEnded) throw interrupted()
  return written
}

function pathIn(folder: string, name: string): string {
  if (nameProblem(name) !== undefined) throw new UserError(`The file name ${name} is not possible`)
  return join(folder, name)
}

function describe({ cards, files, missing }: Written, target: string): string {
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`
  const lost =
    missing === 0
      ? ''
      : `\n  ${count(missing, 'file')} are missing in the storage and were left out`
  return `Exported ${count(cards, 'card')} and ${count(files, 'file')} to ${target}${lost}`
}
