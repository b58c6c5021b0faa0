/** Changes that another client makes on Dovecot. */
import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { watchTests } from '../support/mailbox-watch-tests.ts'
import { watchAccount } from '../support/watched-account.ts'

describe('changes on Dovecot', () => {
  let dovecot: Dovecot
  before(async () => {
    dovecot = await openDovecot()
  })
  after(() => dovecot.close())

  watchTests(() => {
    const auth = { user: `${randomUUID().slice(0, 8)}@example.test`, pass: DOVECOT_PASSWORD }
    const { host, imapPort: port } = dovecot
    return watchAccount('sqlite', { host, port, secure: false, auth })
  })
})
