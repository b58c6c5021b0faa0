/**
 * Many workspaces at once: each writes, counts, registers and reads, all interleaved, and each
 * must come out as if it had been alone. On SQLite, on PostgreSQL, and with two processes on one
 * PostgreSQL whose calls alternate.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Agent, setGlobalDispatcher } from 'undici'
import { start } from '../../src/host/start.ts'
import { talkTo } from '../contract/scenarios-scene.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, engineOptions, temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'

/** More than the connections of the client, which are all in use. */
const WORKSPACES = EFFORT > 1 ? 200 : 40
const WRITES = 3 * EFFORT
const CALLS = 6
const CONNECTIONS = EFFORT > 1 ? 64 : 32
const FAIL_FIRST = 4

// Thousands of connections at once would measure the client; keep-alive races are not ours.
setGlobalDispatcher(new Agent({ connections: CONNECTIONS, keepAliveTimeout: 2000 }))

type Ask = (
  request: string,
  body?: unknown,
  headers?: object
) => Promise<{ status: number; text: string }>

/** Each call goes to the next of the addresses. */
function alternate(urls: readonly string[]): Ask {
  const talks = urls.map(talkTo)
  let turn = 0
  return (request, body, headers) => {
    const talk = talks[turn++ % talks.length] ?? assert.fail()
    return talk.ask(request, body, { ...headers })
  }
}

async function expect<T>(answer: Promise<{ status: number; text: string }>): Promise<T> {
  const { status, text } = await answer
  assert.ok(status < 300, `${status} ${text}`)
  return JSON.parse(text)
}

interface Listed {
  total: number
  data: { id: number; owner?: string }[]
}

/** The whole life of one workspace; throws when anything of another one shows. */
async function live(ask: Ask, ws: string): Promise<void> {
  const place = `/w/${ws}/api`
  // Writes of one workspace at once, so that their numbers are given under contention.
  const created = await Promise.all(
    Array.from({ length: WRITES }, (_, n) =>
      expect<{ id: string }>(ask(`POST ${place}/users`, { owner: ws, n }))
    )
  )
  const numbers = created.map(({ id }) => Number(id)).sort((a, b) => a - b)
  assert.deepEqual(
    numbers,
    Array.from({ length: WRITES }, (_, n) => 13 + n),
    `${ws}: every number once`
  )
  const statuses = await Promise.all(
    Array.from({ length: CALLS }, async () => {
      const { status } = await ask(`GET ${place}/users?scenario=fail-first:${FAIL_FIRST}`)
      return status
    })
  )
  assert.equal(
    statuses.filter((status) => status === 503).length,
    FAIL_FIRST,
    `${ws}: counted exactly`
  )
  const person = { email: 'same@example.org', password: ws }
  const { id, token } = await expect<{ id: number; token: string }>(
    ask(`POST ${place}/register`, person)
  )
  assert.equal(id, 13 + WRITES)
  const me = await expect<{ data: { id: number } }>(
    ask(`GET ${place}/me`, undefined, { authorization: `Bearer ${token}` })
  )
  assert.equal(me.data.id, id)
  await ask(`DELETE ${place}/users/1`)
  const pages = Math.ceil((12 + WRITES) / 100)
  const lists: Listed[] = []
  for (let page = 1; page <= pages; page++) {
    lists.push(await expect<Listed>(ask(`GET ${place}/users?per_page=100&page=${page}`)))
  }
  assert.equal(lists[0]?.total, 12 + WRITES)
  for (const { owner } of lists.flatMap(({ data }) => data)) {
    assert.ok(owner === undefined || owner === ws, `${ws} sees a record of ${owner}`)
  }
  const state = await expect<{ records: number; counters: Record<string, number>; events: number }>(
    ask(`GET /_workspaces/${ws}`)
  )
  assert.equal(state.counters['fail-first GET /api/users'], CALLS)
  assert.equal(state.records, WRITES + 2)
  assert.equal(state.events, WRITES + 2)
}

async function liveTogether(ask: Ask): Promise<void> {
  const names = Array.from({ length: WORKSPACES }, (_, n) => `ws-${n}`)
  await Promise.all(names.map((name) => live(ask, name)))
  const { workspaces } = await expect<{ workspaces: { id: string }[] }>(ask('GET /_workspaces'))
  assert.equal(workspaces.length, WORKSPACES)
  const { total } = await expect<Listed>(ask('GET /api/users'))
  assert.equal(total, 12)
}

describe(`${WORKSPACES} workspaces at once`, { timeout: 300_000 }, () => {
  for (const engine of ENGINES) {
    test(`do not see each other, on ${engine}`, async () => {
      await using nonet = await start({ services: ['scenarios'], ...engineOptions(engine) })
      await liveTogether(alternate([nonet.scenarios.url]))
    })
  }

  test('nor with two processes on one PostgreSQL', async () => {
    await using database = await temporaryDatabase()
    using one = temporaryFolder()
    using two = temporaryFolder()
    const launch = (folder: string) =>
      launchNonet(['scenarios', '--quiet', '--data', folder, '--database', database.url])
    await using first = await launch(one.path)
    await using second = await launch(two.path)
    const [here = '', there = ''] = [first, second].map(({ ready }) => ready.services.scenarios)
    await liveTogether(alternate([here, there]))
    await shareSessions(here, there)
  })
})

/** A session, a rule and a journal are the workspace's, whichever process is asked. */
async function shareSessions(one: string, other: string): Promise<void> {
  const [here, there] = [talkTo(one), talkTo(other)]
  const eve = { email: 'eve.holt@reqres.in', password: 'x' }
  const { refreshToken } = await here.get('POST /w/shared/api/auth/login', eve)
  const races = await Promise.all(
    [here, there, here, there].map(({ ask }) =>
      ask('POST /w/shared/api/auth/refresh', { refreshToken })
    )
  )
  assert.equal(races.filter(({ status }) => status === 200).length, 1)
  await here.get('PUT /_workspaces/shared/rules', [
    { path: '/api/users', times: 3, scenario: 'gone' }
  ])
  const answers = await Promise.all(
    [here, there, here, there, here, there].map(({ ask }) => ask('GET /w/shared/api/users'))
  )
  assert.equal(answers.filter(({ status }) => status === 410).length, 3)
  const keyed = await Promise.all(
    [here, there, here, there].map(({ ask }) =>
      ask('POST /w/shared/api/things', { a: 1 }, { 'idempotency-key': 'k' })
    )
  )
  for (const { status } of keyed) assert.ok(status === 201 || status === 409)
  assert.equal((await there.get('GET /w/shared/api/things')).total, 13)
}
