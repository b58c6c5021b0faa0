import { existsSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../../../../kernel/errors.ts'
import { type ExportClient, interrupted } from '../../../../kernel/exchange/export-client.ts'
import {
  EXPORT_FILE,
  type ExportedLine,
  filesOfLine,
  withoutFiles
} from '../../records/exported.ts'

export interface Written {
  posts: number
  files: number
  /** Files of posts that nonet has lost. */
  missing: number
}

/** Writes the lines and, before each, the files that it names. */
export async function writeArchive(
  folder: string,
  client: ExportClient,
  isPublicOnly: boolean,
  show: (done: number, total: number) => void
): Promise<Written> {
  const { total, lines } = await client.readLines('archive', {
    'public-only': String(isPublicOnly)
  })
  const written: Written = { posts: 0, files: 0, missing: 0 }
  await using output = await open(join(folder, EXPORT_FILE), 'wx')
  let isEnded = false
  let isFirst = true
  for await (const text of lines) {
    if (isFirst) await output.write(`${text}\n`)
    else {
      const line: ExportedLine = JSON.parse(text)
      const missing = await saveFiles(line, folder, client, written)
      const kept = missing.size === 0 ? text : JSON.stringify(withoutFiles(line, missing))
      await output.write(`${kept}\n`)
      if ('post' in line) show(++written.posts, Math.max(total, written.posts))
      isEnded = 'end' in line
    }
    isFirst = false
  }
  if (!isEnded) throw interrupted()
  if (written.posts === 0) throw new UserError('There are no posts to export')
  await output.sync()
  return written
}

/** The names of those that cannot be read. */
async function saveFiles(
  line: ExportedLine,
  folder: string,
  client: ExportClient,
  written: Written
): Promise<Set<string>> {
  const missing = new Set<string>()
  for (const name of filesOfLine(line)) {
    const path = join(folder, name)
    if (existsSync(path)) continue
    const hash = /[0-9a-f]{64}/.exec(name)?.[0] ?? ''
    if (await client.saveFile(hash, path)) written.files++
    else missing.add(name)
  }
  written.missing += missing.size
  return missing
}
