import type { SearchObject } from 'imapflow'
import { invalidInput } from '../contract.ts'
import { MissingServerExtension } from './contract.ts'

/** The keys of a search; all of them must match. */
export interface SearchKeys {
  readonly seq?: string
  readonly uid?: string
  readonly answered?: boolean
  readonly deleted?: boolean
  readonly draft?: boolean
  readonly unseen?: boolean
  readonly seen?: boolean
  readonly flagged?: boolean
  readonly from?: string
  readonly to?: string
  readonly cc?: string
  readonly bcc?: string
  readonly body?: string
  readonly subject?: string
  readonly larger?: number
  readonly smaller?: number
  readonly modseq?: number
  readonly before?: string
  readonly since?: string
  readonly sentBefore?: string
  readonly sentSince?: string
  readonly emailId?: string
  readonly threadId?: string
  readonly header?: Readonly<Record<string, string>>
  readonly gmailRaw?: string
  readonly labels?: { readonly has?: readonly string[]; readonly not?: readonly string[] }
  readonly emailIds?: readonly string[]
}

type Capabilities = ReadonlyMap<string, unknown>

/** Keys with another meaning in each mailbox. */
const MAILBOX_KEYS = ['seq', 'uid', 'modseq'] as const
const DAY_MS = 24 * 60 * 60 * 1000

/** Throws if the server lacks an extension: a key that is left out would find more. */
export function imapQueryOf(keys: SearchKeys, capabilities: Capabilities): SearchObject {
  const { labels, emailIds, modseq, larger, header, ...others } = keys
  checkExtensions(keys, capabilities)
  const { before, since, sentBefore, sentSince, ...plain } = others
  return {
    ...plain,
    ...dates({ before, since, sentBefore, sentSince }),
    ...(header !== undefined && { header: { ...header } }),
    ...(labels !== undefined && {
      labels: { has: [...(labels.has ?? [])], not: [...(labels.not ?? [])] }
    }),
    ...(emailIds !== undefined && { or: emailIds.map((emailId) => ({ emailId })) }),
    // Zero means all messages.
    ...(modseq !== undefined && modseq > 0 && { modseq: BigInt(modseq) }),
    ...(larger !== undefined && larger > 0 && { larger })
  }
}

/**
 * By whole days, as IMAP compares them: the day of `since` is included, and so is that of `before`
 * unless its time is midnight.
 */
function dates(
  sent: Readonly<Record<'before' | 'since' | 'sentBefore' | 'sentSince', string | undefined>>
): SearchObject {
  const days = Object.entries(sent).flatMap(([key, value]) => {
    if (value === undefined) return []
    const time = Date.parse(value)
    const isBefore = key === 'before' || key === 'sentBefore'
    const day = isBefore ? Math.ceil(time / DAY_MS) : Math.floor(time / DAY_MS)
    return [[key, new Date(day * DAY_MS)]]
  })
  return Object.fromEntries(days)
}

const OBJECT_IDS = ['OBJECTID', 'X-GM-EXT-1']
const EXTENSIONS: readonly (readonly [keyof SearchKeys, readonly string[]])[] = [
  ['modseq', ['CONDSTORE', 'QRESYNC']],
  ['emailId', OBJECT_IDS],
  ['threadId', OBJECT_IDS],
  ['emailIds', OBJECT_IDS],
  ['gmailRaw', ['X-GM-EXT-1']],
  ['labels', ['X-GM-EXT-1']]
]

function checkExtensions(keys: SearchKeys, capabilities: Capabilities): void {
  for (const [key, extensions] of EXTENSIONS) {
    const isMissing = extensions.every((extension) => !capabilities.has(extension))
    if (keys[key] !== undefined && isMissing) {
      throw new MissingServerExtension(extensions.join(' or '), `search.${key}`)
    }
  }
}

/** For a search in all mailboxes. */
export function checkForAllMailboxes(keys: SearchKeys): void {
  const fields = MAILBOX_KEYS.filter((key) => keys[key] !== undefined).map((key) => ({
    key: `search.${key}`,
    message: 'is about one mailbox; it cannot be combined with path=*'
  }))
  if (fields.length > 0) throw invalidInput(fields)
}
