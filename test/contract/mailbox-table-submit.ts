import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { of, row, type TableRow, type TableSite } from './mailbox-table-row.ts'

interface Queued {
  response: string
  messageId: string
  queueId: string
  sendAt: string
}

const FROM = { name: 'Ada', address: 'ada@example.test' }
/** More than a year is rejected. */
const LATER = new Date(Date.now() + 30 * 86_400_000).toISOString()

/** Queues a message that is not sent during the test. */
function schedule(site: TableSite, subject: string): Promise<Queued> {
  const message = { from: FROM, to: { address: 'bob@example.test' }, subject, text: 'Later' }
  const body = { ...message, sendAt: LATER }
  return site.json({ method: 'POST', path: `${of(site)}/submit`, body })
}

/** Resolves when the SMTP server has received the message. */
async function received(site: TableSite, subject: string): Promise<void> {
  const path = `/v1/sandbox/wait?to=bob@example.test&subject=${subject}&timeout=60`
  const message = await site.json({ path })
  assert.deepEqual(message.from, FROM)
}

function checkQueued({ response, messageId, queueId }: Queued): void {
  assert.equal(response, 'Queued for delivery')
  assert.match(messageId, /^<\S+@\S+>$/)
  assert.match(queueId, /^[0-9a-f]{19}$/)
}

export const submitExamples = {
  submit: row('server', async (site) => {
    const subject = randomUUID()
    return {
      body: { from: FROM, to: [{ address: 'bob@example.test' }], subject, html: '<p>Hello</p>' },
      async check(body: Queued) {
        checkQueued(body)
        await received(site, subject)
      }
    }
  }),
  submitDraft: row('server', async (site) => {
    const subject = randomUUID()
    const { id } = await site.json<{ id: string }>({
      method: 'POST',
      path: `${of(site)}/message`,
      body: {
        ...{ path: 'Drafts', flags: '\\Draft', subject, text: 'Ready', from: FROM },
        to: { address: 'bob@example.test' }
      }
    })
    return {
      params: { message: id },
      body: { copy: false },
      async check(body: Queued) {
        checkQueued(body)
        await received(site, subject)
      }
    }
  }),
  listOutbox: row('store', async (site) => {
    const { queueId } = await schedule(site, randomUUID())
    return {
      query: { pageSize: '1000' },
      check({ messages }: { messages: { queueId: string }[] }) {
        const found = messages.find((entry) => entry.queueId === queueId)
        assert.partialDeepStrictEqual(found, { account: site.account, scheduled: LATER })
      }
    }
  }),
  showQueued: row('store', async (site) => {
    const subject = randomUUID()
    const { queueId, messageId } = await schedule(site, subject)
    return {
      params: { queueId },
      check: (body) =>
        assert.partialDeepStrictEqual(body, {
          ...{ queueId, messageId, subject, account: site.account, source: 'api' },
          envelope: { from: 'ada@example.test', to: ['bob@example.test'] },
          ...{ scheduled: LATER, attemptsMade: 0, progress: { status: 'queued' } }
        })
    }
  }),
  removeQueued: row('store', async (site) => {
    const { queueId } = await schedule(site, randomUUID())
    return {
      params: { queueId },
      async check(body) {
        assert.deepEqual(body, { deleted: true })
        await site.json({ path: `/v1/outbox/${queueId}` }, 404)
      }
    }
  })
} satisfies Record<string, TableRow>
