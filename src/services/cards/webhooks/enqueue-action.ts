import type { Transaction } from '../../../kernel/database/transaction.ts'
import { presentAction } from '../present/action.ts'
import { presentWebhook } from '../present/webhook.ts'
import { readMember } from '../store/members.ts'
import type { ActionRow } from '../store/rows.ts'
import { watchingWebhooks } from '../store/webhooks.ts'
import { actionBody } from './action-body.ts'
import { enqueueDelivery } from './enqueue.ts'
import { presentWatched } from './watched-model.ts'

/** The action with its model for each webhook that watches something it is about. */
export function* enqueueAction(
  action: Omit<ActionRow, 'number'>,
  data: Readonly<Record<string, unknown>> = {}
): Transaction<void> {
  const webhooks = yield* watchingWebhooks(modelsOf(action, data))
  if (webhooks.length === 0) return
  const author = yield* readMember(action.member)
  const names = { user_name: author?.user_name ?? null, full_name: author?.full_name ?? null }
  for (const webhook of webhooks) {
    const model = yield* presentWatched(webhook)
    if (model === undefined) continue
    const body = actionBody({
      model,
      action: presentAction({ number: 0, ...action, ...names }, webhook.base_url),
      webhook: presentWebhook(webhook)
    })
    yield* enqueueDelivery(webhook, action.id, body, Date.parse(action.created_at), action.board)
  }
}

/** Also the list and the board that a card leaves. */
function modelsOf(
  { board, card, list, member }: Omit<ActionRow, 'number'>,
  { listBefore, boardSource }: Readonly<Record<string, unknown>>
): string[] {
  const ids = [board, member, card, list, idOf(listBefore), idOf(boardSource)]
  return [...new Set(ids.filter((id) => id !== null))]
}

function idOf(reference: unknown): string | null {
  const isObject = typeof reference === 'object' && reference !== null && 'id' in reference
  return isObject && typeof reference.id === 'string' ? reference.id : null
}
