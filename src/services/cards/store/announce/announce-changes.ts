import { query, type Transaction } from '../../../../kernel/database/transaction.ts'
import { publicationBody } from '../../records/publication-event.ts'
import { enqueueDelivery } from '../../webhooks/enqueue.ts'
import type { BoardRow, WebhookRow } from '../rows.ts'
import { isDue } from './announce-job.ts'
import { readChanges, storeAnnounced } from './announced-cards.ts'

/**
 * Tells the receivers of a board what the public sees since the last time. `eventId` is the same if
 * the job is repeated.
 */
export function* announceChanges(board: string, eventId: string, time: string): Transaction<void> {
  const now = Date.parse(time)
  if (!(yield* isDue(board, now))) return
  const [row] = yield* query<BoardRow>(
    'update boards set announce_since = null where id = ? returning *',
    board
  )
  const webhooks = yield* query<WebhookRow>(
    `select * from webhooks where board = ? and format = 'standard' and active = 1 order by id`,
    board
  )
  if (row === undefined || webhooks.length === 0) return
  const changes = yield* readChanges(board)
  yield* storeAnnounced(board)
  const { id, slug, name, public_revision: revision } = row
  for (const webhook of webhooks) {
    const body = publicationBody(changes, {
      board: { id, slug, name, revision },
      events: JSON.parse(webhook.events),
      baseUrl: webhook.base_url,
      time
    })
    if (body !== undefined) yield* enqueueDelivery(webhook, eventId, body, now)
  }
}

/**
 * After a webhook was added or is active again. If the board has no other active webhook, earlier
 * changes were not announced, and later events refer to what the public sees now.
 */
export function* startAnnouncing(board: string, webhook: string): Transaction<void> {
  const others = yield* query(
    `select 1 as found from webhooks
     where board = ? and format = 'standard' and active = 1 and id <> ? limit 1`,
    ...[board, webhook]
  )
  if (others.length === 0) yield* storeAnnounced(board)
}
