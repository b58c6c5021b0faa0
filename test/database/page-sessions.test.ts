import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { createPageSessions, SESSION_LIMITS } from '../../src/kernel/page-session.ts'
import { createStoredSessions, SESSION_MIGRATION } from '../../src/kernel/session-table.ts'
import { ENGINES, type TemporaryPlace, temporaryPlace } from '../support/engines.ts'

const { idleMs, linkLifetimeMs, maximum } = SESSION_LIMITS

for (const engine of ENGINES) {
  describe(`page sessions in tables, ${engine}`, () => {
    let location: TemporaryPlace
    let database: Database
    let time = Date.parse('2030-01-02T03:04:05Z')
    before(async () => {
      location = temporaryPlace(engine)
      database = await openDatabase(location, {
        service: 'things',
        migrations: [SESSION_MIGRATION]
      })
    })
    after(async () => {
      await database.close()
      await location[Symbol.asyncDispose]()
    })

    const openSessions = (service = 'things') =>
      createPageSessions({
        service,
        store: createStoredSessions(database),
        verify: () => undefined,
        now: () => new Date(time)
      })
    const codeOf = (link: string) => new URL(link).searchParams.get('signin') ?? ''
    const countRows = async () => {
      const sql = 'select count(*) as count from page_session'
      const [row] = await database.read(() => query<{ count: number }>(sql))
      return row?.count
    }

    test('a session is found by every process, until it ends', async () => {
      const session = await openSessions().open('ada')
      assert.deepEqual(await openSessions().find([session.secret]), session)
      assert.equal(await openSessions('parts').find([session.secret]), undefined)
      await openSessions().end(session)
      assert.equal(await openSessions().find([session.secret]), undefined)
    })

    test('the secret is not stored', async () => {
      const { secret } = await openSessions().open('ada')
      const rows = await database.read(() => query('select * from page_session'))
      assert.ok(rows.length > 0)
      assert.ok(!JSON.stringify(rows).includes(secret))
    })

    test('use keeps a session, and expired ones are removed with the next sign-in', async () => {
      const sessions = openSessions()
      const used = await sessions.open('ada')
      const unused = await sessions.open('ada')
      time += idleMs / 2
      assert.ok(await sessions.find([used.secret]))
      time += idleMs / 2
      assert.ok(await sessions.find([used.secret]))
      assert.equal(await sessions.find([unused.secret]), undefined)
      await sessions.open('ada')
      assert.equal(await countRows(), 2)
    })

    test('the number of sessions is bounded', async () => {
      const sessions = openSessions()
      const first = await sessions.open('ada')
      time += 60_000
      const second = await sessions.open('ada')
      time += 60_000
      assert.ok(await sessions.find([first.secret]))
      for (let count = 1; count < maximum; count++) await sessions.open('ada')
      assert.ok(await sessions.find([first.secret]))
      assert.equal(await sessions.find([second.secret]), undefined)
      assert.equal(await countRows(), maximum)
    })

    test('of several uses of a link at the same time one signs in', async () => {
      const sessions = openSessions()
      const code = codeOf(await sessions.createLink('http://here:1/', 'ada'))
      const uses = await Promise.all(Array.from({ length: 5 }, () => openSessions().useLink(code)))
      assert.equal(uses.filter((account) => account === 'ada').length, 1)
      const late = codeOf(await sessions.createLink('http://here:1/', 'ada'))
      time += linkLifetimeMs
      assert.equal(await sessions.useLink(late), undefined)
    })
  })
}
