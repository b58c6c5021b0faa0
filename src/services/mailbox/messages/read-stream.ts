import type { FetchMessageObject, FetchQueryObject } from 'imapflow'
import { fetchSequence, fetchUids } from './fetch.ts'
import { numberOfMailbox } from './mailbox-numbers.ts'
import type { Candidate, CandidateStream } from './merge-streams.ts'
import { type OpenMailbox, openMailbox } from './open-mailbox.ts'
import type { SearchKeys } from './search-query.ts'
import { countBelow, searchUids } from './search-uids.ts'
import type { MailSession } from './session.ts'

/** Messages of a mailbox that may be on a page. */
export interface MailboxStream extends CandidateStream {
  readonly mailbox: OpenMailbox
  readonly number: number
  /** Messages that match, shown before or not. */
  readonly total: number
  /** Of them, those that were not shown before. */
  readonly left: number
  /** Messages from this UID on are not part of later pages. */
  readonly bound: number
  readonly candidates: readonly IdentifiedCandidate[]
}

export interface IdentifiedCandidate extends Candidate {
  /** Equal for copies of a message; undefined if it has no id, or if nothing is compared. */
  readonly identity: string | undefined
}

export interface StreamOptions {
  readonly path: string
  readonly keys: SearchKeys | undefined
  readonly bounds: ReadonlyMap<number, number>
  readonly most: number
  readonly needsIdentity: boolean
}

/** The newest messages of a mailbox that were not shown before, at most `most`. */
export async function readStream(
  session: MailSession,
  options: StreamOptions
): Promise<MailboxStream> {
  const { client, account, database } = session
  const { path, keys, bounds, most } = options
  const mailbox = await openMailbox(client, path, 'read')
  const number = await numberOfMailbox(database, client, account, mailbox)
  const bound = bounds.get(number)
  const found =
    keys === undefined
      ? await findAll(session, mailbox, bound, options)
      : await findMatching(session, keys, bound, options)
  const candidates = found.messages
    .map((message) => candidateOf(message))
    .toSorted((a, b) => b.uid - a.uid)
    .slice(0, most)
  const next = bound ?? Math.max(mailbox.uidNext, (candidates[0]?.uid ?? 0) + 1)
  return {
    mailbox,
    number,
    total: found.total,
    left: found.left,
    bound: next,
    candidates,
    copies: NO_COPIES
  }
}

const NO_COPIES: ReadonlySet<number> = new Set()

interface FoundMessages {
  readonly total: number
  readonly left: number
  readonly messages: readonly FetchMessageObject[]
}

async function findAll(
  { client }: MailSession,
  { exists }: OpenMailbox,
  bound: number | undefined,
  { most, needsIdentity }: StreamOptions
): Promise<FoundMessages> {
  const left = bound === undefined ? exists : await countBelow(client, bound)
  // Sequence numbers follow the UIDs.
  const range = [Math.max(1, left - most + 1), left] as const
  return {
    total: exists,
    left,
    messages: await fetchSequence(client, range, queryOf(needsIdentity))
  }
}

async function findMatching(
  { client }: MailSession,
  keys: SearchKeys,
  bound: number | undefined,
  { most, needsIdentity }: StreamOptions
): Promise<FoundMessages> {
  const uids = await searchUids(client, keys)
  const unshown = bound === undefined ? uids : uids.filter((uid) => uid < bound)
  const messages = await fetchUids(client, unshown.slice(-most), queryOf(needsIdentity))
  return { total: uids.length, left: unshown.length, messages }
}

/** The server's id of a message is part of each response, if it has one. */
export const IDENTITY_QUERY: FetchQueryObject = { uid: true, envelope: true }
/** What can be searched for in one line. */
const IDENTITY = /^[!-~]{1,500}$/

function queryOf(needsIdentity: boolean): FetchQueryObject {
  return { internalDate: true, ...(needsIdentity ? IDENTITY_QUERY : { uid: true }) }
}

/** Equal for copies of a message. */
export function identityOf({ emailId, envelope }: FetchMessageObject): string | undefined {
  const identity = emailId ?? envelope?.messageId
  return identity !== undefined && IDENTITY.test(identity) ? identity : undefined
}

function candidateOf(message: FetchMessageObject): IdentifiedCandidate {
  const { uid, internalDate } = message
  const time = internalDate instanceof Date ? internalDate.getTime() : 0
  return { uid, time, identity: identityOf(message) }
}
