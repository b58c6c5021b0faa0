import { resolve } from 'node:path'
import { type Command, UsageFailure } from './command.ts'
import { folderArgument, serviceNamed, toolOf } from './service-argument.ts'

const usage = 'nonet export <service> <folder> --base-url <url> [--from <dir>]'

export const exportCommand: Command = {
  name: 'export',
  summary: 'Write files that any web server can serve without nonet',
  usage,
  examples: ['nonet export reference ./public --base-url https://people.example'],
  flags: { 'base-url': { type: 'string' }, from: { type: 'string' } },
  describe: {
    'base-url': 'address the files will be served from; links are absolute',
    from: 'data folder to export (default: the bundled data)'
  },
  async run({ positionals, flags }) {
    const service = serviceNamed(positionals[0], usage)
    const write = toolOf(service, 'export')
    const to = resolve(folderArgument(positionals[1], usage))
    const from = typeof flags.from === 'string' ? resolve(flags.from) : undefined
    process.stdout.write(`${await write(to, { from, baseUrl: baseUrlOf(flags['base-url']) })}\n`)
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
