/** What is reported of mailboxes in special cases: moves, settings of the account, lost state. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ENGINES } from '../support/engines.ts'
import { type WatchedAccount, watchAccount } from '../support/watched-account.ts'
import { ADMIN_TOKEN, sandboxOf } from './mailbox-site.ts'

const BEFORE = new Date(Date.now() - 60_000)
/** Date of mail that is announced although it came before the account. */
const later = () => new Date(Date.now() + 60_000)
const uid = { uid: true }

for (const engine of ENGINES) {
  describe(`I-6, special cases of changes, on ${engine}`, () => {
    let mailServer: Nonet<'mailbox'>
    before(async () => {
      mailServer = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    })
    after(() => mailServer.stop())

    async function open(fields: object = {}): Promise<WatchedAccount> {
      const { imap } = await sandboxOf(mailServer).account()
      return watchAccount(engine, imap, fields)
    }

    const call = <T>(
      { site, account }: WatchedAccount,
      method: string,
      path: string,
      body?: object
    ) => site().json<T>({ method, path: `/v1/account/${account}${path}`, token: ADMIN_TOKEN, body })

    /** The ids that events of these names have in a field. */
    const idsOf = (account: WatchedAccount, event: string, field: string) =>
      account.receiver.named(event).flatMap(({ body }) => {
        const value = body.data[field]
        return value === undefined ? [] : [[String(body.data.id), String(value)]]
      })

    test('a move by the API has the other id in both of its events', async () => {
      await using account = await open()
      for (const name of ['a', 'b', 'c', 'd']) await account.append('INBOX', name, { date: BEFORE })
      await account.register()
      const { messages } = await call<{ messages: { id: string; subject: string }[] }>(
        ...([account, 'GET', '/messages?path=INBOX'] as const)
      )
      const id = (subject: string) => messages.find((one) => one.subject === subject)?.id ?? ''
      const moved = await call<{ id: string }>(account, 'PUT', `/message/${id('a')}/move`, {
        path: 'Archive'
      })
      const trashed = await call<{ moved: { message: string } }>(
        ...([account, 'DELETE', `/message/${id('b')}`] as const)
      )
      const many = await call<{ idMap: [string, string][] }>(
        ...([account, 'PUT', '/messages/move?path=INBOX'] as const),
        { search: { uid: '3:4' }, path: 'Junk' }
      )
      await account.expectChanges([
        ...['a', 'b', 'c', 'd'].map((name) => `messageDeleted INBOX: ${name}`),
        'messageNew Archive: a',
        'messageNew Trash: b',
        'messageNew Junk: c',
        'messageNew Junk: d'
      ])
      const pairs = [[id('a'), moved.id], [id('b'), trashed.moved.message], ...many.idMap]
      assert.deepEqual(idsOf(account, 'messageDeleted', 'movedTo').sort(), pairs.toSorted())
      assert.deepEqual(
        idsOf(account, 'messageNew', 'movedFrom')
          .map(([to, from]) => [from, to])
          .sort(),
        pairs.toSorted()
      )
    })

    test('a move by another client of a message that was announced is known', async () => {
      await using account = await open()
      await account.register()
      await account.append('INBOX', 'seen before')
      await account.append('INBOX', 'copied only')
      await account.expectChanges([
        'messageNew INBOX: seen before',
        'messageNew INBOX: copied only'
      ])
      await account.client.mailboxOpen('INBOX')
      await account.client.messageMove('1', 'Archive', uid)
      await account.client.messageCopy('2', 'Archive', uid)
      await account.client.mailboxClose()
      await account.expectChanges([
        'messageDeleted INBOX: seen before',
        'messageNew Archive: seen before',
        'messageNew Archive: copied only'
      ])
      const [known, ...others] = account.receiver
        .named('messageNew')
        .filter(({ body }) => body.data.subject === 'seen before')
      assert.equal(others.length, 1)
      const first = String(known?.body.data.id)
      const second = String(others[0]?.body.data.id)
      assert.deepEqual(idsOf(account, 'messageNew', 'movedFrom'), [[second, first]])
      const deleted = idsOf(account, 'messageDeleted', 'movedTo')
      assert.deepEqual(
        deleted.filter(([, to]) => to !== second),
        []
      )
    })

    test('the path of an account limits what is reported, and may be changed', async () => {
      await using account = await open({ path: ['INBOX', '\\Sent'] })
      for (const path of ['Sent', 'Archive']) await account.append(path, 'old', { date: BEFORE })
      await account.register()
      for (const path of ['INBOX', 'Sent', 'Archive']) {
        await account.append(path, `new in ${path}`, { date: BEFORE })
      }
      await account.client.mailboxCreate('Unseen')
      await account.expectChanges([
        'messageNew INBOX: new in INBOX',
        'messageNew Sent: new in Sent'
      ])
      await call(account, 'PUT', '', { path: ['INBOX', 'Archive'] })
      // What was in it before is not reported.
      await account.append('Archive', 'first')
      await account.expectChanges(['messageNew Archive: first'])
      for (const path of ['Sent', 'Archive']) {
        await account.append(path, `later in ${path}`, { date: BEFORE })
      }
      await account.client.mailboxDelete('Unseen')
      await account.expectChanges(['messageNew Archive: later in Archive'])
      await call(account, 'PUT', '', { path: ['*'] })
      await account.append('Sent', 'last')
      await account.expectChanges(['messageNew Sent: last'])
    })

    test('with the fast indexer only new messages are reported', async () => {
      await using account = await open({ imapIndexer: 'fast' })
      for (const name of ['a', 'b']) await account.append('INBOX', name, { date: BEFORE })
      await account.register()
      await account.client.mailboxOpen('INBOX')
      await account.client.messageFlagsAdd('1', ['\\Seen'], uid)
      await account.client.messageDelete('2', uid)
      await account.append('INBOX', 'c')
      await account.append('Archive', 'd')
      await account.expectChanges(['messageNew INBOX: c', 'messageNew Archive: d'])
      await account.stopDaemon()
      await account.append('Archive', 'e')
      await account.startDaemon()
      await account.expectChanges(['messageNew Archive: e'])
      // The index is made silently.
      await call(account, 'PUT', '', { imapIndexer: 'full' })
      await account.stopDaemon()
      await account.startDaemon()
      await account.expectChanges([])
      await account.client.messageFlagsRemove('1', ['\\Seen'], uid)
      await account.expectChanges(['messageUpdated INBOX: a -\\Seen'])
    })

    test('mail from before the registration is reported since notifyFrom', async () => {
      const notifyFrom = new Date(BEFORE.getTime() - 3_600_000).toISOString()
      await using account = await open({ notifyFrom })
      await account.append('INBOX', 'older', { date: new Date(BEFORE.getTime() - 7_200_000) })
      await account.append('INBOX', 'since', { date: BEFORE })
      await account.register()
      await account.expectChanges(['messageNew INBOX: since'])
    })

    test('nothing is reported before a time in the future', async () => {
      const notifyFrom = new Date(Date.now() + 3_600_000).toISOString()
      await using account = await open({ notifyFrom })
      await account.register()
      await account.append('INBOX', 'too early')
      await account.append('INBOX', 'later', { date: new Date(Date.now() + 7_200_000) })
      const { receiver } = account
      const subjects = () => receiver.named('messageNew').map(({ body }) => body.data.subject)
      while (subjects().length === 0) await new Promise((resolve) => setTimeout(resolve, 20))
      assert.deepEqual(subjects(), ['later'])
    })

    test('a mailbox that is made anew is reset, and its mail is not announced', async () => {
      await using account = await open()
      await account.client.mailboxCreate('Again')
      await account.append('Again', 'first', { date: BEFORE })
      await account.register()
      await account.stopDaemon()
      await account.client.mailboxDelete('Again')
      await account.client.mailboxCreate('Again')
      await account.append('Again', 'second')
      await account.startDaemon()
      await account.expectChanges(['mailboxReset Again, uidValidityChange'])
      await account.append('Again', 'third')
      await account.expectChanges(['messageNew Again: third'])
    })

    test('an index that cannot be read is made anew, and mail is not announced again', async () => {
      await using account = await open()
      await account.register()
      await account.append('INBOX', 'a')
      await account.expectChanges(['messageNew INBOX: a'])
      await account.stopDaemon()
      const damaged = engine === 'sqlite' ? "x'ff00'" : "'\\xff00'"
      await account.change(
        `update watched_mailboxes set message_index = ${damaged} where path = 'INBOX'`
      )
      // Events are not stored twice, so the log must not hide that one is found again.
      await account.change('delete from events')
      await account.append('INBOX', 'later')
      await account.startDaemon()
      await account.expectChanges(['mailboxReset INBOX, syncStateLost', 'messageNew INBOX: later'])
      await account.append('INBOX', 'b')
      await account.expectChanges(['messageNew INBOX: b'])
    })

    test('mailboxes with mail are reset if the state of all is lost', async () => {
      await using account = await open()
      await account.register()
      await account.append('Archive', 'a')
      await account.expectChanges(['messageNew Archive: a'])
      await account.stopDaemon()
      await account.change('delete from watched_mailboxes')
      await account.change('delete from events')
      await account.startDaemon()
      const reset = ['Archive', 'INBOX'].map((path) => `mailboxReset ${path}, syncStateLost`)
      await account.expectChanges(reset)
    })

    test('two mailboxes that exchange their names are renamed', async () => {
      await using account = await open()
      const { client } = account
      for (const path of ['One', 'Two']) {
        await client.mailboxCreate(path)
        await account.append(path, `of ${path}`, { date: later() })
      }
      await account.register()
      await account.stopDaemon()
      await client.mailboxRename('One', 'Between')
      await client.mailboxRename('Two', 'One')
      await client.mailboxRename('Between', 'Two')
      await account.startDaemon()
      const taken = [
        'mailboxDeleted One, is Two',
        'mailboxNew Two, was One',
        'mailboxDeleted Two, is One',
        'mailboxNew One, was Two'
      ]
      await account.expectChanges([...taken, 'messageNew One: of One', 'messageNew Two: of Two'])
      await account.append('One', 'after')
      await account.expectChanges(['messageNew One: after'])
    })

    test('mailboxes below a renamed one are renamed with it, and received mail meanwhile', async () => {
      await using account = await open()
      const { client } = account
      for (const path of ['Work', 'Work/A', 'Work/A/B']) await client.mailboxCreate(path)
      await account.append('Work/A', 'old', { date: BEFORE })
      await account.register()
      await account.stopDaemon()
      await client.mailboxRename('Work', 'Done')
      await account.append('Done/A', 'new')
      await account.startDaemon()
      const paths = ['', '/A', '/A/B']
      await account.expectChanges([
        ...paths.map((path) => `mailboxDeleted Work${path}, is Done${path}`),
        ...paths.map((path) => `mailboxNew Done${path}, was Work${path}`),
        'messageNew Done/A: new'
      ])
    })
  })
}
