import type { Files } from '../../../../../kernel/files/files.ts'
import type { MessageContent, StoredMessage } from '../../mail-store.ts'
import { parseMailDate } from '../../message/mail-date.ts'
import { matchesEnvelope, matchesHeader, matchesText } from '../../message/search.ts'
import { type SequenceSet, selectNumbers } from '../wire/sequence-set.ts'
import { costOf, type SearchKey } from './keys.ts'

/** A message with its number in the session. */
export interface Candidate {
  readonly number: number
  readonly message: StoredMessage
  /** Undefined if no key needs it. */
  readonly content: MessageContent | undefined
}

export interface SearchContext {
  readonly files: Files
  /** In Unix milliseconds. */
  readonly now: number
  /** UIDs in the order of the sequence numbers. */
  readonly uids: readonly number[]
  /** Members of the sets of the keys, found once. */
  readonly members: Map<SequenceSet, ReadonlySet<number>>
}

export async function matches(
  key: SearchKey,
  candidate: Candidate,
  context: SearchContext
): Promise<boolean> {
  switch (key.kind) {
    case 'and':
      for (const part of cheapestFirst(key.keys)) {
        if (!(await matches(part, candidate, context))) return false
      }
      return true
    case 'or':
      for (const part of cheapestFirst(key.keys)) {
        if (await matches(part, candidate, context)) return true
      }
      return false
    case 'not':
      return !(await matches(key.key, candidate, context))
    case 'header':
    case 'body':
    case 'text':
      return matchesFile(key, candidate.content, context.files)
    default:
      return matchesRow(key, candidate, context)
  }
}

function cheapestFirst(keys: readonly SearchKey[]): readonly SearchKey[] {
  return keys.toSorted((left, right) => costOf(left) - costOf(right))
}

type FileKey = Extract<SearchKey, { kind: 'header' | 'body' | 'text' }>
type RowKey = Exclude<SearchKey, FileKey | { kind: 'and' | 'or' | 'not' }>

async function matchesFile(
  key: FileKey,
  content: MessageContent | undefined,
  files: Files
): Promise<boolean> {
  if (content === undefined) return false
  if (key.kind === 'header') return matchesHeader(files, content, key.name, key.text)
  return matchesText(files, content, key.text, key.kind)
}

function matchesRow(key: RowKey, candidate: Candidate, context: SearchContext): boolean {
  const { message, content, number } = candidate
  switch (key.kind) {
    case 'all':
      return true
    case 'none':
      return false
    case 'flag':
      return message.flags.some((flag) => flag.toLowerCase() === key.flag)
    case 'numbers':
      return membersOf(key.set, context, false).has(number)
    case 'uids':
      return membersOf(key.set, context, true).has(message.uid)
    case 'larger':
      return message.size > key.size
    case 'smaller':
      return message.size < key.size
    case 'internalDate':
      return isBetween(message.internalDate, key)
    case 'sentDate':
      return isBetween(sentDay(content), key)
    case 'older':
      return message.internalDate <= context.now - 1000 * key.age
    case 'younger':
      return message.internalDate >= context.now - 1000 * key.age
    case 'modseq':
      return message.modseq >= key.modseq
    case 'emailId':
      return message.content === key.id
    case 'threadId':
      return content?.thread === key.id
    case 'envelope':
      return content !== undefined && matchesEnvelope(content.envelope, key.field, key.text)
  }
}

function membersOf(
  set: SequenceSet,
  { uids, members }: SearchContext,
  isUid: boolean
): ReadonlySet<number> {
  const known = members.get(set)
  if (known !== undefined) return known
  const numbers = isUid ? uids : uids.map((_, index) => index + 1)
  const found = new Set(selectNumbers(set, numbers))
  members.set(set, found)
  return found
}

function isBetween(time: number, { from, before }: { from: number; before: number }): boolean {
  return time >= from && time < before
}

/** The day is that of the sender's zone (RFC 3501 6.4.4: without regard to time and zone). */
function sentDay(content: MessageContent | undefined): number {
  const date = parseMailDate(content?.envelope.date ?? '')
  return date === undefined ? Number.NaN : date.time + date.offsetMinutes * 60_000
}
