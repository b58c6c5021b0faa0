/** All methods of the store but `watch`; loaded at its first use. */
import { randomBytes } from 'node:crypto'
import { createObjectIdGenerator } from '../../../kernel/object-id.ts'
import type { Kernel } from '../../../kernel/service.ts'
import { createSharedRead } from '../../../kernel/shared-read.ts'
import {
  CAUGHT_ACCOUNT,
  type MailboxChanges,
  type MailStore,
  type NewContent
} from '../sandbox/mail-store.ts'
import * as accounts from './accounts.ts'
import { AccountsMissing, append, deliver, type NewMessage } from './add-message.ts'
import { changesSince } from './changes.ts'
import { prepareContent, readContents } from './contents.ts'
import { expungeDeleted } from './expunge.ts'
import { countMessages, findMessage, findMessages } from './find-messages.ts'
import { createMailbox, findMailbox, listMailboxes } from './mailboxes.ts'
import { readMessages, readStatus } from './messages.ts'
import { passwordPurpose } from './migrations.ts'
import { removeAccount, removeMailbox } from './remove-mailbox.ts'
import { removeMessages } from './remove-messages.ts'
import { renameMailbox } from './rename-mailbox.ts'
import { mailboxOf } from './rows.ts'
import { storeFlags } from './store-flags.ts'
import { listSubscriptions, subscribe } from './subscriptions.ts'
import { mailTables } from './tables.ts'
import type { Limits } from './totals.ts'
import { copyMessages, moveMessages } from './transfer.ts'

export type StoreKernel = Pick<Kernel, 'database' | 'secrets' | 'now'>

const PASSWORD_BYTES = 15
/** A delivery is repeated if an account is removed meanwhile. */
const MAX_DELIVERIES = 5

export function openStore(kernel: StoreKernel, limits: Limits): Omit<MailStore, 'watch'> {
  const { secrets } = kernel
  const tables = mailTables(kernel.database)
  const { read, write, writeTo } = tables
  const nextId = createObjectIdGenerator(kernel.now)
  const time = () => kernel.now().getTime()
  /** Many sessions of a mailbox hear of a change at the same time. */
  const shareChanges = createSharedRead<MailboxChanges>()

  function newMessage(content: NewContent): NewMessage {
    return { content: prepareContent(`m${nextId()}`, content), limits, time: time() }
  }

  const addAccount: MailStore['addAccount'] = (account) => {
    const password = secrets.seal(passwordPurpose(account.id), account.password)
    const now = time()
    return write([account.id], () => accounts.addAccount({ ...account, password }, now))
  }

  const caughtAccount: MailStore['caughtAccount'] = async () => {
    const found = await read(() => accounts.findAccount(CAUGHT_ACCOUNT.id))
    if (found !== undefined) return found
    const account = { ...CAUGHT_ACCOUNT, name: 'Caught mail', createdAt: time() }
    await addAccount({ ...account, password: randomBytes(PASSWORD_BYTES).toString('base64url') })
    return (await read(() => accounts.findAccount(CAUGHT_ACCOUNT.id))) ?? account
  }

  return {
    addAccount,
    findAccount: (idOrAddress) => read(() => accounts.findAccount(idOrAddress)),
    async readPassword(id) {
      const sealed = await read(() => accounts.readPassword(id))
      return sealed && secrets.open(passwordPurpose(id), sealed).toString()
    },
    listAccounts: (limit, after) => read(() => accounts.listAccounts(limit, after)),
    countAccounts: () => read(accounts.countAccounts),
    async removeAccount(id, receiver) {
      const now = time()
      const remove = () => write([id], () => removeAccount(id, now, receiver), { frees: true })
      let result = await remove()
      while (result === 'more') result = await remove()
      return result === 'removed'
    },
    caughtAccount,
    async deliver(ids, content) {
      const message = newMessage(content)
      let wanted = [...new Set(ids)]
      for (let tried = 1; wanted.length > 0; tried++) {
        const existing = await write(wanted, () => deliver(wanted, message)).catch(
          (error: unknown) => {
            if (error instanceof AccountsMissing && tried < MAX_DELIVERIES) return error.existing
            throw error
          }
        )
        if (existing === undefined) return
        wanted = [...new Set([...existing, (await caughtAccount()).id])]
      }
    },
    listMailboxes: (account) => read(() => listMailboxes(account)),
    listSubscriptions: (account) => read(() => listSubscriptions(account)),
    async findMailbox(account, name) {
      const row = await read(() => findMailbox(account, name))
      return row && mailboxOf(row)
    },
    status: (mailbox) => read(() => readStatus(mailbox)),
    createMailbox(account, name, specialUse) {
      const now = time()
      return write([account], () => createMailbox(account, name, specialUse, now))
    },
    renameMailbox(account, from, to) {
      const now = time()
      return write([account], () => renameMailbox(account, from, to, now))
    },
    async removeMailbox(account, name) {
      const remove = () => write([account], () => removeMailbox(account, name), { frees: true })
      let result = await remove()
      while (result === 'more') result = await remove()
      return result
    },
    subscribe: (account, name, isSubscribed) =>
      write([account], () => subscribe(account, name, isSubscribed)),
    readMessages: (mailbox) => read(() => readMessages(mailbox)),
    changesSince: (mailbox, modseq) =>
      shareChanges(`${mailbox} ${modseq}`, () => read(() => changesSince(mailbox, modseq))),
    readContents: (ids) => read(() => readContents(ids)),
    append(mailbox, content, options) {
      const message = newMessage(content)
      return writeTo(mailbox, () => append(mailbox, message, options))
    },
    storeFlags(mailbox, uids, change, flags, unchangedSince) {
      const request = { uids, change, flags, unchangedSince }
      // A full disk must not prevent a client from removing messages.
      const frees = change === 'add' && flags.includes('\\Deleted')
      return writeTo(mailbox, () => storeFlags(mailbox, request), { frees })
    },
    copy(from, uids, to) {
      const options = { limits, time: time() }
      return writeTo(from, () => copyMessages(from, uids, to, options))
    },
    move(from, uids, to) {
      const now = time()
      return writeTo(from, () => moveMessages(from, uids, to, now))
    },
    expunge: (mailbox, uids) =>
      writeTo(mailbox, () => expungeDeleted(mailbox, uids), { frees: true }),
    findMessages: (filter, limit, offset = 0) => findMessages(read, filter, limit, offset),
    countMessages: (filter) => countMessages(read, filter),
    findMessage: (mailbox, uid) => read(() => findMessage(mailbox, uid)),
    removeMessages: (filter) => removeMessages(tables, filter)
  }
}
