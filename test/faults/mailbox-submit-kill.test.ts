/**
 * Kills in the middle of submits, on every engine: each message that was accepted is delivered or
 * still queued. It is delivered twice only if the kill fell between the reply of the server and our
 * mark, and then with the same Message-ID. One idempotency key never makes two entries of the queue.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { openSink } from '../support/smtp-sink.ts'

const ROUNDS = 2 * EFFORT
const WRITERS = 4
/** On PostgreSQL each round has its own, which need not wait for leases of earlier rounds. */
const ACCOUNTS = { sqlite: 3, postgres: 2 }
const SENT_PER_ROUND = 10
/** Of each account. */
const SENT_AT_ONCE = 2
/** In a round, so that a slow machine does not collect more than it sends. */
const MAX_SUBMITTED = 200
/** A job of the killed process waits for the end of its lease, up to 20 s, on PostgreSQL. */
const AFTER_LEASE_MS = 90_000

interface Accepted {
  messageId: string
  queueId: string
  idempotency: { status: string }
}

describe('kills while messages are submitted', { concurrency: true, timeout: 300_000 }, () => {
  for (const engine of ENGINES) {
    test(`lose no accepted message; no key makes two entries, on ${engine}`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      await using sink = await openSink()
      const storage = database === undefined ? [] : ['--database', database.url]
      const launch = () => launchNonet(['mailbox', '--quiet', '--data', folder.path, ...storage])
      const accepted = new Map<string, Accepted>()
      /** Keys of requests without a response; they are sent again. */
      const unknown = new Set<string>()

      const groupOf = (round = 0) => (engine === 'postgres' ? `round-${round}` : 'all-rounds')
      let accounts = 0
      /** Messages that the killed processes may have been sending. */
      let sending = 0

      async function submit(nonet: Launched, key: string): Promise<void> {
        const [round, number] = key.split('-').map(Number)
        const account = `${groupOf(round)}-${Number(number) % ACCOUNTS[engine]}`
        const response = await post(nonet, `/v1/account/${account}/submit`, {
          headers: { 'idempotency-key': key },
          body: { to: { address: `${key}@example.test` }, subject: key, text: 'Hello' }
        })
        const body = (await response.json()) as Accepted
        assert.equal(response.status, 200, JSON.stringify(body))
        const earlier = accepted.get(key)
        if (earlier !== undefined) {
          assert.equal(body.queueId, earlier.queueId, `${key} made two entries`)
          assert.equal(body.idempotency.status, 'HIT')
        }
        accepted.set(key, body)
        unknown.delete(key)
      }

      for (let round = 0; round < ROUNDS; round++) {
        await using nonet = await launch()
        if (round === 0 || groupOf(round) !== groupOf(0)) {
          await addAccounts(nonet, groupOf(round), ACCOUNTS[engine], sink.port)
          accounts += ACCOUNTS[engine]
        }
        // What was accepted is not queued again, whatever the client knows of it.
        for (const key of [...unknown, ...[...accepted.keys()].slice(-5)]) await submit(nonet, key)
        const target = sink.messages.length + SENT_PER_ROUND
        let isRunning = true
        const writing = Array.from({ length: WRITERS }, async (_, writer) => {
          for (let number = writer; isRunning && number < MAX_SUBMITTED; number += WRITERS) {
            const key = `${round}-${number}`
            unknown.add(key)
            await submit(nonet, key).catch((error) => {
              if (error instanceof assert.AssertionError) throw error
            })
          }
        })
        try {
          await until(() => sink.messages.length >= target, 'messages', AFTER_LEASE_MS)
        } finally {
          await nonet.end('SIGKILL')
          isRunning = false
          sending += accounts * SENT_AT_ONCE
        }
        await Promise.all(writing)
      }

      await using nonet = await launch()
      for (const key of unknown) await submit(nonet, key)
      const subjects = () => sink.messages.map(({ raw }) => field(raw, 'Subject'))
      await until(
        () => new Set(subjects()).size >= accepted.size,
        'all accepted messages',
        AFTER_LEASE_MS
      )
      await until(async () => (await waiting(nonet)) === 0, 'an empty queue', AFTER_LEASE_MS)
      let twice = 0
      for (const [key, same] of Map.groupBy(sink.messages, ({ raw }) => field(raw, 'Subject'))) {
        const ids = new Set(same.map(({ raw }) => field(raw, 'Message-ID')))
        assert.deepEqual([...ids], [accepted.get(key)?.messageId], `${key} has other Message-IDs`)
        twice += same.length - 1
      }
      assert.deepEqual(new Set(subjects()), new Set(accepted.keys()))
      const queueIds = new Set([...accepted.values()].map(({ queueId }) => queueId))
      assert.equal(queueIds.size, accepted.size)
      assert.ok(twice <= sending, `${twice} messages were sent twice`)
      t.diagnostic(`${accepted.size} accepted, ${twice} sent twice, ${ROUNDS} kills`)
    })
  }
})

function field(raw: string, name: string): string {
  return new RegExp(`^${name}: (.*)\\r\\n`, 'mi').exec(raw)?.[1] ?? ''
}

function post(
  { ready }: Launched,
  path: string,
  { body, headers = {} }: { body: object; headers?: Record<string, string> }
): Promise<Response> {
  return fetch(`${ready.services.mailbox}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body)
  })
}

/** Accounts that only send. */
async function addAccounts(
  nonet: Launched,
  group: string,
  count: number,
  port: number
): Promise<void> {
  for (let number = 0; number < count; number++) {
    const response = await post(nonet, '/v1/account', {
      body: {
        account: `${group}-${number}`,
        name: 'Ada',
        email: 'ada@example.test',
        smtp: { host: '127.0.0.1', port, secure: false, auth: false }
      }
    })
    assert.equal(response.status, 200, await response.text())
  }
}

async function waiting({ ready }: Launched): Promise<number> {
  const response = await fetch(`${ready.services.mailbox}/v1/outbox`)
  const { total } = (await response.json()) as { total: number }
  return total
}
