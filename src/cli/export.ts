import { join, resolve } from 'node:path'
import { type Command, UsageError } from './command.ts'
import { remoteCommandOf, remoteFlagHelp, remoteFlags, runRemotely } from './remote-command.ts'
import { folderArgument, requireService, toolOf } from './service-argument.ts'
import { configurationOf, settingFlagHelp, settingFlags } from './setting-flags.ts'
import { fileArgument } from './storage-flags.ts'

const usage =
  'nonet export <service> <folder or file> [--html] [--base-url <url>] [--from <dir>] [--box <id>] [options of up]'

export const exportCommand: Command = {
  name: 'export',
  summary: "Export a service's data to files",
  usage,
  examples: [
    'nonet export reference ./public --base-url https://people.example',
    'nonet export boxes demo.ndjson --box demo',
    'nonet export statuses ./public --html --base-url https://posts.example'
  ],
  arguments: 2,
  flags: {
    ...settingFlags,
    ...remoteFlags('export'),
    'base-url': { type: 'string' },
    from: { type: 'string' }
  },
  flagHelp: {
    ...remoteFlagHelp('export'),
    'base-url': 'base URL of the exported files, for absolute links',
    from: "folder with the service's data (default: the data that `up` would serve)",
    ...settingFlagHelp
  },
  async run(invocation) {
    const { positionals, flags } = invocation
    const service = requireService(positionals[0], usage)
    const work = remoteCommandOf(service, 'export', invocation)
    if (work !== undefined) {
      if (flags.from !== undefined) {
        throw new UsageError(`export ${service.name}: --from is not supported`)
      }
      const file = fileArgument(positionals[1], usage)
      process.stdout.write(`${await runRemotely(service, 'export', work, invocation, [file])}\n`)
      return 0
    }
    const write = toolOf(service, 'export')
    const to = resolve(folderArgument(positionals[1], usage))
    const baseUrl = baseUrlOf(flags['base-url'])
    const from = typeof flags.from === 'string' ? resolve(flags.from) : undefined
    const { data, options } = configurationOf(invocation)
    const folder = join(resolve(data), service.name)
    const settings = options[service.name] ?? {}
    process.stdout.write(`${await write(to, { from, folder, baseUrl, settings })}\n`)
    return 0
  }
}

function baseUrlOf(flag: unknown): string {
  const url = typeof flag === 'string' ? URL.parse(flag) : null
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`--base-url must be an http or https URL. Usage: ${usage}`)
  }
  return url.href.replace(/\/+$/, '')
}
