import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ExportClient, interrupted } from '../../../../kernel/exchange/export-client.ts'
import type { TreeLine } from '../tree-line.ts'
import type { Written } from './write-archive.ts'

/** Writes the files of the static tree. */
export async function writeTree(
  folder: string,
  client: ExportClient,
  baseUrl: string,
  show: (done: number, total: number) => void
): Promise<Written> {
  const { total, lines } = await client.readLines('tree', { 'base-url': baseUrl })
  const written: Written = { posts: 0, files: 0, missing: 0 }
  let isEnded = false
  for await (const text of lines) {
    const line: TreeLine = JSON.parse(text)
    isEnded = 'end' in line
    if ('end' in line) continue
    const path = join(folder, line.path)
    if ('text' in line) {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, line.text, { flag: 'wx' })
      written.files++
      if (line.isPost) show(++written.posts, Math.max(total, written.posts))
    } else if (!existsSync(path)) {
      if (await client.saveFile(line.hash, path)) written.files++
      else written.missing++
    }
  }
  if (!isEnded) throw interrupted()
  return written
}
