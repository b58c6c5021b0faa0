import assert from 'node:assert/strict'
import { row, type TableRow, type TableSite } from './mailbox-table-row.ts'

interface ListedEvent {
  id: string
  event: string
  account: string
}

/** The event of the account's registration. */
async function added({ account, json }: TableSite): Promise<ListedEvent> {
  const path = `/v1/events?account=${account}&event=accountAdded`
  const { events } = await json<{ events: ListedEvent[] }>({ path })
  return events[0] ?? assert.fail()
}

/** Webhooks are on, with a receiver that does not exist. */
async function withReceiver(site: TableSite): Promise<ListedEvent> {
  const body = { webhooksEnabled: true, webhooks: 'http://127.0.0.1:9/' }
  await site.json({ method: 'POST', path: '/v1/settings', body })
  return added(site)
}

async function withoutReceiver({ json }: TableSite): Promise<void> {
  const body = { webhooksEnabled: null, webhooks: null }
  await json({ method: 'POST', path: '/v1/settings', body })
}

export const eventExamples = {
  // Its response does not end.
  changes: row('stream', async () => ({ check: () => {} })),
  listEvents: row('store', async (site) => ({
    query: { event: 'accountAdded', pageSize: '10' },
    check({ events, nextPageCursor }: { events: ListedEvent[]; nextPageCursor: null }) {
      assert.equal(nextPageCursor, null)
      assert.partialDeepStrictEqual(events, [{ event: 'accountAdded', account: site.account }])
    }
  })),
  showEvent: row('store', async (site) => {
    const { id } = await added(site)
    return {
      params: { event: id },
      check: (body) => assert.partialDeepStrictEqual(body, { id, data: { account: site.account } })
    }
  }),
  replayEvent: row('store', async (site) => {
    const { id } = await withReceiver(site)
    return {
      params: { event: id },
      async check(body) {
        assert.deepEqual(body, { id, queued: true })
        await withoutReceiver(site)
      }
    }
  }),
  replayEvents: row('store', async (site) => {
    await withReceiver(site)
    return {
      body: { since: '2026-01-01T00:00:00Z', event: 'mailboxReset,messageMissing' },
      async check(body) {
        assert.deepEqual(body, { queued: 0, nextPageCursor: null })
        await withoutReceiver(site)
      }
    }
  })
} satisfies Record<string, TableRow>
