import { setTimeout } from 'node:timers/promises'
import { isoTime } from '../../../kernel/iso-time.ts'
import { matches } from '../query/evaluate.ts'
import type { Filter } from '../query/filter.ts'
import { renderRecord } from '../records/records.ts'
import { BEGINNING, type Change } from '../store/changes.ts'
import type { BoxStore } from '../store/store.ts'
import { parseQueryCopy } from '../text/query-copy.ts'

/** The changes that a client follows, and the key it sent. */
export interface ChangeFilter {
  readonly box: string
  readonly key: string | undefined
  readonly collection: string | undefined
  readonly filter: Filter | undefined
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[]
  /** Position to continue from; 0 if the box is unknown or the client may not read it. */
  readonly next: number
  /** The changes after `since` are incomplete, because some have been discarded. */
  readonly lost: boolean
  /** Whether further changes can be read immediately. */
  readonly more: boolean
  /** Newest committed change. It may be beyond `next` while an older one is not yet committed. */
  readonly newest: number
}

export interface FeedEntry {
  readonly seq: number
  /** JSON on one line. */
  readonly text: string
}

const NOTHING: FeedPage = {
  entries: [],
  next: BEGINNING,
  lost: false,
  more: false,
  newest: BEGINNING
}

/** Maximum number of records in memory at once. */
const GROUP = 16

/** Polling interval while an older change is not yet committed. */
export const UNSETTLED_MS = 20
/** Maximum wait for an uncommitted change; transactions usually last milliseconds. */
const LONGEST_WAIT_MS = 5_000

/** The current position: clients that start here receive only later changes. */
export async function findHead(store: BoxStore, { box, key }: ChangeFilter): Promise<number> {
  const look = () => store.look(box, key)
  const first = await look()
  const isRead = (seen: typeof first) => (seen?.head ?? BEGINNING) >= (first?.newest ?? BEGINNING)
  return (await repeatUntil(isRead, look, first))?.head ?? BEGINNING
}

/** Repeats `readFeed` until it includes the newest change committed before the call. */
export async function readWrittenFeed(...asked: Parameters<typeof readFeed>): Promise<FeedPage> {
  const first = await readFeed(...asked)
  const isRead = (page: FeedPage) => page.next >= first.newest || page.more || page.lost
  return repeatUntil(isRead, () => readFeed(...asked), first)
}

async function repeatUntil<T>(
  isDone: (value: T) => boolean,
  read: () => Promise<T>,
  first: T
): Promise<T> {
  const deadline = performance.now() + LONGEST_WAIT_MS
  let value = first
  while (!isDone(value) && performance.now() < deadline) {
    await setTimeout(UNSETTLED_MS)
    value = await read()
  }
  return value
}

/**
 * The changes after `since`, or all stored changes if it is undefined. Access is checked on each
 * call: after its key is revoked, a client reads a private box as if it did not exist.
 */
export async function readFeed(
  store: BoxStore,
  subject: ChangeFilter,
  since: number | undefined,
  limit: number,
  maxBytes: number
): Promise<FeedPage> {
  const seen = await store.look(subject.box, subject.key)
  const from = since ?? BEGINNING
  if (seen === undefined) return { ...NOTHING, lost: from > BEGINNING }
  const { pk, head, newest, horizon } = seen
  const { changes, next, forgotten } = await store.readChanges(pk, since, limit, horizon)
  if (forgotten || from > newest) return { ...NOTHING, next: head, lost: true }
  const entries: FeedEntry[] = []
  let size = 0
  for (let at = 0; at < changes.length; at += GROUP) {
    const some = changes.slice(at, at + GROUP)
    const rendered = await Promise.all(
      some.map((change) => renderChange(store, subject, pk, change))
    )
    for (const [index, entry] of rendered.entries()) {
      if (entry === undefined) continue
      entries.push(entry)
      size += entry.text.length
      const isLast = at + index === changes.length - 1
      if (size > maxBytes && !isLast) {
        return { entries, next: entry.seq, lost: false, more: true, newest }
      }
    }
  }
  return { entries, next, lost: false, more: changes.length === limit, newest }
}

/** The change with the current record; undefined if it is in another collection. */
async function renderChange(
  store: BoxStore,
  { collection, filter }: ChangeFilter,
  box: number,
  change: Change
): Promise<FeedEntry | undefined> {
  if (collection !== undefined && change.collection !== collection) return undefined
  const { seq, id, at } = change
  const record = change.op === 'delete' ? undefined : await store.findIn(box, id)
  const isHere = collection === undefined || record?.collection === collection
  const fits =
    record !== undefined && isHere && (filter === undefined || matchesRecord(filter, record))
  // A record that does not match the filter any more is reported as deleted.
  const op = filter !== undefined && !fits ? 'delete' : change.op
  const head = `{"seq":${seq},"op":"${op}","_id":"${id}","at":"${isoTime(at)}"`
  const told = collection === undefined && change.collection !== null
  const where = told ? `,"_collection":${JSON.stringify(change.collection)}` : ''
  if (!fits || op === 'delete') return { seq, text: `${head}${where}}` }
  const text = oneLine(renderRecord(record, collection === undefined))
  return { seq, text: `${head}${where},"record":${text}}` }
}

/** Replaces line breaks, which are only between tokens; an event must not have any. */
function oneLine(text: string): string {
  return text.replace(/[\r\n]/g, ' ')
}

type Found = NonNullable<Awaited<ReturnType<BoxStore['findIn']>>>

function matchesRecord(filter: Filter, record: Found): boolean {
  return matches(filter, {
    pk: 0,
    id: record.id,
    collection: record.collection,
    createdMs: record.created,
    updatedMs: record.updated,
    doc: parseQueryCopy(record.raw)
  })
}
