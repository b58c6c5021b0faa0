import { resolve } from 'node:path'
import type { Storage } from '../host/storage.ts'
import { type Command, UsageError } from './command.ts'
import { describeMoved, warnOfLostFiles } from './moved.ts'
import { tellMissingKeys } from './needed-keys.ts'
import { createProgress } from './progress.ts'
import { asUserError, storageFlagHelp, storageFlags, storageOf } from './storage-flags.ts'

const usage = 'nonet copy --to <url or dir> [--force] [--data <dir> | --database <url>]'

export const copyCommand: Command = {
  name: 'copy',
  summary: 'Copy all stored data to another database and verify the copy',
  usage,
  examples: [
    'nonet copy --to postgres://nonet@localhost/nonet',
    'nonet copy --database postgres://nonet@localhost/nonet --to ./nonet-data'
  ],
  arguments: 0,
  flags: { to: { type: 'string' }, force: { type: 'boolean' }, ...storageFlags },
  flagHelp: {
    to: 'PostgreSQL URL or data folder to copy to',
    force: 'replace the data stored there',
    ...storageFlagHelp
  },
  async run(invocation) {
    const { to: flag } = invocation.flags
    if (typeof flag !== 'string')
      throw new UsageError(`Missing destination (--to). Usage: ${usage}`)
    const from = await storageOf(invocation)
    const to = targetOf(flag, from)
    const force = invocation.flags.force === true
    const { copy } = await import('../host/archive.ts')
    const progress = createProgress('Copying', process.stderr)
    const done = await asUserError('copy', () => copy(from, to, { force, progress: progress.show }))
    progress.clear()
    warnOfLostFiles(done.lostFiles)
    process.stdout.write(`Copied ${describeMoved(done)}; counts and checksums agree\n`)
    await tellMissingKeys(done.neededKeys, to.folder, invocation)
    return 0
  }
}

/** Services that use PostgreSQL have their files in the data folder, which stays the same. */
function targetOf(to: string, { folder }: Storage): Storage {
  return /^postgres(ql)?:/.test(to)
    ? { folder, database: to, ephemeral: false }
    : { folder: resolve(to), database: undefined, ephemeral: false }
}
