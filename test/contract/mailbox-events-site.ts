import assert from 'node:assert/strict'
import { until } from '../support/delivery-receiver.ts'
import { ADMIN_TOKEN, type NewAccount, type Sandbox } from './mailbox-site.ts'

export interface LoggedEvent {
  id: string
  account: string
  date: string
  event: string
  path?: string
  data: Record<string, unknown> & { subject?: string; queueId?: string }
  delivery: { state: string; attempts?: number; error?: string; webhookId?: string }
}

export interface EventList {
  events: LoggedEvent[]
  nextPageCursor: string | null
}

/** Of the event log; with the admin token unless another one is given. */
export function readLog(
  { json }: Sandbox,
  query: Readonly<Record<string, string>> = {},
  token = ADMIN_TOKEN
): Promise<EventList> {
  return json({ path: `/v1/events?${new URLSearchParams(query)}`, token })
}

/** Waits until the log has so many events, the newest first. */
export async function untilLogged(
  sandbox: Sandbox,
  query: Readonly<Record<string, string>>,
  count = 1
): Promise<LoggedEvent[]> {
  let found: LoggedEvent[] = []
  await until(
    async () => {
      found = (await readLog(sandbox, { pageSize: '250', ...query })).events
      return found.length >= count
    },
    `${count} events: ${JSON.stringify(query)}`
  )
  assert.equal(found.length, count)
  return found
}

/** An account whose mail is reported from now on. */
export async function watchedAccount(sandbox: Sandbox, fields: object = {}): Promise<NewAccount> {
  const added = await sandbox.account(fields)
  const { account } = added
  await untilLogged(sandbox, { account, event: 'accountInitialized' })
  return added
}

export function changeSettings({ json }: Sandbox, body: object, status = 200): Promise<unknown> {
  return json({ method: 'POST', path: '/v1/settings', body, token: ADMIN_TOKEN }, status)
}
