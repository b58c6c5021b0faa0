import { resolve } from 'node:path'
import type { Storage } from '../host/storage.ts'
import { type Command, UsageError } from './command.ts'
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
    const to = targetOf(invocation.flags.to)
    const from = await storageOf(invocation)
    const force = invocation.flags.force === true
    const { copy } = await import('../host/archive.ts')
    const progress = createProgress('Copying', process.stderr)
    const rows = await asUserError('copy', () => copy(from, to, { force, progress: progress.show }))
    progress.clear()
    process.stdout.write(`Copied ${rows} rows; counts and checksums agree\n`)
    return 0
  }
}

function targetOf(flag: unknown): Storage {
  if (typeof flag !== 'string') throw new UsageError(`Missing destination (--to). Usage: ${usage}`)
  return /^postgres(ql)?:/.test(flag)
    ? { folder: '', database: flag, ephemeral: false }
    : { folder: resolve(flag), database: undefined, ephemeral: false }
}
