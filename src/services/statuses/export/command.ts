import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../kernel/service.ts'

/** The command `nonet export statuses <folder>`. */
export const exportCommand: RemoteCommand = {
  flags: {
    html: { type: 'boolean', about: 'write pages that any file host serves; needs --base-url' },
    'public-only': { type: 'boolean', about: 'leave out hidden posts' }
  },
  run: exportStatuses
}

async function exportStatuses(
  endpoint: ConsoleEndpoint,
  { file, flags, show }: RemoteCommandOptions
): Promise<string> {
  const { limitMemory } = await import('../../../kernel/exchange/limit-memory.ts')
  const { runExport } = await import('./write/run-export.ts')
  limitMemory()
  return runExport(endpoint, file, flags, show)
}
