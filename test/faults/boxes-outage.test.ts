/** PostgreSQL stopped and started again under load, and a server that is paused. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { start } from '../../src/host/start.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'
import { openRelay } from '../support/tcp-relay.ts'
import { assertKept, openLedger, startLoad } from './boxes-load.ts'

const BOX = 'outage'

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await wait(10)
}

describe('PostgreSQL', () => {
  let server: PostgresServer
  before(async () => {
    const binaries = process.env.NONET_POSTGRES_BIN
    assert.ok(binaries, 'NONET_POSTGRES_BIN is set by npm test')
    server = await createPostgresServer({ binaries, fsync: true })
    await server.start()
  })
  after(() => server.close())

  for (const mode of ['fast', 'immediate'] as const) {
    test(`PostgreSQL stopped (${mode}) and started under load: 503, then service`, {
      timeout: 300_000
    }, async (t) => {
      using folder = temporaryFolder()
      const place = { database: server.url, data: folder.path, console: false }
      await using nonet = await start({ services: ['boxes'], ...place })
      const box = `${BOX}-${mode}`
      const ledger = openLedger()
      const load = startLoad(() => nonet.boxes.url, box, 32, ledger)
      for (let outage = 1; outage <= 2; outage++) {
        const enough = ledger.acknowledged.size + 200
        await until(() => ledger.acknowledged.size > enough)
        const refused = ledger.refused.get(503) ?? 0
        await server.stop(mode)
        await until(() => (ledger.refused.get(503) ?? 0) > refused + 32)
        const read = await fetch(`${nonet.boxes.url}/${box}`)
        assert.equal(read.status, 503)
        assert.ok(Number(read.headers.get('retry-after')) >= 1)
        assert.equal(read.headers.get('access-control-allow-origin'), '*')
        assert.deepEqual(await read.json(), {
          message: 'The database is unavailable; try again',
          code: 'storage_unavailable'
        })
        await server.start()
      }
      const enough = ledger.acknowledged.size + 200
      await until(() => ledger.acknowledged.size > enough)
      await load.stop()
      assert.deepEqual([...ledger.refused.keys()], [503])
      assert.ok(Number(ledger.samples.get(503)?.headers.get('retry-after')) >= 1)
      const stored = await assertKept(nonet.boxes.url, box, ledger)
      t.diagnostic(
        `${ledger.acknowledged.size} acknowledged, ${stored} stored, ${ledger.refused.get(503)} answers 503`
      )
    })
  }
})

test('a server paused while it connects rejects nothing', { timeout: 300_000 }, async () => {
  await using database = await temporaryDatabase()
  const { hostname, port } = new URL(database.url)
  using relay = await openRelay(Number(port), hostname)
  const url = new URL(database.url)
  url.host = `127.0.0.1:${relay.port}`
  url.searchParams.set('connect_timeout', '4')
  using folder = temporaryFolder()
  const place = ['--data', folder.path, '--database', url.href]
  await using nonet = await launchNonet(['boxes', '--no-console', '--quiet', ...place])
  const ledger = openLedger()
  const before = relay.opened.length
  const load = startLoad(() => nonet.ready.services.boxes ?? '', BOX, 64, ledger)
  while (relay.opened.length === before) await wait(1)
  process.kill(nonet.ready.pid, 'SIGSTOP')
  await wait(5_000)
  process.kill(nonet.ready.pid, 'SIGCONT')
  await until(() => ledger.acknowledged.size > 300)
  await load.stop()
  assert.deepEqual([...ledger.refused], [])
})

test('a server paused for longer than the connection timeout rejects nothing', {
  timeout: 300_000
}, async (t) => {
  await using database = await temporaryDatabase()
  using folder = temporaryFolder()
  const place = ['--data', folder.path, '--database', database.url]
  await using nonet = await launchNonet(['boxes', '--no-console', '--quiet', ...place])
  const ledger = openLedger()
  const load = startLoad(() => nonet.ready.services.boxes ?? '', BOX, 64, ledger)
  await until(() => ledger.acknowledged.size > 300)
  process.kill(nonet.ready.pid, 'SIGSTOP')
  await wait(5_500)
  process.kill(nonet.ready.pid, 'SIGCONT')
  const enough = ledger.acknowledged.size + 300
  await until(() => ledger.acknowledged.size > enough)
  await load.stop()
  assert.deepEqual([...ledger.refused], [])
  const stored = await assertKept(nonet.ready.services.boxes ?? '', BOX, ledger)
  t.diagnostic(`${ledger.acknowledged.size} acknowledged, ${stored} stored`)
})
