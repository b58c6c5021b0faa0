import type { Finding, Service } from '../kernel/service.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { remoteCommandOf, remoteFlagHelp, remoteFlags, runRemotely } from './remote-command.ts'
import { folderArgument, requireService, toolOf } from './service-argument.ts'
import { storageFlagHelp, storageFlags } from './storage-flags.ts'

const usage = 'nonet check <service> [folder] [--strict] [--json] [--data <dir> | --database <url>]'

export const check: Command = {
  name: 'check',
  summary: 'Validate a folder of your own data, or the data that a service stores',
  usage,
  examples: ['nonet check reference ./my-universe'],
  arguments: 2,
  flags: {
    ...storageFlags,
    ...remoteFlags('check'),
    strict: { type: 'boolean' },
    json: { type: 'boolean' }
  },
  flagHelp: {
    strict: 'treat warnings as errors',
    json: 'print the findings as one JSON line',
    ...remoteFlagHelp('check'),
    ...storageFlagHelp
  },
  async run(invocation) {
    const { text, code } = await runCheck(
      requireService(invocation.positionals[0], usage),
      invocation
    )
    process.stdout.write(`${text}\n`)
    return code
  }
}

/** The output and the exit code. */
export async function runCheck(
  service: Service,
  invocation: Invocation
): Promise<{ text: string; code: number }> {
  const { flags } = invocation
  const findings = await examine(service, invocation)
  const failing = findings.filter(({ level }) => level === 'error' || flags.strict === true)
  return {
    text: flags.json === true ? JSON.stringify({ findings }) : report(findings),
    code: failing.length === 0 ? 0 : 1
  }
}

async function examine(service: Service, invocation: Invocation): Promise<readonly Finding[]> {
  const folder = invocation.positionals[1]
  const stored = remoteCommandOf(service, 'check', invocation)
  if (stored === undefined || (folder !== undefined && service.tools?.check !== undefined)) {
    const examineFolder = toolOf(service, 'check')
    const needless = Object.keys(storageFlags).find((flag) => invocation.flags[flag] !== undefined)
    if (needless !== undefined) {
      throw new UsageError(`check ${service.name}: --${needless} is not supported with a folder`)
    }
    return examineFolder(folderArgument(folder, usage))
  }
  if (folder !== undefined) {
    throw new UsageError(
      `check ${service.name} checks the stored data: unexpected argument ${folder}`
    )
  }
  return runRemotely(service, 'check', stored, invocation, [''])
}

function report(findings: readonly Finding[]): string {
  if (findings.length === 0) return 'No problems found'
  const count = (wanted: string) => findings.filter(({ level }) => level === wanted).length
  return [
    ...findings.map(({ level, where, text }) => `${level}  ${where}: ${text}`),
    `${count('error')} errors, ${count('warning')} warnings`
  ].join('\n')
}
