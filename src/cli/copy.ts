import { resolve } from 'node:path'
import type { Storage } from '../host/storage.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { describeMoved, warnOfLostFiles } from './moved.ts'
import { tellMissingKeys } from './needed-keys.ts'
import { createProgress } from './progress.ts'
import {
  asUserError,
  bucketFor,
  storageFlagHelp,
  storageFlags,
  storageWithFiles
} from './storage-flags.ts'

const usage =
  'nonet copy [--to <url or dir>] [--to-files <url or folder>] [--force] [--data <dir> | --database <url>] [--files <url>]'
/** Value of `--to-files` for the data folder. */
const FOLDER = 'folder'

export const copyCommand: Command = {
  name: 'copy',
  summary: 'Copy all stored data to another database and verify the copy',
  usage,
  examples: [
    'nonet copy --to postgres://nonet@localhost/nonet',
    'nonet copy --database postgres://nonet@localhost/nonet --to ./nonet-data',
    'nonet copy --to-files s3://bucket/nonet'
  ],
  arguments: 0,
  flags: {
    to: { type: 'string' },
    'to-files': { type: 'string' },
    force: { type: 'boolean' },
    ...storageFlags
  },
  flagHelp: {
    to: 'PostgreSQL URL or data folder to copy to',
    'to-files':
      'S3 URL to copy the files to, or folder for the data folder; without --to the tables stay',
    force: 'replace the data stored there',
    ...storageFlagHelp
  },
  async run(invocation) {
    const { to: flag, 'to-files': filesFlag } = invocation.flags
    if (typeof flag !== 'string' && typeof filesFlag !== 'string')
      throw new UsageError(`Missing destination (--to or --to-files). Usage: ${usage}`)
    const from = await storageWithFiles(invocation)
    const files =
      typeof filesFlag === 'string' ? await bucketNamed(filesFlag, invocation, from) : 'as now'
    if (typeof flag !== 'string') return copyOnlyFiles(from, files === 'as now' ? undefined : files)
    const target = targetOf(flag, from)
    const to = files === 'as now' ? target : { ...target, files }
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

async function copyOnlyFiles(from: Storage, to: Storage['files']): Promise<number> {
  const { copyFiles } = await import('../host/copy-files.ts')
  const progress = createProgress('Copying', process.stderr)
  const { files, lostFiles } = await asUserError('copy', () =>
    copyFiles(from, to, { progress: progress.show })
  )
  progress.clear()
  warnOfLostFiles(lostFiles)
  const next = to === undefined ? 'without --files' : `with --files ${to.name}…`
  process.stdout.write(
    `Copied ${files} files; their hashes agree. Start nonet ${next} from now on\n`
  )
  return 0
}

/** Undefined for the data folder. */
async function bucketNamed(
  name: string,
  invocation: Invocation,
  storage: Storage
): Promise<Storage['files']> {
  return name === FOLDER ? undefined : bucketFor(invocation, storage, name)
}

/** Services that use PostgreSQL have their files in the same location as before. */
function targetOf(to: string, { folder, files }: Storage): Storage {
  return /^postgres(ql)?:/.test(to)
    ? { folder, files, database: to, ephemeral: false }
    : { folder: resolve(to), database: undefined, ephemeral: false }
}
