/** What servers do that correct servers do not: what is reported then. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../support/delivery-receiver.ts'
import { ALL_EXTENSIONS } from '../support/imap-model.ts'
import { type ModelAccount, type WatchedModels, watchModels } from '../support/model-account.ts'

const PATIENCE_MS = 30_000
/** Without NAMESPACE imapflow guesses a prefix of all paths. */
const EXTENSIONS = [...ALL_EXTENSIONS, 'NAMESPACE']

describe('changes on servers with peculiarities', { concurrency: true }, () => {
  let models: WatchedModels
  before(async () => {
    models = await watchModels()
  })
  after(() => models[Symbol.asyncDispose]())

  async function requestList({ account, model }: ModelAccount): Promise<void> {
    const before = model.commands('LIST').length
    await models.daemon.call('PUT', `/v1/account/${account}/sync`, { sync: true })
    await until(() => model.commands('LIST').length > before, 'a list', PATIENCE_MS)
  }

  /** Waits for a list that was requested now, and for what follows from it. */
  async function list(account: ModelAccount): Promise<void> {
    await requestList(account)
    await account.mark()
  }

  test('a mailbox that cannot be selected is skipped after three attempts', async () => {
    await using account = await models.open({ extensions: EXTENSIONS })
    const { model } = account
    const isLocked = (line: string) => /(?:SELECT|EXAMINE) "?Locked"?/i.test(line)
    model.behave(({ tag, line }) => (isLocked(line) ? `${tag} NO [NOPERM] Locked\r\n` : undefined))
    model.add('Locked')
    model.append('Locked')
    for (let round = 0; round < 5; round++) await list(account)
    const tried = model.server.lines.filter(isLocked).length
    assert.equal(tried, 3)
    assert.ok(!account.changes().some((change) => change.includes('Locked')))
    // It is tried again when its status changes.
    model.behave(undefined)
    model.append('Locked')
    await list(account)
    await account.expect('mailboxNew Locked')
  })

  /** Servers send nothing for the first so many commands that read whole messages. */
  async function openSlow(silent: number) {
    const account = await models.open()
    let count = 0
    account.model.behave(({ tag, name, line }) => {
      const isRead = name === 'FETCH' && /ENVELOPE/i.test(line)
      return isRead && ++count <= silent ? `${tag} OK done\r\n` : undefined
    })
    const uid = account.model.append()
    await account.model.tell()
    return { account, uid, find: () => account.events().find(({ data }) => data.uid === uid) }
  }

  test('a message that is listed but never sent is missing after three more attempts', async () => {
    const { account, uid, find } = await openSlow(Number.POSITIVE_INFINITY)
    await using _ = account
    await account.expect(`messageMissing ${uid}`)
    const { missingRetries, missingDelay } = find()?.data ?? {}
    assert.deepEqual([missingRetries, missingDelay], [3, 5600])
    account.model.behave(undefined)
    await account.mark()
    assert.ok(!account.changes().includes(`messageNew ${uid}`), 'it has one event')
  })

  test('a message that is sent with a later attempt is new', async () => {
    const { account, uid, find } = await openSlow(1)
    await using _ = account
    await account.expect(`messageNew ${uid}`)
    assert.ok(find()?.data.subject)
  })

  test('labels of Gmail are compared like flags', async () => {
    let labels = ['"\\\\Inbox"']
    await using account = await models.open({
      extensions: ['IDLE', 'ENABLE', 'CONDSTORE', 'X-GM-EXT-1'],
      messages: 1,
      respond({ tag, name, line }, { mailboxes }) {
        if (name !== 'FETCH' || !/X-GM-LABELS/i.test(line) || /ENVELOPE/i.test(line))
          return undefined
        const { modseq = 0 } = mailboxes.get('INBOX') ?? {}
        return `* 1 FETCH (UID 1 FLAGS () X-GM-LABELS (${labels.join(' ')}) MODSEQ (${modseq}))\r\n${tag} OK done\r\n`
      }
    })
    const { model } = account
    labels = ['Office', '"two words"']
    model.flag(1, [])
    await model.push('* 1 FETCH (UID 1 FLAGS ())\r\n')
    await account.expect('messageUpdated 1')
    const [updated] = account.events().filter(({ event }) => event === 'messageUpdated')
    assert.deepEqual(updated?.data.changes, {
      labels: {
        added: ['Office', 'two words'],
        deleted: ['\\Inbox'],
        value: ['Office', 'two words']
      }
    })
  })

  test('a mailbox that a list omits by mistake is not reported as deleted', async () => {
    await using account = await models.open({ extensions: EXTENSIONS })
    const { model } = account
    model.add('Work')
    model.append('Work')
    await list(account)
    await account.expect('mailboxNew Work')
    // Without the other mailbox, and then without the INBOX, which every account has.
    for (const listed of ['INBOX', 'Work']) {
      model.behave(({ tag, name }) =>
        name === 'LIST' ? `* LIST () "/" ${listed}\r\n${tag} OK done\r\n` : undefined
      )
      await requestList(account)
    }
    model.behave(undefined)
    await list(account)
    const gone = account.changes().filter((change) => change.startsWith('mailboxDeleted'))
    assert.deepEqual(gone, [])
    const uid = model.append('Work')
    await model.tell('Work')
    await account.expect(`messageNew ${uid}`)
  })
})
