import { setTimeout } from 'node:timers/promises'
import { matches } from '../query/evaluate.ts'
import type { Filter } from '../query/filter.ts'
import { renderRecord, timestamp } from '../records/records.ts'
import { BEGINNING, type Change } from '../store/changes.ts'
import type { BoxStore } from '../store/store.ts'
import { parseQueryCopy } from '../text/query-copy.ts'

/** Whose changes somebody follows, and with which key. */
export interface ChangeFilter {
  readonly box: string
  readonly key: string | undefined
  readonly collection: string | undefined
  readonly filter: Filter | undefined
}

export interface FeedPage {
  readonly entries: readonly FeedEntry[]
  /** Where to go on; 0 as long as there is no such box, as far as this reader may know. */
  readonly next: number
  /** What came after `since` is not all known any more. */
  readonly lost: boolean
  /** Whether there is more to be read at once. */
  readonly more: boolean
  /** Newest change that is written. It may be beyond `next`, while an older one is under way. */
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

/** Records that are in memory at once. */
const GROUP = 16

/** While an older change is under way, so often is looked whether a newer one can be read. */
export const UNSETTLED_MS = 20
/** Transactions last milliseconds; one that hangs must not keep readers for ever. */
const LONGEST_WAIT_MS = 5_000

/** Where a reader stands who wants only what comes from now on. */
export async function findHead(store: BoxStore, { box, key }: ChangeFilter): Promise<number> {
  const look = () => store.look(box, key)
  const first = await look()
  const isRead = (seen: typeof first) => (seen?.head ?? BEGINNING) >= (first?.newest ?? BEGINNING)
  return (await repeatUntil(isRead, look, first))?.head ?? BEGINNING
}

/** The same as `readFeed`, up to the newest change that is written when it is called. */
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
 * What came after `since`; without it, all that is remembered. Access is asked for each time, so that a key that is revoked sees
 * nothing more: for its holder there is no such box from then on.
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
    entries.push(...rendered.filter((entry) => entry !== undefined))
    size = entries.reduce((sum, { text }) => sum + text.length, 0)
    const last = some.at(-1)
    if (size > maxBytes && last !== undefined && at + GROUP < changes.length) {
      return { entries, next: last.seq, lost: false, more: true, newest }
    }
  }
  return { entries, next, lost: false, more: changes.length === limit, newest }
}

/** With the record as it is at this moment; undefined for what is not followed. */
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
  // Whoever follows a filter has to learn of what does not match any more.
  const op = filter !== undefined && !fits ? 'delete' : change.op
  const head = `{"seq":${seq},"op":"${op}","_id":"${id}","at":"${timestamp(at)}"`
  const told = collection === undefined && change.collection !== null
  const where = told ? `,"_collection":${JSON.stringify(change.collection)}` : ''
  if (!fits || op === 'delete') return { seq, text: `${head}${where}}` }
  const text = oneLine(renderRecord(record, collection === undefined))
  return { seq, text: `${head}${where},"record":${text}}` }
}

/** Line breaks stand between tokens only; an event has none. */
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
