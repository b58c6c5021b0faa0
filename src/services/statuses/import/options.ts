import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UserError } from '../../../kernel/errors.ts'
import { NO_ALT_TEXTS, readAltTexts } from './alt-texts.ts'
import type { ImportFlag } from './flags.ts'
import { idOf } from './json/values.ts'
import type { SourceOptions } from './parsed.ts'

export interface ImportOptions extends SourceOptions {
  visibility: 'public' | 'hidden'
  /** Posts of a protected account may be public. */
  isPublicConfirmed: boolean
  skipsRepliesToOthers: boolean
  skipsReposts: boolean
  /** First and last time, both included; undefined without a limit. */
  since: string | undefined
  until: string | undefined
  excludedIds: ReadonlySet<string>
  newAccount: boolean
  dryRun: boolean
  json: boolean
}

type Flags = Readonly<Record<string, unknown>>

export async function readOptions(flags: Flags): Promise<ImportOptions> {
  const excluded = stringFlag(flags, 'exclude-ids')
  const altText = stringFlag(flags, 'alt-text')
  const [handle] = namesIn(flags, 'handle')
  return {
    handle,
    formerHandles: namesIn(flags, 'former-handle'),
    withCommunity: flags.community === true,
    altTexts: altText === undefined ? NO_ALT_TEXTS : await readAltTexts(resolve(altText)),
    visibility: visibilityOf(stringFlag(flags, 'visibility')),
    isPublicConfirmed: flags.public === true,
    skipsRepliesToOthers: flags['skip-replies-to-others'] === true,
    skipsReposts: flags['skip-retweets'] === true,
    since: timeFlag(flags, 'since', 'T00:00:00.000Z'),
    until: timeFlag(flags, 'until', 'T23:59:59.999Z'),
    excludedIds: excluded === undefined ? new Set() : await readIds(resolve(excluded)),
    newAccount: flags['new-account'] === true,
    dryRun: flags['dry-run'] === true,
    json: flags.json === true
  }
}

function stringFlag(flags: Flags, name: ImportFlag): string | undefined {
  const value = flags[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

function visibilityOf(value: string | undefined): 'public' | 'hidden' {
  if (value === undefined || value === 'public') return 'public'
  if (value === 'hidden') return 'hidden'
  throw new UserError('--visibility must be public or hidden')
}

function namesIn(flags: Flags, flag: 'handle' | 'former-handle'): string[] {
  const value = stringFlag(flags, flag)
  const names = value === undefined ? [] : value.split(',').map((name) => name.replace(/^@/, ''))
  const isFine = names.every((name) => /^\w{1,20}$/.test(name))
  if (isFine && (flag === 'former-handle' || names.length <= 1)) return names
  throw new UserError(`--${flag} must be a user name of 1 to 20 letters, digits and underscores`)
}

/** A day stands for its first or last millisecond in UTC. */
function timeFlag(flags: Flags, flag: 'since' | 'until', clock: string): string | undefined {
  const value = stringFlag(flags, flag)
  if (value === undefined) return undefined
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value)
  const time = /^\d{4}-\d\d-\d\d/.test(value)
    ? Date.parse(isDay ? value + clock : value)
    : Number.NaN
  if (!Number.isNaN(time)) return new Date(time).toISOString()
  throw new UserError(`--${flag} must be a day such as 2020-01-31`)
}

/** Ids or URLs of posts, one per line; what follows `#` is a comment. */
async function readIds(path: string): Promise<Set<string>> {
  const text = await readFile(path, 'utf8').catch((cause: Error) => {
    throw new UserError(`Cannot read --exclude-ids ${path}: ${cause.message}`, { cause })
  })
  const ids = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const word = line.replace(/#.*$/, '').replace(/[",[\]\s]/g, '')
    if (word === '') continue
    const id = idOf(/^(?:https?:\/\/\S+\/)?(\d+)\/?$/.exec(word)?.[1])
    if (id === undefined) {
      throw new UserError(`Cannot read --exclude-ids ${path}: line ${index + 1} has no post id`)
    }
    ids.add(id)
  }
  return ids
}
