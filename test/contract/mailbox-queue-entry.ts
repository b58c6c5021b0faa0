import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { ADMIN_TOKEN, type Sandbox } from './mailbox-site.ts'
import type { QueueEntry } from './mailbox-submit-site.ts'

const DEADLINE_MS = 60_000

/** The entry of the outbox as soon as it has this status. */
export async function entryWith(
  { json }: Sandbox,
  queueId: string,
  status: string
): Promise<QueueEntry> {
  const end = Date.now() + DEADLINE_MS
  for (;;) {
    const entry = await json<QueueEntry>({ path: `/v1/outbox/${queueId}`, token: ADMIN_TOKEN })
    if (entry.progress.status === status) return entry
    assert.ok(Date.now() < end, JSON.stringify(entry))
    await wait(50)
  }
}
