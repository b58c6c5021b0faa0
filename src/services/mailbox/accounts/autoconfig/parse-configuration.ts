import { createRequire } from 'node:module'
import type { EmailAddress, FoundServer, FoundServers } from './configuration.ts'
import { normaliseDomain } from './email-address.ts'

/** Used to load the parser with the first document. */
const require = createRequire(import.meta.url)

const MAX_DEPTH = 20
const MAX_ELEMENTS = 2000
const MAX_VALUE_LENGTH = 300
const MAX_USER_LENGTH = 256
/** The better one comes first; servers without TLS are never used. */
const SOCKET_TYPES = ['SSL', 'STARTTLS']

interface ServerElement {
  readonly kind: 'imap' | 'smtp'
  readonly fields: Map<string, string>
}

/**
 * Reads `config-v1.1.xml`, the format of Thunderbird: the servers of `emailProvider`, each with the
 * first of the wanted types. Undefined if it is no such document. Entities of a DTD are not
 * expanded.
 */
export function parseConfiguration(xml: string, email: EmailAddress): FoundServers | undefined {
  const servers = readServers(xml)
  if (servers === undefined) return undefined
  const best = (kind: ServerElement['kind']) =>
    servers
      .filter((one) => one.kind === kind)
      .flatMap((one) => serverOf(one, email))
      .sort((one, other) => one.rank - other.rank)[0]?.server
  const found = { imap: best('imap'), smtp: best('smtp') }
  return found.imap === undefined && found.smtp === undefined ? undefined : found
}

function readServers(xml: string): readonly ServerElement[] | undefined {
  const { SaxesParser }: typeof import('saxes') = require('saxes')
  const parser = new SaxesParser()
  const path: string[] = []
  const servers: ServerElement[] = []
  let open: ServerElement | undefined
  let elements = 0
  let text = ''
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    elements += 1
    if (elements > MAX_ELEMENTS || path.length > MAX_DEPTH) throw new Error('It is too large')
    path.push(name)
    text = ''
    const kind = kindOf(path, String(attributes.type))
    if (kind === undefined) return
    open = { kind, fields: new Map() }
    servers.push(open)
  })
  parser.on('text', (part) => {
    if (text.length <= MAX_VALUE_LENGTH) text += part
  })
  parser.on('closetag', ({ name }) => {
    path.pop()
    // The first of several values is the preferred one.
    const isField = path.length === 3 && open !== undefined && !open.fields.has(name)
    if (isField) open?.fields.set(name, text.trim())
    if (path.length <= 2) open = undefined
    text = ''
  })
  try {
    parser.write(xml).close()
    return servers
  } catch {
    return undefined
  }
}

function kindOf(path: readonly string[], type: string): ServerElement['kind'] | undefined {
  const [root, provider, server] = path
  if (path.length !== 3 || root !== 'clientConfig' || provider !== 'emailProvider') return undefined
  if (server === 'incomingServer' && type === 'imap') return 'imap'
  return server === 'outgoingServer' && type === 'smtp' ? 'smtp' : undefined
}

function serverOf(
  { fields }: ServerElement,
  email: EmailAddress
): readonly { server: FoundServer; rank: number }[] {
  const fill = (name: string) => fillIn(fields.get(name) ?? '', email)
  const rank = SOCKET_TYPES.indexOf(fields.get('socketType') ?? '')
  const host = normaliseDomain(fill('hostname'))
  const port = Number(fields.get('port'))
  const user = fields.has('username') ? fill('username') : email.address
  const isPort = Number.isInteger(port) && port > 0 && port < 65_536
  const isUser = user !== '' && user.length <= MAX_USER_LENGTH && !/[\p{Cc}%]/u.test(user)
  if (rank === -1 || host === undefined || !isPort || !isUser) return []
  return [{ server: { host, port, secure: rank === 0, user }, rank }]
}

function fillIn(text: string, { address, localPart, domain }: EmailAddress): string {
  return text
    .replaceAll('%EMAILADDRESS%', () => address)
    .replaceAll('%EMAILLOCALPART%', () => localPart)
    .replaceAll('%EMAILDOMAIN%', () => domain)
}
