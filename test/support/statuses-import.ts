import { findService } from '../../src/host/service-registry.ts'
import type { Nonet } from '../../src/host/start.ts'
import type { ImportReport } from '../../src/services/statuses/import/report.ts'

/** Runs the import command against a nonet of this process. */
export async function importInto(
  nonet: Pick<Nonet, 'console'>,
  files: readonly string[],
  flags: Readonly<Record<string, unknown>> = {}
): Promise<ImportReport> {
  const command = findService('statuses')?.tools?.remote?.import
  const [file] = files
  if (command === undefined || file === undefined) throw new Error('There is nothing to import')
  const endpoint = { url: `${nonet.console?.url}/statuses`, headers: {} }
  const options = { file, files, flags: { ...flags, json: true }, show: () => undefined }
  return JSON.parse(await command.run(endpoint, options))
}
