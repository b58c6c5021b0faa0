import { join, resolve } from 'node:path'
import { type Command, UsageFailure } from './command.ts'
import { folderArgument, serviceNamed, toolOf } from './service-argument.ts'
import { configurationOf, settingFlags, settingTexts } from './setting-flags.ts'

const usage = 'nonet export <service> <folder> --base-url <url> [--from <dir>] [options of up]'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write files that any web server can serve without nonet',
  usage,
  examples: ['nonet export reference ./public --base-url https://people.example'],
  arguments: 2,
  flags: { ...settingFlags, 'base-url': { type: 'string' }, from: { type: 'string' } },
  describe: {
    'base-url': 'address the files will be served from; links are absolute',
    from: "folder of the service's data (default: what `up` would serve)",
    ...settingTexts
  },
  async run(invocation) {
    const { positionals, flags } = invocation
    const service = serviceNamed(positionals[0], usage)
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
    throw new UsageFailure(`--base-url takes an http(s) address. Usage: ${usage}`)
  }
  return url.href.replace(/\/+$/, '')
}
