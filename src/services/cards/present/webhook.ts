import type { WebhookRow } from '../store/rows.ts'

/** A webhook of Trello's API; those of publication have `events` too. Never with its secret. */
export function presentWebhook(webhook: WebhookRow): Record<string, unknown> {
  return {
    id: webhook.id,
    description: webhook.description,
    idModel: webhook.model,
    callbackURL: webhook.callback_url,
    active: webhook.active === 1,
    consecutiveFailures: webhook.consecutive_failures,
    firstConsecutiveFailDate: webhook.first_failure_at,
    ...(webhook.format === 'standard' && { events: JSON.parse(webhook.events) })
  }
}
