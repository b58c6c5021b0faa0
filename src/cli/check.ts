import type { Finding } from '../kernel/service.ts'
import type { Command } from './command.ts'
import { folderArgument, requireService, toolOf } from './service-argument.ts'

const usage = 'nonet check <service> <folder> [--strict] [--json]'

export const check: Command = {
  name: 'check',
  summary: 'Validate a folder of your own data',
  usage,
  examples: ['nonet check reference ./my-universe'],
  arguments: 2,
  flags: { strict: { type: 'boolean' }, json: { type: 'boolean' } },
  flagHelp: { strict: 'treat warnings as errors', json: 'print the findings as one JSON line' },
  async run({ positionals, flags }) {
    const service = requireService(positionals[0], usage)
    const examine = toolOf(service, 'check')
    const findings = await examine(folderArgument(positionals[1], usage))
    const text = flags.json === true ? JSON.stringify({ findings }) : report(findings)
    process.stdout.write(`${text}\n`)
    const failing = findings.filter(({ level }) => level === 'error' || flags.strict === true)
    return failing.length === 0 ? 0 : 1
  }
}

function report(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No problems found'
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length
  return [
    ...findings.map(({ level, where, text }) => `${level}  ${where}: ${text}`),
    `${count('error')} errors, ${count('warning')} warnings`
  ].join('\n')
}
