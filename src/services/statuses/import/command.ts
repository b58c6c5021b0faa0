import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../kernel/service.ts'
import { importFlags } from './flags.ts'

/** The command `nonet import statuses <path>…`. */
export const importCommand: RemoteCommand = {
  flags: importFlags,
  severalFiles: true,
  run: importArchive
}

/** The parts that read archives are loaded when the command runs. */
async function importArchive(
  endpoint: ConsoleEndpoint,
  { files, flags, show }: RemoteCommandOptions
): Promise<string> {
  const { readOptions } = await import('./options.ts')
  const { ConsoleClient } = await import('./console-client.ts')
  const { limitMemory } = await import('../../../kernel/exchange/limit-memory.ts')
  const { runImport } = await import('./run-import.ts')
  const { describeReport } = await import('./report.ts')
  limitMemory()
  const options = await readOptions(flags)
  const report = await runImport(files, options, new ConsoleClient(endpoint), show)
  return options.json ? JSON.stringify(report, undefined, 2) : describeReport(report)
}
