import type {
  ConsoleEndpoint,
  RemoteCommand,
  RemoteCommandOptions
} from '../../../../kernel/service.ts'

/** The command `nonet export cards <folder>`. */
export const exportCommand: RemoteCommand = {
  flags: {
    board: {
      type: 'string',
      about: 'slug, id or short link of the board of cards (default: the only one)'
    },
    markdown: { type: 'boolean', about: 'write a Markdown file per card, with its images' },
    'published-only': {
      type: 'boolean',
      about: 'leave out what the public does not see, also the original files'
    }
  },
  run: exportBoard
}

async function exportBoard(
  endpoint: ConsoleEndpoint,
  { file, flags, show }: RemoteCommandOptions
): Promise<string> {
  const { runExport } = await import('./run-export.ts')
  return runExport(endpoint, file, flags, show)
}
