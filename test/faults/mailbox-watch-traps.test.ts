/** Known traps of IMAP servers and of imapflow, each with a server that shows it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { until } from '../support/delivery-receiver.ts'
import { ALL_EXTENSIONS } from '../support/imap-model.ts'
import { type WatchedModels, watchModels } from '../support/model-account.ts'

const without = (...names: string[]) => ALL_EXTENSIONS.filter((name) => !names.includes(name))
const NO_NOTIFY = without('NOTIFY')
/** How long a server tells of changes that are none. */
const STORM_MS = 6000
const PLAIN = without('NOTIFY', 'QRESYNC', 'CONDSTORE', 'LIST-STATUS')

describe('traps of watching', { timeout: 300_000 }, () => {
  let watched: WatchedModels
  before(async () => {
    watched = await watchModels()
  })
  after(() => watched[Symbol.asyncDispose]())

  // Each account has a server of its own.
  describe('of servers and of imapflow', { concurrency: true }, () => {
    // imapflow does not count down on VANISHED, so it emits no event for an EXISTS of the same number.
    test('a message that arrives after another was removed is reported, with QRESYNC', async () => {
      await using account = await watched.open({ extensions: NO_NOTIFY })
      const { model } = account
      model.expunge(2)
      await model.push('* VANISHED 2\r\n')
      await account.expect('messageDeleted 2')
      model.append()
      await model.push('* 3 EXISTS\r\n')
      await account.expect('messageNew 4')
      model.append()
      model.expunge(1)
      await model.push('* VANISHED 1\r\n* 3 EXISTS\r\n')
      await account.expect('messageNew 5')
      await account.mark()
      assert.deepEqual(account.changes().toSorted(), [
        ...['messageDeleted 1', 'messageDeleted 2'],
        ...['messageNew 4', 'messageNew 5', 'messageNew 6']
      ])
    })

    // imapflow's modseq of a mailbox is not advanced by expunges.
    test('removed messages are not reported again after a new connection', async () => {
      await using account = await watched.open()
      const { model } = account
      model.expunge(1)
      await model.tell()
      await account.expect('messageDeleted 1')
      const before = model.commands('LOGIN').length
      model.server.disconnect()
      await until(() => model.commands('LOGIN').length > before, 'another sign-in', 30_000)
      await until(() => model.waiting() > 0, 'a connection that waits', 30_000)
      await account.mark()
      assert.deepEqual(account.changes(), ['messageDeleted 1', 'messageNew 4'])
    })

    // imapflow resolves to false if the server rejects SEARCH.
    test('a rejected SEARCH is not an empty mailbox', async () => {
      let isRejecting = false
      await using account = await watched.open({
        extensions: PLAIN,
        respond: ({ name, tag }) =>
          isRejecting && name === 'SEARCH' ? `${tag} NO [INUSE] Try later\r\n` : undefined
      })
      const { model } = account
      isRejecting = true
      model.append()
      model.expunge(1)
      await model.push('* 1 EXPUNGE\r\n* 3 EXISTS\r\n')
      const searches = () => model.commands('SEARCH').length
      const first = searches()
      await until(() => searches() > first, 'a rejected SEARCH', 90_000)
      isRejecting = false
      await watched.daemon.call('PUT', `/v1/account/${account.account}/sync`, { sync: true })
      await account.expect('messageDeleted 1', 90_000)
      await account.expect('messageNew 4', 90_000)
      await account.mark()
      assert.deepEqual(account.changes().toSorted(), [
        ...['messageDeleted 1', 'messageNew 4', 'messageNew 5']
      ])
    })

    for (const [title, extensions] of [
      ['with QRESYNC', ALL_EXTENSIONS],
      ['without CONDSTORE', PLAIN]
    ] as const) {
      test(`another UIDVALIDITY is reported as a reset, and no mail as new, ${title}`, async () => {
        await using account = await watched.open({ extensions })
        const { model } = account
        const inbox = model.mailboxes.get('INBOX') ?? assert.fail()
        const previous = inbox.uidValidity
        // A restored mailbox: other UIDs for the same mail.
        inbox.messages = new Map([11, 12, 13, 14, 15].map((uid) => [uid, { flags: [], modseq: 9 }]))
        Object.assign(inbox, { uidValidity: previous + 1000, uidNext: 16, modseq: 9, expunged: [] })
        model.server.disconnect()
        await account.expect('mailboxReset INBOX')
        await until(() => model.waiting() > 0, 'a connection that waits', 30_000)
        await account.mark()
        assert.deepEqual(account.changes(), ['mailboxReset INBOX', 'messageNew 16'])
        const [reset] = account.events().filter(({ event }) => event === 'mailboxReset')
        assert.deepEqual(reset?.data, {
          path: 'INBOX',
          name: 'INBOX',
          specialUse: reset?.data.specialUse,
          uidValidity: String(previous + 1000),
          prevUidValidity: String(previous),
          reason: 'uidValidityChange'
        })
      })
    }

    test('a list without mailboxes removes none', async () => {
      let isEmpty = false
      await using account = await watched.open({
        respond: ({ name, tag }) => (isEmpty && name === 'LIST' ? `${tag} OK done\r\n` : undefined)
      })
      const { model } = account
      isEmpty = true
      const lists = () => model.commands('LIST').length
      const before = lists()
      model.server.disconnect()
      await until(() => lists() > before, 'an empty list', 30_000)
      isEmpty = false
      await watched.daemon.call('PUT', `/v1/account/${account.account}/sync`, { sync: true })
      await until(() => model.waiting() > 0, 'a connection that waits', 60_000)
      await account.mark()
      assert.deepEqual(account.changes(), ['messageNew 4'])
    })

    // The state that is stored is that from before the comparison.
    for (const times of [1, 6]) {
      test(`a message that arrives while its mailbox is compared is reported, ${times} times`, async () => {
        let arrivals = 0
        await using account = await watched.open({
          respond({ name, line, tag }) {
            // The response leaves out what arrives while it is written, and nothing tells of it.
            if (arrivals === 0 || name !== 'FETCH' || /ENVELOPE/.test(line)) return undefined
            arrivals--
            const { messages } = account.model.mailboxes.get('INBOX') ?? assert.fail()
            const lines = [...messages].map(
              ([uid, { flags, modseq }], index) =>
                `* ${index + 1} FETCH (UID ${uid} FLAGS (${flags.join(' ')}) MODSEQ (${modseq}))\r\n`
            )
            account.model.append()
            return `${lines.join('')}${tag} OK done\r\n`
          }
        })
        const { model } = account
        arrivals = times
        model.append()
        await model.tell()
        await account.expect(`messageNew ${4 + times}`)
        await account.mark()
        assert.deepEqual(
          account.changes(),
          Array.from({ length: times + 2 }, (_, index) => `messageNew ${4 + index}`)
        )
      })
    }

    // With IDLE the server tells of a message once, with the response to whatever command runs.
    test('a message that the response to another command tells of is reported', async () => {
      let isArmed = false
      await using account = await watched.open({
        extensions: NO_NOTIFY,
        respond({ name, line, tag }) {
          if (!isArmed || name !== 'LIST' || !/STATUS/.test(line)) return undefined
          isArmed = false
          const { messages, uidNext, uidValidity, modseq } =
            account.model.mailboxes.get('INBOX') ?? assert.fail()
          const status = `MESSAGES ${messages.size} UIDNEXT ${uidNext} UIDVALIDITY ${uidValidity} HIGHESTMODSEQ ${modseq}`
          account.model.append()
          return `* LIST () "/" INBOX\r\n* STATUS INBOX (${status})\r\n* 4 EXISTS\r\n${tag} OK done\r\n`
        }
      })
      isArmed = true
      await watched.daemon.call('PUT', `/v1/account/${account.account}/sync`, { sync: true })
      await account.expect('messageNew 4')
      await account.mark()
      assert.deepEqual(account.changes(), ['messageNew 4', 'messageNew 5'])
    })

    test('messages that arrive while a mailbox is read for the first time are reported', async () => {
      let searches = 0
      await using account = await watched.open({
        respond({ name }) {
          // Searches for all messages and for those since a date are two commands.
          if (name === 'SEARCH' && ++searches <= 2) account.model.append()
          return undefined
        },
        isHostile: true
      })
      await account.expect('messageNew 4')
      await account.expect('messageNew 5')
      await account.mark()
      assert.deepEqual(account.changes(), ['messageNew 4', 'messageNew 5', 'messageNew 6'])
    })

    test('changes are reported after the server has ended NOTIFY, which has too much to tell', async () => {
      await using account = await watched.open()
      account.model.append()
      account.model.overflow()
      await account.expect('messageNew 4')
      await account.mark()
      assert.deepEqual(account.changes(), ['messageNew 4', 'messageNew 5'])
    })

    test('a server that tells of other names again and again is listed at a limited rate', async () => {
      const line = '* LIST () "/" "INBOX"\r\n'
      let isTelling = false
      await using account = await watched.open({
        respond({ name }, model) {
          const tell = () => model.push(line).catch(() => {})
          if (isTelling && name === 'LSUB') setTimeout(tell, 5)
          return undefined
        }
      })
      const { model } = account
      const before = model.commands('LSUB').length
      isTelling = true
      await model.push(line)
      await wait(STORM_MS)
      isTelling = false
      const lists = model.commands('LSUB').length - before
      // Fifty at once, then ten a second.
      assert.ok(lists > 10 && lists <= 130, `${lists} lists`)
      await account.mark()
    })

    test('fields that are false are left out of the body', async () => {
      await using account = await watched.open()
      await account.mark()
      const [arrived] = account.events().filter(({ event }) => event === 'messageNew')
      assert.equal(arrived?.data.unseen, true)
      const isFalse = Object.entries(arrived?.data ?? {}).filter(([, value]) => value === false)
      assert.deepEqual(
        isFalse.map(([name]) => name).filter((name) => name !== 'seemsLikeNew'),
        []
      )
    })

    test('an account that is registered again is not read anew', async () => {
      await using account = await watched.open()
      const { model } = account
      const { port } = model.server
      const body = {
        account: account.account,
        name: 'Again',
        imap: { host: '127.0.0.1', port, auth: { user: 'a', pass: 'right' } }
      }
      const response = await watched.daemon.call('POST', '/v1/account', body)
      assert.deepEqual(response, { account: account.account, state: 'existing' })
      model.server.disconnect()
      await until(() => model.waiting() > 0, 'a connection that waits', 30_000)
      await account.mark()
      assert.deepEqual(account.changes(), ['messageNew 4'])
      const initialized = account.events().filter(({ event }) => event === 'accountInitialized')
      assert.equal(initialized.length, 1)
    })
  })

  test('nothing was reported as a defect, and no change has two ids', () => {
    watched.receiver.assertSingle()
    assert.equal(watched.daemon.nonet.stderr(), '')
  })
})
