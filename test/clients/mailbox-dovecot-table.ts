/** An account on Dovecot: the routes that use its server or the tables. */
import { after, before, describe } from 'node:test'
import { createTransport } from 'nodemailer'
import { type Nonet, start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, sandboxOf } from '../contract/mailbox-site.ts'
import { playTable } from '../contract/mailbox-table.ts'
import type { TableSite } from '../contract/mailbox-table-row.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'

const USER = 'ada@example.test'

describe('the table of routes on Dovecot', () => {
  let dovecot: Dovecot
  let nonet: Nonet<'mailbox'>
  let site: TableSite
  before(async () => {
    dovecot = await openDovecot()
    nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    site = await register(nonet, dovecot)
  })
  after(async () => {
    await nonet.stop()
    await dovecot.close()
  })

  playTable('an account on Dovecot', ['server', 'store'], () => site)
})

async function register(nonet: Nonet<'mailbox'>, dovecot: Dovecot): Promise<TableSite> {
  const { url, smtpPort, json: ask } = sandboxOf(nonet)
  const json: TableSite['json'] = (request, status) =>
    ask({ token: ADMIN_TOKEN, ...request }, status)
  const imap = {
    ...{ host: dovecot.host, port: dovecot.imapPort, secure: false },
    auth: { user: USER, pass: DOVECOT_PASSWORD },
    tls: { rejectUnauthorized: false }
  }
  const smtp = {
    ...{ host: '127.0.0.1', port: smtpPort, secure: false, auth: false },
    tls: { rejectUnauthorized: false }
  }
  const body = { account: null, name: 'Ada', email: USER, imap, smtp }
  const { account } = await json<{ account: string }>({ method: 'POST', path: '/v1/account', body })
  const { token } = await json<{ token: string }>({
    method: 'POST',
    path: '/v1/tokens',
    body: { account, description: 'Of the table of routes' }
  })
  const { host, lmtpPort: port } = dovecot
  const transport = createTransport({ host, port, lmtp: true, ignoreTLS: true })
  return {
    ...{ url, account, token, imap, smtp, json },
    async deliver(message) {
      await transport.sendMail({ envelope: { from: 'zoe@example.test', to: USER }, raw: message })
    }
  }
}
