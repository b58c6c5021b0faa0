import { resolve } from 'node:path'
import { UserError } from '../../../../kernel/errors.ts'
import type { importFlags } from './flags.ts'

export interface ImportOptions {
  /** Absolute path. */
  attachments: string | undefined
  trello: { key: string; token: string } | undefined
  newIds: boolean
  member: string | undefined
  comments: boolean
  dryRun: boolean
  json: boolean
}

type Flags = Readonly<Record<string, unknown>>

export function readOptions(flags: Flags): ImportOptions {
  const attachments = stringFlag(flags, 'attachments')
  const key = stringFlag(flags, 'trello-key')
  const token = stringFlag(flags, 'trello-token')
  if ((key === undefined) !== (token === undefined)) {
    throw new UserError('--trello-key and --trello-token are used together')
  }
  return {
    attachments: attachments === undefined ? undefined : resolve(attachments),
    trello: key === undefined || token === undefined ? undefined : { key, token },
    newIds: flags['new-ids'] === true,
    member: stringFlag(flags, 'member'),
    comments: flags.comments === true,
    dryRun: flags['dry-run'] === true,
    json: flags.json === true
  }
}

function stringFlag(flags: Flags, name: keyof typeof importFlags): string | undefined {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
