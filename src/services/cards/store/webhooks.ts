import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { removeLane } from '../../../kernel/outbox/add-job.ts'
import { LimitReached, ObjectUnknown, WebhookExists } from '../contract.ts'
import { webhookLane } from '../records/webhook-lane.ts'
import { requireId } from './find.ts'
import type { WebhookRow } from './rows.ts'
import type { Condition } from './visible.ts'

/** Of one token. */
const MAX_WEBHOOKS = 50
/** A webhook is disabled after so many failed deliveries in a row, the first so long ago. */
const DISABLED_AFTER = 1_000
const DISABLED_AFTER_MS = 30 * 24 * 3_600_000
/** Ids of models in one statement. */
const MODELS = 6

/** Those of the token, in the order of their creation. */
export function listWebhooks(token: string): Transaction<readonly WebhookRow[]> {
  return query<WebhookRow>('select * from webhooks where token = ? order by id', token)
}

/** Webhooks of other tokens are unknown. */
export function* findWebhook(token: string, id: string): Transaction<WebhookRow> {
  const webhook = yield* readWebhook(requireId(id))
  if (webhook?.token !== token) throw new ObjectUnknown()
  return webhook
}

export function* readWebhook(id: string): Transaction<WebhookRow | undefined> {
  const [row] = yield* query<WebhookRow>('select * from webhooks where id = ?', id)
  return row
}

/** Throws if there is another webhook of the token for the same model and URL. */
export function* checkUnique(
  webhook: Pick<WebhookRow, 'id' | 'token' | 'model' | 'callback_url'>
): Transaction<readonly WebhookRow[]> {
  const all = yield* listWebhooks(webhook.token)
  const isTaken = all.some(
    ({ id, model, callback_url: url }) =>
      id !== webhook.id && model === webhook.model && url === webhook.callback_url
  )
  if (isTaken) throw new WebhookExists()
  return all
}

/** Throws if the token may not have another one. */
export function* checkNewWebhook(
  webhook: Pick<WebhookRow, 'id' | 'token' | 'model' | 'callback_url'>
): Transaction<void> {
  const all = yield* checkUnique(webhook)
  if (all.length >= MAX_WEBHOOKS) {
    throw new LimitReached(`A token can have at most ${MAX_WEBHOOKS} webhooks`)
  }
}

export function* addWebhook(webhook: WebhookRow): Transaction<void> {
  yield* checkNewWebhook(webhook)
  yield* insertRow('webhooks', { ...webhook })
}

/** What waits for a webhook that is not active any more is removed. */
export function* updateWebhook(webhook: WebhookRow): Transaction<void> {
  yield* checkUnique(webhook)
  yield* query(
    `update webhooks set board = ?, model = ?, model_type = ?, description = ?, callback_url = ?,
       is_forwarded = ?, active = ?, events = ?, consecutive_failures = ?, first_failure_at = ?
     where id = ?`,
    ...[webhook.board, webhook.model, webhook.model_type, webhook.description],
    ...[webhook.callback_url, webhook.is_forwarded, webhook.active, webhook.events],
    ...[webhook.consecutive_failures, webhook.first_failure_at, webhook.id]
  )
  if (webhook.active === 0) yield* removeLane(webhookLane(webhook.id))
}

/** With what waits for it. */
export function* removeWebhook(id: string): Transaction<void> {
  yield* removeLane(webhookLane(id))
  yield* query('delete from webhooks where id = ?', id)
}

function* removeWhere({ sql, args }: Condition): Transaction<void> {
  const rows = yield* query<{ id: string }>(`select id from webhooks where ${sql}`, ...args)
  for (const { id } of rows) yield* removeWebhook(id)
}

export function removeWebhooksOfToken(token: string): Transaction<void> {
  return removeWhere({ sql: 'token = ?', args: [token] })
}

/** Of a card that is deleted. */
export function removeWebhooksOfCard(card: string): Transaction<void> {
  return removeWhere({ sql: 'model = ?', args: [card] })
}

/** Of a board that is deleted, and of its lists and cards, which are still there. */
export function removeWebhooksOfBoard(board: string): Transaction<void> {
  return removeWhere({
    sql: `model = ? or model in (select id from lists where board = ?)
       or model in (select id from cards where board = ?)`,
    args: [board, board, board]
  })
}

/** Active ones in the format of Trello, for any of up to six models. */
export function watchingWebhooks(models: readonly string[]): Transaction<readonly WebhookRow[]> {
  const marks = Array.from({ length: MODELS }, () => '?').join(', ')
  const ids = Array.from({ length: MODELS }, (_, index) => models[index] ?? '')
  return query<WebhookRow>(
    `select * from webhooks where model in (${marks}) and active = 1 and format = 'trello'
     order by id`,
    ...ids
  )
}

export function* noteDelivered(id: string): Transaction<void> {
  yield* query(
    'update webhooks set consecutive_failures = 0, first_failure_at = null where id = ?',
    id
  )
}

/** Disables the webhook if it has failed too long. */
export function* noteFailed(id: string, now: Date): Transaction<void> {
  const time = now.toISOString()
  const limit = new Date(now.getTime() - DISABLED_AFTER_MS).toISOString()
  yield* query(
    `update webhooks set consecutive_failures = consecutive_failures + 1,
       first_failure_at = coalesce(first_failure_at, ?),
       active = case when consecutive_failures + 1 >= ${DISABLED_AFTER} and first_failure_at <= ?
         then 0 else active end
     where id = ?`,
    ...[time, limit, id]
  )
}

/** By the service; the owner can activate it again. */
export function* disableWebhook(id: string): Transaction<void> {
  yield* query('update webhooks set active = 0 where id = ?', id)
}
