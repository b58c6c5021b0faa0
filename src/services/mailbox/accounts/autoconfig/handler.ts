import type { Handler } from '../../api/route.ts'
import { invalidInput } from '../../contract.ts'
import type { FoundServer } from './configuration.ts'
import { parseEmailAddress } from './email-address.ts'
import { findServers } from './find-servers.ts'

/** `GET /v1/autoconfig` */
const autoconfig: Handler<{ readonly email: string }> = async ({ kernel }, { query }) => {
  const email = parseEmailAddress(query.email)
  if (email === undefined) {
    throw invalidInput([{ key: 'email', message: 'must be an email address with a domain' }])
  }
  const { imap, smtp, appPassword, source } = await findServers(kernel.outbound, email)
  return {
    imap: settingsOf(imap),
    smtp: settingsOf(smtp),
    appPassword: appPassword ?? { required: false },
    _source: source
  }
}

/** As `POST /v1/account` takes it. */
function settingsOf(server: FoundServer | undefined): object | false {
  if (server === undefined) return false
  const { user, ...settings } = server
  return { auth: { user }, ...settings }
}

export const autoconfigHandlers = { autoconfig } satisfies Record<string, Handler<never>>
