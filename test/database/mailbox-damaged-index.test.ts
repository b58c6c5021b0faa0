/** A stored index that cannot be read: the mailbox is read anew, its messages are not reported. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { type DatabaseLocation, openDatabase } from '../../src/kernel/database/open.ts'
import { query } from '../../src/kernel/database/transaction.ts'
import { migrations } from '../../src/services/mailbox/store/migrations.ts'
import { until } from '../support/delivery-receiver.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { openEventReceiver } from '../support/event-receiver.ts'
import { temporaryFolder } from '../support/launcher.ts'
import {
  launchDaemon,
  launchMailServer,
  untilDelivered,
  untilInitialized
} from '../support/watching-daemon.ts'

/** Changes a byte of all indexes with messages, in the tables of a process that does not run. */
async function damageIndexes(location: DatabaseLocation): Promise<void> {
  const database = await openDatabase(location, { service: 'mailbox', migrations })
  await database.write(function* () {
    const rows = yield* query<{ path: string; message_index: Uint8Array }>(
      'select path, message_index from watched_mailboxes where messages > 0'
    )
    assert.equal(rows.length, 1)
    for (const { path, message_index } of rows) {
      const damaged = Uint8Array.from(message_index)
      damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
      yield* query('update watched_mailboxes set message_index = ? where path = ?', damaged, path)
    }
  })
  await database.close()
}

async function openLocation(engine: Engine) {
  const folder = temporaryFolder()
  if (engine === 'sqlite') {
    const file = join(folder.path, 'mailbox.sqlite')
    return { folder, flags: [], location: { engine, file, durable: true } as const }
  }
  const database = await temporaryDatabase()
  const location = { engine, url: database.url, schema: 'nonet_mailbox', durable: true } as const
  return { folder, flags: ['--database', database.url], location, database }
}

for (const engine of ENGINES) {
  test(`${engine}: a damaged index is a reset of the mailbox; only messages that came since are reported`, async () => {
    const { folder, flags, location, database } = await openLocation(engine)
    using _folder = folder
    await using _database = database
    await using receiver = await openEventReceiver()
    await using server = await launchMailServer()
    const { address, imap } = await server.add('ada')
    using sender = await server.openSender()
    await sender.send(address, 'Old')
    const args = ['--data', folder.path, ...flags]
    {
      await using daemon = await launchDaemon(args)
      await daemon.sendTo(receiver)
      await daemon.add('ada', imap)
      await untilInitialized(receiver, ['ada'])
      await untilDelivered(daemon)
    }
    await damageIndexes(location)
    const before = receiver.first().length
    await sender.send(address, 'New')
    await using daemon = await launchDaemon(args)
    await until(() => receiver.named('messageNew').length > 0, 'the new message', 20_000)
    await sender.send(address, 'Newer')
    await until(() => receiver.named('messageNew').length > 1, 'the newer message', 20_000)
    await untilDelivered(daemon)
    const events = receiver.first().slice(before)
    assert.deepEqual(
      events.map(({ body: { event, path, data } }) => [event, path, data.reason ?? data.subject]),
      [
        ['mailboxReset', 'INBOX', 'syncStateLost'],
        ['messageNew', 'INBOX', 'New'],
        ['messageNew', 'INBOX', 'Newer']
      ]
    )
    assert.equal(daemon.nonet.stderr(), '')
  })
}
