import { join, resolve } from 'node:path'
import { prepareDataFolder } from '../host/data-folder.ts'
import type { Command } from './command.ts'
import { folderArgument, serviceNamed, toolOf } from './service-argument.ts'
import { configurationOf } from './setting-flags.ts'

const usage = 'nonet import <service> <folder> [--data <dir>] [--to <dir>]'

export const importCommand: Command = {
  name: 'import',
  summary: 'Turn a copy of public data that you have into data of a service',
  usage,
  examples: ['nonet import reference ./fixtures'],
  arguments: 2,
  flags: { data: { type: 'string' }, config: { type: 'string' }, to: { type: 'string' } },
  describe: {
    data: "nonet's data folder; the next start serves what is imported there",
    to: 'write to this folder instead',
    config: 'configuration file'
  },
  async run(invocation) {
    const { positionals, flags } = invocation
    const service = serviceNamed(positionals[0], usage)
    const read = toolOf(service, 'import')
    const from = folderArgument(positionals[1], usage)
    const { data } = configurationOf(invocation)
    const to = typeof flags.to === 'string' ? resolve(flags.to) : join(resolve(data), service.name)
    if (flags.to === undefined) await prepareDataFolder(resolve(data))
    process.stdout.write(`${await read(resolve(from), to)}\n`)
    return 0
  }
}
