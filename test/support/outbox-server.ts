/**
 * A process with an outbox for benchmarks: `outbox-server.ts <port> <location as JSON> <receiver>`.
 * POST /jobs?count=&lanes= adds jobs, each in its own transaction; POST /kept?count= adds jobs that
 * are done; GET / returns the number of waiting ones.
 */
import { createServer } from 'node:http'
import type { DatabaseLocation } from '../../src/kernel/database/open.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { query, queryAutocommit, type Transaction } from '../../src/kernel/database/transaction.ts'
import { createOutbound } from '../../src/kernel/outbound.ts'
import { addJob } from '../../src/kernel/outbox/add-job.ts'
import { createOutbox } from '../../src/kernel/outbox/outbox.ts'
import { outboxMigration } from '../../src/kernel/outbox/table.ts'

const ADDED_AT_ONCE = 50
const KEPT_AT_ONCE = 20_000
const PAYLOAD = JSON.stringify({ action: 'updateCard', text: 'x'.repeat(500) })

const [port = '', place = '', receiver = ''] = process.argv.slice(2)
const location: DatabaseLocation = JSON.parse(place)
const database = await openDatabase(location, {
  service: 'things',
  migrations: [outboxMigration()]
})
const outbound = createOutbound({ loopback: true, allow: [] })
const { outbox, start } = createOutbox(database, {
  now: () => Date.now(),
  warn: (text) => console.error(text)
})
let lastNumber = 0

await start({
  send: {
    async run({ id, payload }) {
      const { status } = await outbound.fetch(receiver, {
        method: 'POST',
        headers: { 'x-id': id, 'content-type': 'application/json' },
        body: payload,
        timeoutMs: 10_000,
        maxBytes: 1_000
      })
      return status === 200 ? { state: 'done' } : { state: 'retry', reason: `status ${status}` }
    }
  }
})

async function addJobs(count: number, lanes: number): Promise<void> {
  const end = lastNumber + count
  const add = async () => {
    while (lastNumber < end) {
      const number = ++lastNumber
      const job = { key: `${number}`, kind: 'send', lane: `l${number % lanes}`, payload: PAYLOAD }
      await database.write(() => addJob(job, Date.now()))
    }
  }
  await Promise.all(Array.from({ length: ADDED_AT_ONCE }, add))
}

async function addKept(count: number): Promise<void> {
  for (let done = 0; done < count; done += KEPT_AT_ONCE) {
    const size = Math.min(KEPT_AT_ONCE, count - done)
    await database.write(() => insertKept(`kept ${performance.now()}`, size))
  }
  // PostgreSQL would do this in the background within a minute, while idle time is measured.
  if (database.engine === 'postgres') {
    for (const sql of ['vacuum (analyze) outbox', 'checkpoint']) {
      await database.write(() => queryAutocommit(sql))
    }
  }
}

function* insertKept(prefix: string, count: number): Transaction<void> {
  yield* query(
    `insert into outbox (id, event_key, kind, lane, payload, state, is_candidate, run_at, attempts,
       fence, created_at, ended_at)
     with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ?)
     select cast(? as text) || n, cast(? as text) || n, 'send', 'l' || (n % 50), cast(? as text),
       'done', 0, 0, 1, 1, cast(? as bigint), cast(? as bigint) from numbers`,
    ...[count, prefix, prefix, PAYLOAD, Date.now(), Date.now()]
  )
}

const server = createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
  const count = Number(searchParams.get('count'))
  if (pathname === '/jobs') await addJobs(count, Number(searchParams.get('lanes')))
  if (pathname === '/kept') await addKept(count)
  response.end(String((await outbox.count()).waiting))
})
server.listen(Number(port), '127.0.0.1', () => console.log('ready'))
