/**
 * A kill in the middle of changes and deliveries, on every engine: each change that was
 * acknowledged is delivered, always with the same bytes, and first deliveries are in order.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type CardsJson, type Site, siteOf } from '../contract/cards-site.ts'
import { openReceiver, type ReceivedDelivery, until } from '../support/delivery-receiver.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'

const ROUNDS = EFFORT
const DELIVERED_PER_ROUND = 30
/** The job that the killed process ran waits for the end of its lease, up to 20 s. */
const DEADLINE_MS = 120_000

function talkTo({ ready }: Launched): Site {
  const { services, console, token } = ready
  return siteOf({
    cards: { url: services.cards ?? '', ports: {} },
    console: { url: console ?? '', token }
  })
}

const idOf = ({ body }: ReceivedDelivery): string => JSON.parse(body).action.id

// Both wait for a lease.
describe('every engine', { concurrency: true }, () => {
  for (const engine of ENGINES) {
    describe(`kills while webhooks are delivered, on ${engine}`, { timeout: 300_000 }, () => {
      test('lose no delivery and change none', async (t) => {
        using folder = temporaryFolder()
        await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
        await using receiver = await openReceiver()
        const storage = database === undefined ? [] : ['--database', database.url]
        const launch = () => launchNonet(['cards', '--quiet', '--data', folder.path, ...storage])
        const received = () => receiver.received('/hook')
        const acknowledged: string[] = []
        let token = ''
        let board = ''
        let list = ''

        async function prepare(site: Site): Promise<void> {
          token = await site.member('ada')
          const add = (path: string, body: object): Promise<CardsJson> =>
            site.json(path, { method: 'POST', token, body })
          board = (await add('/boards', { name: 'Projects', defaultLists: false })).id
          list = (await add('/lists', { name: 'Published', idBoard: board })).id
          await add('/webhooks', { idModel: board, callbackURL: `${receiver.url}/hook` })
        }

        for (let round = 0; round < ROUNDS; round++) {
          await using nonet = await launch()
          const site = talkTo(nonet)
          if (round === 0) await prepare(site)
          const target = received().length + DELIVERED_PER_ROUND
          let isRunning = true
          const writing = (async () => {
            for (let number = 0; isRunning; number++) {
              const body = { name: `${round}-${number}`, idList: list }
              const request = { method: 'POST', token, body }
              const card = await site.json('/cards', request).catch(() => undefined)
              if (card !== undefined) acknowledged.push(card.id)
            }
          })()
          try {
            await until(() => received().length >= target, 'deliveries', DEADLINE_MS)
          } finally {
            await nonet.end('SIGKILL')
            isRunning = false
            await writing
          }
        }

        await using nonet = await launch()
        const actions: CardsJson[] = await talkTo(nonet).json(
          `/boards/${board}/actions?filter=createCard&limit=1000`,
          { token }
        )
        const stored = new Set(actions.map(({ data }) => data.card.id))
        assert.ok(acknowledged.every((card) => stored.has(card)))
        const expected = actions.map(({ id }) => id).toReversed()
        await until(
          () => new Set(received().map(idOf)).size >= expected.length,
          'all deliveries',
          DEADLINE_MS
        )
        assert.deepEqual([...new Set(received().map(idOf))], expected)
        for (const [id, same] of Map.groupBy(received(), idOf)) {
          assert.equal(new Set(same.map(({ body }) => body)).size, 1, `${id} has other bytes`)
        }
        t.diagnostic(`${expected.length} changes, ${received().length} deliveries`)
      })
    })
  }
})
