import type { MessageContent, StoredMessage } from '../../mail-store.ts'
import { type FetchItem, needsContent } from '../fetch/items.ts'
import { scanFetchItems } from '../fetch/parse-items.ts'
import { writeMessage } from '../fetch/write-message.ts'
import { numbersOf, selectUids } from '../session/message-set.ts'
import {
  type Command,
  EXPUNGED,
  type SelectedMailbox,
  type Session,
  selectedOf
} from '../session/session.ts'
import { syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import { formatNumbers, type SequenceSet, selectNumbers } from '../wire/sequence-set.ts'

/** Messages whose contents are in memory at a time. */
const BATCH = 100

interface FetchModifiers {
  readonly changedSince: number | undefined
  readonly tellsVanished: boolean
}

export const fetch: Command = {
  state: 'selected',
  hasUidForm: true,
  keepsNumbers: true,
  async run(session, { scanner, isUid }) {
    scanner.space()
    const set = scanner.sequenceSet()
    scanner.space()
    const items = scanFetchItems(scanner, session.server.extensions)
    const modifiers = scanModifiers(session, scanner, isUid)
    const selected = selectedOf(session)
    const uids = selectUids(selected, set, isUid)
    const wanted = withImplied(session, items, isUid, modifiers.changedSince !== undefined)
    const { changedSince } = modifiers
    if (changedSince !== undefined && modifiers.tellsVanished) {
      await tellVanished(session, selected, set, changedSince)
    }
    const isComplete = await fetchMessages(session, uids, wanted, changedSince)
    return isComplete ? { text: 'Fetch completed.' } : EXPUNGED
  }
}

/** MODSEQ and CHANGEDSINCE enable CONDSTORE (RFC 7162 3.1). */
function withImplied(
  session: Session,
  items: readonly FetchItem[],
  isUid: boolean,
  isConditional: boolean
): readonly FetchItem[] {
  const kinds = new Set(items.map(({ kind }) => kind))
  if (kinds.has('MODSEQ') || isConditional) session.enabled.add('CONDSTORE')
  return [
    ...(isUid && !kinds.has('UID') ? [{ kind: 'UID' } as const] : []),
    ...items,
    ...(isConditional && !kinds.has('MODSEQ') ? [{ kind: 'MODSEQ' } as const] : [])
  ]
}

function scanModifiers(session: Session, scanner: Scanner, isUid: boolean): FetchModifiers {
  let changedSince: number | undefined
  let tellsVanished = false
  const { extensions } = session.server
  if (scanner.skip(' ')) {
    scanner.list(() => {
      const name = scanner.keyword()
      if (name === 'CHANGEDSINCE' && extensions.has('CONDSTORE')) {
        scanner.space()
        changedSince = scanner.number()
      } else if (name === 'VANISHED' && isUid && session.enabled.has('QRESYNC')) {
        tellsVanished = true
      } else throw syntaxError(`Unknown FETCH modifier ${name}`)
    })
  }
  scanner.end()
  if (tellsVanished && changedSince === undefined) {
    throw syntaxError('VANISHED used without CHANGEDSINCE')
  }
  return { changedSince, tellsVanished }
}

async function tellVanished(
  session: Session,
  { id, uids, lastUid }: SelectedMailbox,
  set: SequenceSet,
  modseq: number
): Promise<void> {
  const { expunged } = await session.server.context.store.changesSince(id, modseq)
  const existing = new Set(uids)
  const gone = expunged.filter((uid) => uid <= lastUid && !existing.has(uid))
  const sorted = gone.toSorted((left, right) => left - right)
  const vanished = selectNumbers(set, sorted)
  if (vanished.length > 0) session.output.line(`* VANISHED (EARLIER) ${formatNumbers(vanished)}`)
}

/** False if some of the messages do not exist any more. */
export async function fetchMessages(
  session: Session,
  uids: readonly number[],
  items: readonly FetchItem[],
  changedSince = 0
): Promise<boolean> {
  const selected = selectedOf(session)
  const numbers = numbersOf(selected)
  let isComplete = true
  for (let at = 0; at < uids.length; at += BATCH) {
    const found = uids.slice(at, at + BATCH).map((uid) => selected.snapshot.messages.get(uid))
    const messages = found.filter((message) => message !== undefined)
    if (messages.length < found.length) isComplete = false
    const changed = messages.filter(({ modseq }) => modseq > changedSince)
    await fetchBatch(session, changed, numbers, items)
    if (session.socket.destroyed) break
  }
  return isComplete
}

async function fetchBatch(
  session: Session,
  messages: readonly StoredMessage[],
  numbers: ReadonlyMap<number, number>,
  items: readonly FetchItem[]
): Promise<void> {
  if (messages.length === 0) return
  const { kernel } = session.server.context
  const seen = await markSeen(session, messages, items)
  const contents = await readContents(session, messages, items)
  for (const before of messages) {
    const message = seen.get(before.uid) ?? before
    const number = numbers.get(message.uid) ?? 0
    const shown = message === before ? items : withFlags(session, items)
    const content = contents.get(message.content)
    await writeMessage(session.output, kernel.files, { number, message, content }, shown)
    await session.output.ready()
    if (session.socket.destroyed) return
  }
}

async function readContents(
  session: Session,
  messages: readonly StoredMessage[],
  items: readonly FetchItem[]
): Promise<ReadonlyMap<string, MessageContent>> {
  if (!items.some(needsContent)) return new Map()
  const ids = new Set(messages.map(({ content }) => content))
  return session.server.context.store.readContents([...ids])
}

/** Sets \Seen where an item does so; resolves to the changed messages by UID. */
async function markSeen(
  session: Session,
  messages: readonly StoredMessage[],
  items: readonly FetchItem[]
): Promise<ReadonlyMap<number, StoredMessage>> {
  const selected = selectedOf(session)
  const setsSeen = items.some((item) => item.kind === 'section' && item.setsSeen)
  if (!setsSeen || selected.isReadOnly) return new Map()
  const uids = messages.filter(({ flags }) => !flags.includes('\\Seen')).map(({ uid }) => uid)
  if (uids.length === 0) return new Map()
  const { store } = session.server.context
  const { stored } = await store.storeFlags(selected.id, uids, 'add', ['\\Seen'])
  for (const { uid, modseq } of stored) selected.told.set(uid, modseq)
  return new Map(stored.map((message) => [message.uid, message]))
}

/** The response tells flags that the command itself has changed; RFC 7162 3.2.4: with the UID. */
function withFlags({ enabled }: Session, items: readonly FetchItem[]): readonly FetchItem[] {
  const kinds = new Set(items.map(({ kind }) => kind))
  return [
    ...(enabled.has('QRESYNC') && !kinds.has('UID') ? [{ kind: 'UID' } as const] : []),
    ...items,
    ...(kinds.has('FLAGS') ? [] : [{ kind: 'FLAGS' } as const]),
    ...(enabled.has('CONDSTORE') && !kinds.has('MODSEQ') ? [{ kind: 'MODSEQ' } as const] : [])
  ]
}
