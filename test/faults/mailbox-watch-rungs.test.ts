/** Changes on mail servers that lack extensions: a proxy hides them from the daemon. */
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, sandboxOf } from '../contract/mailbox-site.ts'
import { ENGINES } from '../support/engines.ts'
import { rungTests } from '../support/mailbox-rung-tests.ts'

describe('I-6, changes on a sandbox with hidden extensions', () => {
  let mailServer: Nonet<'mailbox'>
  before(async () => {
    mailServer = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  })
  after(() => mailServer.stop())

  rungTests(ENGINES, async () => (await sandboxOf(mailServer).account()).imap)
})
