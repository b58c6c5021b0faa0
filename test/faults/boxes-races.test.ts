/** Two writers with one `If-Match`: one of them wins, each time. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'

const RACES = EFFORT > 1 ? 1000 : 150
const AT_ONCE = 10

type Write = (url: string, etag: string, writer: number) => Promise<Response>

const send = (method: string, type: string, body: (writer: number) => string): Write => {
  return (url, etag, writer) =>
    fetch(url, {
      method,
      headers: { 'if-match': etag, 'content-type': type },
      ...(method === 'DELETE' ? {} : { body: body(writer) })
    })
}

const PUT = send('PUT', 'application/json', (writer) => `{"writer":${writer}}`)
const MERGE = send('PATCH', 'application/merge-patch+json', (writer) => `{"writer":${writer}}`)
const PATCH = send(
  'PATCH',
  'application/json-patch+json',
  (writer) => `[{"op":"add","path":"/writer","value":${writer}}]`
)
const PAIRS: readonly (readonly [Write, Write])[] = [
  [PUT, PUT],
  [MERGE, PATCH],
  [PUT, PATCH],
  [MERGE, MERGE]
]

async function race(urls: readonly string[], round: number): Promise<void> {
  const [first = '', second = first] = urls
  const box = round % 2 === 0 ? 'raced' : 'ruled'
  const made = await fetch(`${first}/${box}`, { method: 'POST', body: '{"n": 1.0}' })
  const { _id } = (await made.json()) as { _id: string }
  const [one, other] = PAIRS[round % PAIRS.length] ?? [PUT, PUT]
  const answers = await Promise.all([
    one(`${first}/${box}/${_id}`, '"1"', 1),
    other(`${second}/${box}/${_id}`, '"1"', 2)
  ])
  const statuses = answers.map(({ status }) => status)
  assert.deepEqual(statuses.toSorted(), [200, 412], `round ${round}: ${statuses}`)
  const seen = await fetch(`${second}/${box}/${_id}`)
  assert.equal(seen.headers.get('etag'), '"2"')
  const { writer } = (await seen.json()) as { writer: number }
  assert.equal(writer, statuses[0] === 200 ? 1 : 2)
}

describe('two writers with one If-Match', { timeout: 600_000 }, () => {
  for (const engine of ENGINES) {
    const where = engine === 'postgres' ? 'two processes on PostgreSQL' : 'SQLite'
    test(`${RACES} races on ${where} have one winner each`, async () => {
      using one = temporaryFolder()
      using other = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const server = database === undefined ? [] : ['--database', database.url]
      const folders = database === undefined ? [one] : [one, other]
      const processes = await Promise.all(
        folders.map(({ path }) =>
          launchNonet(['boxes', '--no-console', '--quiet', '--data', path, ...server])
        )
      )
      const urls = processes.map(({ ready }) => ready.services.boxes ?? '')
      // In one box the careful way is taken, in the other the quick one.
      await fetch(`${urls[0]}/_indexes/ruled`, { method: 'PUT', body: '["writer"]' })
      for (let done = 0; done < RACES; done += AT_ONCE) {
        const rounds = Array.from({ length: AT_ONCE }, (_, n) => done + n)
        await Promise.all(rounds.map((round) => race(urls, round)))
      }
      await Promise.all(processes.map((nonet) => nonet.end()))
    })
  }
})
