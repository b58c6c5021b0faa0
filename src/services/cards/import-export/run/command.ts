import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../../kernel/service.ts'
import { importFlags } from './flags.ts'

/** The command `nonet import cards <path>`. */
export const importCommand: RemoteCommand = { flags: importFlags, run: importBoard }

/** The parts that read exports are loaded when the command runs. */
async function importBoard(
  endpoint: ConsoleEndpoint,
  { file, flags, show }: RemoteCommandOptions
): Promise<string> {
  const { readOptions } = await import('./options.ts')
  const { ConsoleClient } = await import('./console-client.ts')
  const { runImport } = await import('./run-import.ts')
  const { describeReport } = await import('./report.ts')
  const options = readOptions(flags)
  const report = await runImport(file, options, new ConsoleClient(endpoint), show)
  return options.json ? JSON.stringify(report, undefined, 2) : describeReport(report)
}
