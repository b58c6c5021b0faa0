/** A large mailbox in the sandbox; with NONET_TEST_EFFORT=10 of 100,000 messages. */
import { test } from 'node:test'
import { EFFORT } from '../support/effort.ts'
import { fillMailbox } from '../support/fill-mailbox.ts'
import { watchLargeMailbox } from '../support/large-mailbox.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'
import { mailServerOf } from '../support/watching-daemon.ts'

const MESSAGES = EFFORT > 1 ? 100_000 : 30_000
/** What the server does not offer, so that the mailbox is compared in other ways. */
const WITHOUT: readonly (readonly string[])[] =
  EFFORT > 1 ? [[], ['QRESYNC'], ['QRESYNC', 'CONDSTORE', 'NOTIFY']] : [[]]

for (const without of WITHOUT) {
  const title = without.length === 0 ? '' : `, without ${without.join(', ')}`
  test(`${MESSAGES} messages are read within 30 s, in turns of at most 50 ms${title}`, {
    timeout: 300_000
  }, async (t) => {
    using folder = temporaryFolder()
    const flags = [
      ...['mailbox', '--quiet', `--data=${folder.path}`, '--mailbox-sandbox-messages=1000000'],
      '--mailbox-sandbox-bytes=10000000000'
    ]
    const added = await (async () => {
      await using server = mailServerOf(await launchNonet(flags))
      const accounts = { large: await server.add('large'), small: await server.add('small') }
      using sender = await server.openSender()
      await sender.send(accounts.large.address, 'Old')
      return accounts
    })()
    await fillMailbox(folder.path, 'large', MESSAGES)
    const hidden = without.map((name) => `--mailbox-sandbox-without=${name}`)
    await using server = mailServerOf(await launchNonet([...flags, ...hidden]))
    const at = { port: server.imapPort }
    t.diagnostic(
      await watchLargeMailbox({
        large: { ...added.large.imap, ...at },
        small: { ...added.small.imap, ...at }
      })
    )
  })
}
