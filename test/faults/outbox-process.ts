/**
 * A process with an outbox: reads `<key> <lane>` lines and stores a change and its job for each,
 * sends jobs to the receiver, ends with SIGTERM. Started by the tests with its options as JSON.
 */
import { createInterface } from 'node:readline'
import { createOutbound } from '../../src/kernel/outbound.ts'
import type { JobResult } from '../../src/kernel/outbox/job.ts'
import { createOutbox } from '../../src/kernel/outbox/outbox.ts'
import { change, openOutboxTables, written } from '../database/outbox-jobs.ts'
import { COUNT, PATIENT_LANE, type ProcessOptions } from './outbox-options.ts'

const PATIENT_MS = 30_000

const options: ProcessOptions = JSON.parse(process.argv[2] ?? '{}')
const { location, receiver, leaseMs, timeoutMs } = options
const database = await openOutboxTables(location)
const outbound = createOutbound({ loopback: true, allow: [] })
const outbox = createOutbox(database, {
  now: () => Date.now(),
  warn: (text) => console.error(text),
  leaseMs
})

async function send(id: string, lane: string, body: string): Promise<number> {
  const { status } = await outbound.fetch(receiver, {
    method: 'POST',
    headers: { 'x-id': id, 'x-process': String(process.pid) },
    body,
    timeoutMs: lane === PATIENT_LANE ? PATIENT_MS : timeoutMs,
    maxBytes: 1_000
  })
  return status
}

await outbox.start({
  send: {
    maxAttempts: 1_000,
    backoff: () => 20 + Math.random() * 40,
    async run({ id, key, lane, payload }): Promise<JobResult> {
      const status = await send(id, lane, payload)
      if (status === 200) return { state: 'done', write: () => written(key) }
      return { state: 'retry', reason: `status ${status}` }
    }
  }
})

createInterface({ input: process.stdin }).on('line', (line) => {
  if (line === COUNT) {
    outbox.outbox.count().then(({ waiting }) => console.log(`${COUNT}${waiting}`))
    return
  }
  const [key = '', lane = ''] = line.split(' ')
  const payload = JSON.stringify({ key, text: `text of ${key}` })
  database
    .write(() => change(key, { lane, payload }))
    .then(
      () => console.log(key),
      // A line that is repeated after a kill may have been stored before it.
      ({ name }) => console.log(name === 'UniqueViolation' ? key : `! ${name}`)
    )
})

process.once('SIGTERM', async () => {
  await outbox.stop(5_000)
  await database.close()
  await outbound.close()
  process.exit(0)
})
console.log('ready')
