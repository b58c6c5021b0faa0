import { join, resolve } from 'node:path'
import { prepareDataFolder } from '../host/data-folder.ts'
import { type Command, UsageError } from './command.ts'
import { remoteCommandOf, remoteFlagHelp, remoteFlags, runRemotely } from './remote-command.ts'
import { folderArgument, requireService, toolOf } from './service-argument.ts'
import { configurationOf } from './setting-flags.ts'
import { fileArgument, storageFlagHelp, storageFlags } from './storage-flags.ts'

const usage =
  'nonet import <service> <folder or file>… [--data <dir> | --database <url>] [--box <id>] [--to <dir>]'

export const importCommand: Command = {
  name: 'import',
  summary: 'Import existing data into a service',
  usage,
  examples: [
    'nonet import reference ./fixtures',
    'nonet import boxes demo.ndjson --box demo',
    'nonet import boxes db.json --box demo',
    'nonet import statuses twitter-archive.zip --dry-run'
  ],
  arguments: Number.POSITIVE_INFINITY,
  flags: { ...storageFlags, ...remoteFlags('import'), to: { type: 'string' } },
  flagHelp: {
    ...remoteFlagHelp('import'),
    ...storageFlagHelp,
    to: 'write to this folder instead of the data folder'
  },
  async run(invocation) {
    const { positionals, flags } = invocation
    const service = requireService(positionals[0], usage)
    const work = remoteCommandOf(service, 'import', invocation)
    if (work !== undefined) {
      const file = fileArgument(positionals[1], usage)
      const others = positionals.slice(2).map((path) => resolve(path))
      const files = [file, ...others] as const
      process.stdout.write(`${await runRemotely(service, 'import', work, invocation, files)}\n`)
      return 0
    }
    if (positionals[2] !== undefined) throw new UsageError(`Unexpected argument: ${positionals[2]}`)
    const read = toolOf(service, 'import')
    const from = folderArgument(positionals[1], usage)
    const { data } = configurationOf(invocation)
    const to = typeof flags.to === 'string' ? resolve(flags.to) : join(resolve(data), service.name)
    if (flags.to === undefined) await prepareDataFolder(resolve(data))
    const done = await read(resolve(from), to)
    // Again, for the modes of the imported files.
    if (flags.to === undefined) await prepareDataFolder(resolve(data))
    process.stdout.write(`${done}\n`)
    return 0
  }
}
