/** The mail of an account on Dovecot. */
import assert from 'node:assert/strict'
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ADMIN_TOKEN } from '../contract/mailbox-site.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { type Reader, readerOf } from '../support/mailbox-reader.ts'
import { playReading } from '../support/mailbox-reading-plays.ts'
import { playSearch } from '../support/mailbox-search-plays.ts'

describe('Reading mail of an account on Dovecot', () => {
  let nonet: Nonet<'mailbox'>
  let dovecot: Dovecot
  let accounts = 0
  before(async () => {
    dovecot = await openDovecot()
    nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  })
  after(async () => {
    await nonet.stop()
    await dovecot.close()
  })

  async function reader(): Promise<Reader> {
    accounts += 1
    const account = `reader-${accounts}`
    const { host, imapPort: port } = dovecot
    const auth = { user: `${account}@example.test`, pass: DOVECOT_PASSWORD }
    const imap = { host, port, auth, secure: false }
    const { url } = nonet.mailbox
    const response = await fetch(`${url}/v1/account`, {
      method: 'POST',
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, 'content-type': 'application/json' },
      body: JSON.stringify({ account, name: account, email: auth.user, imap })
    })
    assert.equal(response.status, 200, await response.text())
    return readerOf({ url, account, token: ADMIN_TOKEN, imap })
  }

  playReading(reader)
  playSearch(reader)
})
