import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import {
  ATTACHED,
  arrive,
  type Entry,
  letter,
  of,
  row,
  type TableRow
} from './mailbox-table-row.ts'

interface Mailbox {
  path: string
  specialUse?: string
  subscribed: boolean
  status?: { messages: number; unseen: number }
}

interface Page {
  total: number
  page: number
  pages: number
  nextPageCursor: string | null
  prevPageCursor: string | null
  messages: Entry[]
}

export const messageExamples = {
  listMailboxes: row('server', async () => ({
    query: { counters: 'true' },
    check({ mailboxes }: { mailboxes: Mailbox[] }) {
      const [inbox] = mailboxes
      assert.equal(inbox?.path, 'INBOX')
      assert.equal(inbox.specialUse, '\\Inbox')
      assert.equal(typeof inbox.status?.messages, 'number')
      const sent = mailboxes.find(({ path }) => path === 'Sent')
      assert.equal(sent?.specialUse, '\\Sent')
    }
  })),
  addMailbox: row('server', async () => {
    const name = `New ${randomUUID()}`
    return {
      body: { path: [name, 'Größe'] },
      check: (body) => assert.partialDeepStrictEqual(body, { path: `${name}/Größe`, created: true })
    }
  }),
  changeMailbox: row('server', async (site) => {
    const [path, newPath] = [`Old ${randomUUID()}`, `New ${randomUUID()}`]
    await site.json({ method: 'POST', path: `${of(site)}/mailbox`, body: { path } })
    return {
      body: { path, newPath, subscribed: true },
      async check(body) {
        assert.partialDeepStrictEqual(body, { path, newPath, renamed: true })
        const { mailboxes } = await site.json<{ mailboxes: Mailbox[] }>({
          path: `${of(site)}/mailboxes`
        })
        assert.ok(mailboxes.some((mailbox) => mailbox.path === newPath && mailbox.subscribed))
        assert.ok(!mailboxes.some((mailbox) => mailbox.path === path))
      }
    }
  }),
  removeMailbox: row('server', async (site) => {
    const path = `Old ${randomUUID()}`
    await site.json({ method: 'POST', path: `${of(site)}/mailbox`, body: { path } })
    return { query: { path }, check: (body) => assert.deepEqual(body, { path, deleted: true }) }
  }),

  listMessages: row('server', async (site) => {
    await arrive(site)
    const { id, uid, subject } = await arrive(site)
    return {
      query: { path: '\\Inbox', pageSize: '1' },
      check({ total, page, pages, nextPageCursor, prevPageCursor, messages }: Page) {
        assert.ok(total >= 2)
        assert.deepEqual({ page, pages }, { page: 0, pages: total })
        assert.match(nextPageCursor ?? '', /^imap_/)
        assert.equal(prevPageCursor, null)
        assert.equal(messages.length, 1)
        assert.match(id, /^[A-Za-z0-9_-]{11}$/)
        assert.partialDeepStrictEqual(messages[0], {
          ...{ id, uid, subject, unseen: true, flags: [] },
          from: { name: 'Zoe', address: 'zoe@example.test' },
          to: [{ name: 'Ada', address: 'ada@example.test' }],
          messageId: `<${subject}@example.test>`,
          date: '2026-02-03T03:05:06.000Z'
        })
      }
    }
  }),
  search: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    await arrive(site)
    return {
      query: { path: 'INBOX' },
      body: { search: { subject, unseen: true } },
      check({ total, messages }: Page) {
        assert.equal(total, 1)
        assert.deepEqual(
          messages.map((message) => message.id),
          [id]
        )
      }
    }
  }),
  showMessage: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      params: { message: id },
      query: { textType: '*' },
      check: (body) =>
        assert.partialDeepStrictEqual(body, {
          ...{ id, subject, path: 'INBOX', unseen: true },
          headers: { subject: [subject] },
          text: { plain: 'The numbers', html: '<p>The <b>numbers</b></p>', hasMore: false },
          attachments: [{ filename: 'numbers.csv', contentType: 'text/csv' }]
        })
    }
  }),
  showText: row('server', async (site) => {
    const { text } = await arrive(site)
    return {
      params: { text: text.id },
      query: { textType: 'plain', maxBytes: '3' },
      check: (body) => assert.deepEqual(body, { plain: 'The', hasMore: true })
    }
  }),
  downloadAttachment: row('server', async (site) => {
    const { attachments = [] } = await arrive(site)
    return {
      params: { attachment: attachments[0]?.id ?? '' },
      check(_body, { headers, bytes }) {
        assert.deepEqual(bytes, ATTACHED)
        assert.match(headers.get('content-type') ?? '', /^text\/csv/)
        assert.match(
          headers.get('content-disposition') ?? '',
          /^attachment; filename="?numbers\.csv"?/
        )
        assert.match(headers.get('content-security-policy') ?? '', /sandbox/)
      }
    }
  }),
  downloadSource: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      params: { message: id },
      check(source: string, { headers }) {
        assert.match(headers.get('content-type') ?? '', /^message\/rfc822/)
        assert.ok(source.endsWith(letter(subject)), 'servers add fields in front')
      }
    }
  })
} satisfies Record<string, TableRow>
