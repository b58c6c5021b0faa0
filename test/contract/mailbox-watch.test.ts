/** Changes that another client makes on a mail server, a sandbox in another instance. */
import { after, before, describe } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { ENGINES } from '../support/engines.ts'
import { watchTests } from '../support/mailbox-watch-tests.ts'
import { watchAccount } from '../support/watched-account.ts'
import { ADMIN_TOKEN, sandboxOf } from './mailbox-site.ts'

for (const engine of ENGINES) {
  describe(`I-6, changes on the sandbox, on ${engine}`, () => {
    let mailServer: Nonet<'mailbox'>
    before(async () => {
      mailServer = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
    })
    after(() => mailServer.stop())

    watchTests(async () => {
      const { imap } = await sandboxOf(mailServer).account()
      return watchAccount(engine, imap)
    })
  })
}
