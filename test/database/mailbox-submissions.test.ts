/** Queued messages in several processes, and when the tables move. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, sandboxOf } from '../contract/mailbox-site.ts'
import { openSender, type Queued, type QueueEntry } from '../contract/mailbox-submit-site.ts'
import { until } from '../support/delivery-receiver.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { type Launched, launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'
import { openSink } from '../support/smtp-sink.ts'

const MESSAGES = 20

test('two processes send each message once, two of an account at a time, one per key', async () => {
  await using stack = new AsyncDisposableStack()
  const { url } = stack.use(await temporaryDatabase())
  const data = stack.use(temporaryFolder()).path
  let running = 0
  let most = 0
  const sink = stack.use(
    await openSink({
      async onMessage() {
        running += 1
        most = Math.max(most, running)
        await new Promise((resolve) => setTimeout(resolve, 30))
        running -= 1
      }
    })
  )
  const startOne = async () => {
    const options = { database: url, portBase: 0, data, secretKey: '5'.repeat(64) }
    const services = ['mailbox'] as const
    const nonet = await start({ services, adminToken: ADMIN_TOKEN, ...options })
    return sandboxOf(stack.use(nonet))
  }
  const processes = [await startOne(), await startOne()]
  const [first = assert.fail()] = processes
  const ada = await openSender(first, sink, { imap: false })
  const submit = (number: number, key: string) =>
    (processes[number % 2] ?? first).json<Queued>({
      method: 'POST',
      path: `/v1/account/${ada.id}/submit`,
      token: ADMIN_TOKEN,
      body: { to: { address: 'bob@example.test' }, subject: key },
      headers: { 'idempotency-key': key }
    })
  const numbers = Array.from({ length: MESSAGES }, (_, number) => number)
  const queued = await Promise.all(
    numbers.flatMap((number) => [submit(0, `key-${number}`), submit(1, `key-${number}`)])
  )
  const ids = new Set(queued.map(({ queueId }) => queueId))
  assert.equal(ids.size, MESSAGES)
  const hits = queued.filter(({ idempotency }) => idempotency?.status === 'HIT')
  assert.equal(hits.length, MESSAGES)
  for (const queueId of ids) await ada.submitted(queueId)
  assert.equal(sink.messages.length, MESSAGES)
  assert.ok(most <= 2, `${most} at a time`)
})

test('queued messages and keys move to PostgreSQL, back, and through a backup', async () => {
  using first = temporaryFolder()
  using second = temporaryFolder()
  using third = temporaryFolder()
  await using database = await temporaryDatabase()
  await using sink = await openSink()
  const key = ['--secret-key-file', join(first.path, 'secret.key')]
  const launch = (data: string, ...more: string[]) =>
    launchLoadedNonet(['mailbox', '--quiet', '--data', data, ...more])
  const run = async (...args: string[]) => {
    const { code, stderr } = await runNonet(args)
    assert.equal(code, 0, `${args[0]}: ${stderr}`)
  }

  const source = await launch(first.path)
  await call(source, 'POST', '/v1/account', {
    account: 'ada',
    name: 'Ada',
    email: 'ada@example.test',
    smtp: { host: '127.0.0.1', port: sink.port, secure: false, auth: false }
  })
  await call(source, 'PUT', '/v1/settings/queue/submit', { paused: true })
  const queued = await submitTo(source)
  const before = await entryOf(source, queued)
  assert.equal(before.progress.status, 'queued')
  await source.end()

  await run('copy', '--data', first.path, '--to', database.url)
  const there = await launch(first.path, '--database', database.url)
  assert.deepEqual(await entryOf(there, queued), before)
  assert.equal((await submitTo(there)).idempotency?.status, 'HIT')
  await there.end()

  await run('copy', '--data', first.path, '--database', database.url, '--to', second.path)
  const file = join(first.path, 'mailbox.nonet')
  await run('backup', file, '--data', second.path)
  await run('restore', file, '--data', third.path, ...key)
  const restored = await launch(third.path, ...key)
  assert.deepEqual(await entryOf(restored, queued), before)
  await call(restored, 'PUT', '/v1/settings/queue/submit', { paused: false })
  await until(() => sink.messages.length === 1, 'the message')
  assert.ok(sink.messages[0]?.raw.includes(queued.messageId))
  await restored.end()
})

async function call<T>(nonet: Launched, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${nonet.ready.services.mailbox}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'moved' },
    ...(body && { body: JSON.stringify(body) })
  })
  const text = await response.text()
  assert.equal(response.status, 200, `${path}: ${text}`)
  return JSON.parse(text)
}

function submitTo(nonet: Launched): Promise<Queued> {
  const body = { to: { address: 'bob@example.test' }, subject: 'Moved', text: 'x'.repeat(1000) }
  return call(nonet, 'POST', '/v1/account/ada/submit', body)
}

function entryOf(nonet: Launched, { queueId }: Queued): Promise<QueueEntry> {
  return call(nonet, 'GET', `/v1/outbox/${queueId}`)
}
