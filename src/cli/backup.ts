import type { Command } from './command.ts'
import { describeMoved, warnOfLostFiles } from './moved.ts'
import { tellKeyOfBackup } from './needed-keys.ts'
import { createProgress } from './progress.ts'
import {
  asUserError,
  fileArgument,
  storageFlagHelp,
  storageFlags,
  storageWithFiles
} from './storage-flags.ts'

const usage = 'nonet backup <file> [--data <dir> | --database <url>] [--files <url>]'

export const backup: Command = {
  name: 'backup',
  summary: 'Back up all stored data to one file, even while nonet runs',
  usage,
  examples: ['nonet backup monday.nonet', 'nonet backup all.nonet --database postgres://db/nonet'],
  arguments: 1,
  flags: storageFlags,
  flagHelp: storageFlagHelp,
  async run(invocation) {
    const file = fileArgument(invocation.positionals[0], usage)
    const from = await storageWithFiles(invocation)
    const { backUp } = await import('../host/archive.ts')
    const progress = createProgress('Backing up', process.stderr)
    const done = await asUserError('back up', () => backUp(from, file, { progress: progress.show }))
    progress.clear()
    warnOfLostFiles(done.lostFiles)
    process.stdout.write(`Wrote ${describeMoved(done)} to ${file}\n`)
    await tellKeyOfBackup(done.neededKeys, from.folder, invocation)
    return 0
  }
}
