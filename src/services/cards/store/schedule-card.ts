import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { addJob, removeLane } from '../../../kernel/outbox/add-job.ts'
import { ContentInvalid } from '../contract.ts'
import { PUBLISH_JOB } from '../jobs/kinds.ts'
import { canBePublished } from '../records/publication.ts'
import { isTooLate, MAX_PUBLISH_YEARS } from '../records/publish-time.ts'
import type { Editor } from './editor.ts'
import { findCard } from './find.ts'
import { publicationList, publishCard, setSchedule } from './publish-card.ts'
import type { CardRow, ListRow } from './rows.ts'

/** The payload of the job that publishes a card. */
export interface DuePublication {
  readonly card: string
  readonly publishAt: string
}

/**
 * The public sees the card from `publishAt` on, not before: ISO 8601 in UTC. At a time that is past
 * it is published at once. Null ends the schedule, so that the card's list decides again.
 */
export function* scheduleCard(
  idOrLink: string,
  publishAt: string | null,
  editor: Editor
): Transaction<CardRow> {
  const card = yield* findCard(editor.viewer, idOrLink)
  if (publishAt === card.publish_at) return card
  if (publishAt === null) {
    yield* removePublication(card.id)
    return yield* setSchedule(card, null, editor)
  }
  const list = yield* requireSchedulable(card, publishAt, editor)
  if (publishAt > editor.time) {
    const changed = yield* setSchedule(card, publishAt, editor)
    yield* addPublication({ card: card.id, publishAt }, editor.time)
    return changed
  }
  if (card.publish_at !== null) yield* removePublication(card.id)
  return yield* publishCard(card, list, editor)
}

/** The list in which the public will see the card; throws if it cannot be published then. */
export function* requireSchedulable(
  card: CardRow,
  publishAt: string,
  { time }: Editor
): Transaction<ListRow> {
  if (!canBePublished(card)) {
    throw new ContentInvalid('publishAt: archived cards and templates cannot be published')
  }
  if (isTooLate(publishAt, time)) {
    throw new ContentInvalid(`publishAt must be within ${MAX_PUBLISH_YEARS} years`)
  }
  const list = yield* publicationList(card)
  if (list === undefined) {
    throw new ContentInvalid('publishAt: the board has no open list with the role published')
  }
  return list
}

function laneOf(card: string): string {
  return `publish:${card}`
}

/** The card no longer waits for a time. */
export function removePublication(card: string): Transaction<void> {
  return removeLane(laneOf(card))
}

/** The job for a card whose `publish_at` is set, instead of one of another time. */
export function* addPublication(due: DuePublication, time: string): Transaction<void> {
  const { card, publishAt } = due
  const lane = laneOf(card)
  yield* removeLane(lane)
  const job = {
    key: `${lane}:${publishAt}`,
    kind: PUBLISH_JOB,
    lane,
    payload: JSON.stringify(due),
    runAt: Date.parse(publishAt)
  }
  yield* addJob(job, Date.parse(time))
}

/** The card, if it still waits for this time. */
export function* findDue({ card, publishAt }: DuePublication): Transaction<CardRow | undefined> {
  const [row] = yield* query<CardRow>(
    'select * from cards where id = ? and publish_at = ?',
    ...[card, publishAt]
  )
  return row
}

/**
 * What the job does. A card that cannot be public, or whose board has no list for it, is no longer
 * scheduled and stays where it is.
 */
export function* publishDue(
  due: DuePublication,
  editorFor: (member: string) => Editor
): Transaction<void> {
  const card = yield* findDue(due)
  if (card === undefined) return
  const [board] = yield* query<{ owner: string }>(
    'select owner from boards where id = ?',
    card.board
  )
  const editor = editorFor(board?.owner ?? card.creator)
  const list = yield* publicationList(card)
  if (list === undefined) yield* setSchedule(card, null, editor)
  else yield* publishCard(card, list, editor)
}
