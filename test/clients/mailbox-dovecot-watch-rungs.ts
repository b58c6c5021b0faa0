/** Changes on Dovecot with hidden extensions. */
import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { rungTests } from '../support/mailbox-rung-tests.ts'

describe('changes on Dovecot with hidden extensions', () => {
  let dovecot: Dovecot
  before(async () => {
    dovecot = await openDovecot()
  })
  after(() => dovecot.close())

  rungTests(['sqlite'], async () => {
    const auth = { user: `${randomUUID().slice(0, 8)}@example.test`, pass: DOVECOT_PASSWORD }
    const { host, imapPort: port } = dovecot
    return { host, port, secure: false, auth }
  })
})
