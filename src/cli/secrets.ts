import { resolve } from 'node:path'
import type { Configuration } from '../host/configuration-reader.ts'
import { findRunningInstance } from '../host/data-folder.ts'
import { allServices } from '../host/service-registry.ts'
import { UserError } from '../kernel/errors.ts'
import { closestMatch } from './closest-match.ts'
import { type Command, type Invocation, UsageError } from './command.ts'
import { configurationOf } from './setting-flags.ts'
import { asUserError, storageFlagHelp, storageFlags, storageOf } from './storage-flags.ts'

const usage =
  'nonet secrets status|rotate [--keep-old] [--json] [--secret-key-file <file>] [--data <dir> | --database <url>]'

const VERBS = ['status', 'rotate'] as const

export const secrets: Command = {
  name: 'secrets',
  summary: 'Show or replace the key that seals stored secrets',
  usage,
  examples: ['nonet secrets status', 'nonet secrets rotate'],
  arguments: 1,
  flags: { ...storageFlags, 'keep-old': { type: 'boolean' }, json: { type: 'boolean' } },
  flagHelp: {
    'keep-old': 'rotate: leave the old key in the file, for backups that were made before',
    json: 'print one JSON line',
    ...storageFlagHelp
  },
  async run(invocation) {
    const [word] = invocation.positionals
    const verb = VERBS.find((one) => one === word)
    if (verb === undefined) throw new UsageError(unknownVerb(word))
    const { folder, database } = await storageOf(invocation)
    const configuration = {
      ...configurationOf(invocation),
      ...{ services: allServices, data: folder, database, ephemeral: false }
    }
    return verb === 'status'
      ? showStatus(configuration, invocation)
      : rotate(configuration, invocation)
  }
}

function unknownVerb(word: string | undefined): string {
  if (word === undefined) return `Missing status or rotate. Usage: ${usage}`
  const meant = closestMatch(word, VERBS)
  const hint = meant === undefined ? 'use status or rotate' : `did you mean ${meant}?`
  return `Unknown word ${word} after secrets; ${hint}`
}

async function showStatus(configuration: Configuration, { flags }: Invocation): Promise<number> {
  const { describeStatus, statusOf } = await import('../host/secrets-status.ts')
  const status = await asUserError('read the secrets', () => statusOf(configuration))
  process.stdout.write(
    flags.json === true ? `${JSON.stringify(status)}\n` : `${describeStatus(status)}\n`
  )
  return status.missing.length === 0 ? 0 : 1
}

async function rotate(configuration: Configuration, { flags }: Invocation): Promise<number> {
  const running = await findRunningInstance(resolve(configuration.data))
  if (running !== undefined) {
    throw new UserError(
      `nonet is running (process ${running.pid}) and has the key in memory: stop it, rotate, and start it again`
    )
  }
  const { describeRotated } = await import('../host/secrets-status.ts')
  const { rotateSecrets } = await import('../host/rotate-secrets.ts')
  const keepOld = flags['keep-old'] === true
  const rotated = await rotateSecrets(configuration, { keepOld })
  process.stdout.write(
    flags.json === true ? `${JSON.stringify(rotated)}\n` : `${describeRotated(rotated)}\n`
  )
  return 0
}
