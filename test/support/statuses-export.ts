import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findService } from '../../src/host/service-registry.ts'
import type { Nonet } from '../../src/host/start.ts'
import type { ExportedAccount, ExportedPost } from '../../src/services/statuses/records/exported.ts'

/** Runs the export command against a nonet of this process. */
export async function exportFrom(
  nonet: Pick<Nonet, 'console'>,
  folder: string,
  flags: Readonly<Record<string, unknown>> = {}
): Promise<string> {
  const command = findService('statuses')?.tools?.remote?.export
  if (command === undefined) throw new Error('There is no export')
  const endpoint = { url: `${nonet.console?.url}/statuses`, headers: {} }
  const options = { file: folder, files: [folder], flags, show: () => undefined }
  return command.run(endpoint, options)
}

export interface ReadExport {
  text: string
  accounts: ExportedAccount[]
  posts: ExportedPost[]
}

export function readExport(folder: string): ReadExport {
  const text = readFileSync(join(folder, 'nonet-statuses.jsonl'), 'utf8')
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  return {
    text,
    accounts: lines.flatMap(({ account }) => account ?? []),
    posts: lines.flatMap(({ post }) => post ?? [])
  }
}
