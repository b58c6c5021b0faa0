import type { Command } from './command.ts'
import { describeMoved } from './moved.ts'
import { tellMissingKeys } from './needed-keys.ts'
import { createProgress } from './progress.ts'
import {
  asUserError,
  fileArgument,
  storageFlagHelp,
  storageFlags,
  storageWithFiles
} from './storage-flags.ts'

const usage = 'nonet restore <file> [--force] [--data <dir> | --database <url>] [--files <url>]'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'Restore a backup (stop nonet first)',
  usage,
  examples: ['nonet restore monday.nonet', 'nonet restore monday.nonet --force'],
  arguments: 1,
  flags: { force: { type: 'boolean' }, ...storageFlags },
  flagHelp: { force: 'replace the data stored now', ...storageFlagHelp },
  async run(invocation) {
    const file = fileArgument(invocation.positionals[0], usage)
    const to = await storageWithFiles(invocation)
    const force = invocation.flags.force === true
    const { restore } = await import('../host/archive.ts')
    const progress = createProgress('Restoring', process.stderr)
    const done = await asUserError('restore', () =>
      restore(file, to, { force, progress: progress.show })
    )
    progress.clear()
    process.stdout.write(`Restored ${describeMoved(done)} from ${file}\n`)
    await tellMissingKeys(done.neededKeys, to.folder, invocation)
    return 0
  }
}
