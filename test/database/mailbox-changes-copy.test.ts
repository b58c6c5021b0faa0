/** What is known about mailboxes, and events, move with the tables: nothing is reported anew. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { type EventReceiver, openEventReceiver } from '../support/event-receiver.ts'
import { runNonet, temporaryFolder } from '../support/launcher.ts'
import {
  type Daemon,
  launchDaemon,
  launchMailServer,
  type Sender,
  untilDelivered,
  untilInitialized
} from '../support/watching-daemon.ts'

async function run(...args: readonly string[]): Promise<void> {
  const { code, stderr } = await runNonet(args)
  assert.equal(code, 0, `${args[0]}: ${stderr}`)
}

/** Subjects of reported messages, in their order. */
function subjects(receiver: EventReceiver): unknown[] {
  return receiver.named('messageNew').map(({ body }) => body.data.subject)
}

async function listEvents(daemon: Daemon): Promise<readonly { id: string; event: string }[]> {
  const { events } = await daemon.call<{ events: { id: string; event: string }[] }>(
    'GET',
    '/v1/events?pageSize=100'
  )
  return events
}

test('messages are reported once, although the tables move to PostgreSQL and through a backup', async () => {
  using first = temporaryFolder()
  using second = temporaryFolder()
  await using database = await temporaryDatabase()
  await using receiver = await openEventReceiver()
  await using server = await launchMailServer()
  const { address, imap } = await server.add('ada')
  using sender: Sender = await server.openSender()
  const key = ['--secret-key-file', join(first.path, 'secret.key')]
  const sent: string[] = []

  /** Sends a message, before or after the daemon starts, and one more; resolves to its events. */
  async function reports(flags: readonly string[], isDown: boolean) {
    const send = async () => {
      sent.push(`Message ${sent.length + 1}`)
      await sender.send(address, sent.at(-1) ?? '')
    }
    if (isDown) await send()
    await using daemon = await launchDaemon(flags)
    if (sent.length === 0) {
      await daemon.sendTo(receiver)
      await daemon.add('ada', imap)
      await untilInitialized(receiver, ['ada'])
    }
    await send()
    await until(() => subjects(receiver).length >= sent.length, `${sent.at(-1)}`, 20_000)
    await untilDelivered(daemon)
    const events = await listEvents(daemon)
    assert.equal((await daemon.nonet.end()).code, 0)
    return events
  }

  const stored = await reports(['--data', first.path], false)
  await run('copy', '--data', first.path, '--to', database.url)
  const onPostgres = ['--data', first.path, '--database', database.url]
  const copied = await reports(onPostgres, true)
  const file = join(first.path, 'mailbox.nonet')
  await run('backup', file, ...onPostgres)
  await run('restore', file, '--data', second.path, ...key)
  const restored = await reports(['--data', second.path, ...key], true)

  assert.deepEqual(subjects(receiver), sent)
  assert.deepEqual(receiver.named('mailboxReset'), [])
  assert.equal(receiver.named('accountInitialized').length, 1)
  receiver.assertSingle()
  const ids = (events: readonly { id: string }[]) => new Set(events.map(({ id }) => id))
  assert.deepEqual(
    [...ids(stored)].filter((id) => !ids(copied).has(id)),
    []
  )
  assert.deepEqual(
    [...ids(copied)].filter((id) => !ids(restored).has(id)),
    []
  )

  await run('reset', 'mailbox', '--data', second.path)
  await using empty = await launchDaemon(['--data', second.path, ...key])
  assert.deepEqual(await listEvents(empty), [])
})
