/** What a mail domain publishes about its servers, over HTTPS and in DNS. */
import type { Outbound, ServiceRecord } from '../../../../kernel/outbound.ts'
import type { EmailAddress, FoundServer, FoundServers } from './configuration.ts'
import { normaliseDomain } from './email-address.ts'
import { parseConfiguration } from './parse-configuration.ts'

export const LOOKUP_TIMEOUT_MS = 5000
const MAX_BYTES = 128 * 1024
const MAX_REDIRECTS = 2

/** The two URLs of the format of Thunderbird, in its order. */
export function configurationUrls({ address, domain }: EmailAddress) {
  const query = `?emailaddress=${encodeURIComponent(address)}`
  return {
    autoconfig: `https://autoconfig.${domain}/mail/config-v1.1.xml${query}`,
    wellKnown: `https://${domain}/.well-known/autoconfig/mail/config-v1.1.xml`
  }
}

/** Only over HTTPS: a changed response could name a server that collects passwords. */
export async function fetchConfiguration(
  outbound: Pick<Outbound, 'fetch'>,
  first: string,
  email: EmailAddress
): Promise<FoundServers | undefined> {
  const deadline = performance.now() + LOOKUP_TIMEOUT_MS
  let url = first
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const timeoutMs = deadline - performance.now()
    if (!url.startsWith('https://') || timeoutMs <= 0) return undefined
    const call = { method: 'GET', timeoutMs, maxBytes: MAX_BYTES }
    const response = await outbound.fetch(url, call).catch(() => undefined)
    const location = response?.headers.get('location')
    if (response?.status === 200) return parseConfiguration(await response.text(), email)
    const isRedirect = response !== undefined && response.status >= 300 && response.status < 400
    if (!isRedirect || typeof location !== 'string' || !URL.canParse(location, url))
      return undefined
    url = new URL(location, url).href
  }
  return undefined
}

/** RFC 6186 and RFC 8314: TLS from the first byte is preferred to STARTTLS. */
export async function findServices(
  outbound: Pick<Outbound, 'findServices'>,
  email: EmailAddress
): Promise<FoundServers | undefined> {
  const find = async (name: string) =>
    outbound.findServices(`_${name}._tcp.${email.domain}`, LOOKUP_TIMEOUT_MS)
  const [imaps, imap, submissions, submission] = await Promise.all([
    find('imaps'),
    find('imap'),
    find('submissions'),
    find('submission')
  ])
  const found = {
    imap: choose(imaps, true, email) ?? choose(imap, false, email),
    smtp: choose(submissions, true, email) ?? choose(submission, false, email)
  }
  return found.imap === undefined && found.smtp === undefined ? undefined : found
}

/** A target of `.` says that there is no such service. */
function choose(
  records: readonly ServiceRecord[],
  secure: boolean,
  { address: user }: EmailAddress
): FoundServer | undefined {
  const [best] = records
    .flatMap(({ name, port, priority, weight }) => {
      const host = normaliseDomain(name)
      const isPort = port > 0 && port < 65_536
      return host === undefined || !isPort ? [] : [{ host, port, priority, weight }]
    })
    .sort((one, other) => one.priority - other.priority || other.weight - one.weight)
  return best && { host: best.host, port: best.port, secure, user }
}
