/** Two nonet processes on one PostgreSQL. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { runPool } from '../support/pool.ts'

/** More would exceed a time-out of the server or the database while the machine is throttled. */
const AT_ONCE = 40

describe('two processes on one PostgreSQL', { timeout: 300_000 }, () => {
  const folders = [temporaryFolder(), temporaryFolder()]
  let database: Awaited<ReturnType<typeof temporaryDatabase>>
  let processes: Launched[]
  let urls: string[]
  before(async () => {
    database = await temporaryDatabase()
    processes = await Promise.all(
      folders.map(({ path }) =>
        launchNonet(['boxes', '--quiet', '--data', path, '--database', database.url])
      )
    )
    urls = processes.map(({ ready }) => ready.services.boxes ?? '')
  })
  after(async () => {
    await Promise.all(processes.map((one) => one.end()))
    await database[Symbol.asyncDispose]()
    for (const folder of folders) folder[Symbol.dispose]()
  })

  function post(process: number, box: string, key?: string, body = '{}'): Promise<Response> {
    const headers = key === undefined ? {} : { 'x-api-key': key }
    return fetch(`${urls[process]}/${box}`, { method: 'POST', body, headers })
  }

  async function statuses(answers: Promise<Response>[]): Promise<number[]> {
    return (await Promise.all(answers)).map(({ status }) => status)
  }

  async function sendAll(
    bodies: readonly string[],
    send: (body: string, n: number) => Promise<Response>
  ) {
    const seen = new Set<number>()
    await runPool([...bodies.entries()], AT_ONCE, async ([n, body]) => {
      const response = await send(body, n)
      await response.text()
      seen.add(response.status)
    })
    assert.deepEqual([...seen], [200])
  }

  test('of two keys that claim a box at once, one holds it in both processes', async () => {
    for (let round = 0; round < 40; round++) {
      const box = `claimed-${round}`
      const keys = [randomUUID(), randomUUID()] as const
      const claims = await statuses([post(0, box, keys[0]), post(1, box, keys[1])])
      assert.deepEqual(claims.toSorted(), [200, 401], box)
      const [owner, loser] = claims[0] === 200 ? keys : keys.toReversed()
      const open = await statuses([post(0, box, owner), post(1, box, owner)])
      assert.deepEqual(open, [200, 200])
      const shut = await statuses([
        ...[post(0, box, loser), post(1, box, loser)],
        ...[post(0, box), post(1, box)]
      ])
      assert.deepEqual(shut, [401, 401, 401, 401])
    }
  })

  test('a box is public or protected for both, whoever came first', async () => {
    for (let round = 0; round < 40; round++) {
      const box = `mixed-${round}`
      const key = randomUUID()
      const [open] = await statuses([post(0, box), post(1, box, key)])
      const later = await statuses([post(0, box), post(1, box), post(0, box, key)])
      assert.deepEqual(later, open === 200 ? [200, 200, 200] : [401, 401, 200], box)
    }
  })

  test('every update counts, and the last one stands', async () => {
    const { _id } = (await (await post(0, 'updated')).json()) as { _id: string }
    const bodies = Array.from({ length: 200 }, (_, n) => `{"n":${n}}`)
    await sendAll(bodies, (body, n) =>
      fetch(`${urls[n % 2]}/updated/${_id}`, { method: 'PUT', body })
    )
    const seen = await Promise.all(urls.map((url) => fetch(`${url}/updated/${_id}`)))
    assert.deepEqual(
      seen.map(({ headers }) => headers.get('etag')),
      ['"201"', '"201"']
    )
    const [one, other] = await Promise.all(seen.map((answer) => answer.text()))
    assert.equal(one, other)
    assert.ok(bodies.some((body) => one?.includes(body.slice(1, -1))))
  })

  test('a record is deleted once', async () => {
    const { _id } = (await (await post(0, 'deleted')).json()) as { _id: string }
    const answers = await statuses(
      [0, 1, 0, 1].map((n) => fetch(`${urls[n]}/deleted/${_id}`, { method: 'DELETE' }))
    )
    assert.deepEqual(answers.toSorted(), [200, 400, 400, 400])
  })

  test('ids and records of both meet in one list', async () => {
    const bodies = Array.from({ length: 300 }, (_, n) => `{"n":${n}}`)
    await sendAll(bodies, (body, n) => post(n % 2, 'shared', undefined, body))
    for (const url of urls) {
      const list = await (await fetch(`${url}/shared?limit=0`)).json()
      assert.equal(new Set(list.map(({ _id }: { _id: string }) => _id)).size, 300)
    }
  })

  test('a reset through one process does not mislead the other', async () => {
    for (const n of [0, 1]) assert.equal((await post(n, 'reset')).status, 200)
    const { console, token } = processes[0]?.ready ?? {}
    const reset = await fetch(`${console}/reset`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` }
    })
    assert.ok(reset.ok, await reset.text())
    const key = randomUUID()
    assert.equal((await post(0, 'reset', key)).status, 200)
    assert.equal((await post(1, 'reset')).status, 401)
    assert.equal((await post(1, 'reset', key)).status, 200)
  })
})
