import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { arrive, find, list, of, row, type TableRow } from './mailbox-table-row.ts'

interface Moved {
  path: string
  id: string
  uid: number
}

export const changeExamples = {
  changeMessage: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      params: { message: id },
      body: { flags: { add: '\\Flagged', delete: ['\\Seen'] } },
      async check(body) {
        assert.deepEqual(body, { flags: { add: true, delete: true } })
        assert.deepEqual((await find(site, 'INBOX', subject)).flags, ['\\Flagged'])
      }
    }
  }),
  removeMessage: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      params: { message: id },
      async check(body) {
        const { id: message } = await find(site, 'Trash', subject)
        assert.deepEqual(body, { deleted: false, moved: { destination: 'Trash', message } })
        assert.deepEqual(await list(site, 'INBOX', subject), [])
      }
    }
  }),
  moveMessage: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      params: { message: id },
      body: { path: '\\Archive' },
      async check(body: Moved) {
        const found = await find(site, 'Archive', subject)
        assert.deepEqual(body, { path: 'Archive', id: found.id, uid: found.uid })
        await site.json({ path: `${of(site)}/message/${id}` }, 404)
      }
    }
  }),
  changeMessages: row('server', async (site) => {
    const { subject } = await arrive(site)
    return {
      query: { path: 'INBOX' },
      body: { search: { subject }, update: { flags: { set: ['\\Seen', 'urgent'] } } },
      async check(body) {
        assert.deepEqual(body, { flags: { set: true } })
        const { flags } = await find(site, 'INBOX', subject)
        assert.deepEqual(flags.toSorted(), ['\\Seen', 'urgent'])
      }
    }
  }),
  moveMessages: row('server', async (site) => {
    const { id, subject } = await arrive(site)
    return {
      query: { path: 'INBOX' },
      body: { search: { subject }, path: 'Archive' },
      async check(body) {
        const moved = await find(site, 'Archive', subject)
        assert.deepEqual(body, { path: 'Archive', idMap: [[id, moved.id]] })
      }
    }
  }),
  removeMessages: row('server', async (site) => {
    const { subject } = await arrive(site)
    return {
      query: { path: 'INBOX', force: 'true' },
      body: { search: { subject } },
      async check(body) {
        assert.deepEqual(body, { deleted: true })
        assert.deepEqual(await list(site, 'INBOX', subject), [])
        assert.deepEqual(await list(site, 'Trash', subject), [])
      }
    }
  }),
  uploadMessage: row('server', async (site) => {
    const subject = randomUUID()
    return {
      body: {
        ...{ path: '\\Drafts', flags: ['\\Draft'], subject, text: 'Not ready' },
        from: { name: 'Ada', address: 'ada@example.test' },
        to: { address: 'bob@example.test' }
      },
      async check(body) {
        const { id, uid } = await find(site, 'Drafts', subject)
        assert.partialDeepStrictEqual(body, { path: 'Drafts', id, uid })
        const shown = await site.json({ path: `${of(site)}/message/${id}?textType=plain` })
        assert.partialDeepStrictEqual(shown, { draft: true, subject })
      }
    }
  })
} satisfies Record<string, TableRow>
