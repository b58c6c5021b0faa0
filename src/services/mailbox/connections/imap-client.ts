import type { LookupFunction } from 'node:net'
import type { ImapFlow } from 'imapflow'
import type { MailServer, SignIn } from '../accounts/servers.ts'
import { connectionLost } from './contract.ts'
import { guardResponses } from './guard-responses.ts'
import { createResponseLimit } from './response-limit.ts'

const MIB = 1024 * 1024
/** The numbers of a million messages, as a response of SEARCH. */
const MAX_LINE_BYTES = 8 * MIB
const MAX_LITERAL_BYTES = 64 * MIB
const CONNECT_TIMEOUT_MS = 10_000
const GREETING_TIMEOUT_MS = 10_000
/** Without a byte while a command runs that has no earlier deadline. */
const SOCKET_TIMEOUT_MS = 120_000

/** A host whose IP addresses are checked; `lookup` resolves to exactly those. */
export interface Endpoint {
  readonly host: string
  readonly servername?: string | undefined
  readonly lookup?: LookupFunction | undefined
}

export interface ClientOptions {
  readonly server: Omit<MailServer, 'signIn' | 'egress'>
  readonly endpoint: Endpoint
  readonly signIn: SignIn | undefined
  readonly clientVersion: string
  /** Lines of the protocol and what happens to the connection; passwords are not in them. */
  readonly log?: ((line: ProtocolLine) => void) | undefined
  readonly disableIMAP4rev2?: boolean | undefined
  /** For a connection that waits for changes: called with the beginning of each line. */
  readonly onLine?: ((line: string) => void) | undefined
}

export interface ProtocolLine {
  /** Sent, received, or a note. */
  readonly direction: 'C' | 'S' | '*'
  readonly text: string
}

/**
 * A client that is not connected yet. What the server sends is limited; beyond it the connection is
 * closed with an error.
 */
export async function createImapClient(options: ClientOptions): Promise<ImapFlow> {
  const { ImapFlow } = await import('imapflow')
  const { server, endpoint, signIn, log } = options
  const limit = createResponseLimit()

  function note(entry: LogEntry): void {
    const { src, msg } = entry
    if (src === 'c') limit.sent(String(msg))
    if (log === undefined) return
    if (src === 'c' || src === 's') log({ direction: src === 'c' ? 'C' : 'S', text: String(msg) })
    else log({ direction: '*', text: noteOf(entry) })
  }

  const client: ImapFlow = new ImapFlow({
    host: endpoint.host,
    port: server.port,
    secure: server.secure,
    ...(endpoint.servername !== undefined && { servername: endpoint.servername }),
    tls: {
      ...server.tls,
      ...(endpoint.lookup !== undefined && { lookup: endpoint.lookup, autoSelectFamily: true })
    },
    ...(signIn !== undefined && { auth: signIn }),
    ...(options.disableIMAP4rev2 === true && { disableIMAP4rev2: true }),
    ...(options.onLine !== undefined && { qresync: true }),
    clientInfo: { name: 'nonet', version: options.clientVersion, vendor: 'nonet' },
    logger: loggerOf(note),
    // A few compressed bytes could expand beyond all limits.
    disableCompression: true,
    disableAutoIdle: true,
    maxLineLength: MAX_LINE_BYTES,
    maxLiteralSize: MAX_LITERAL_BYTES,
    maxResponseSize: MAX_LITERAL_BYTES,
    connectionTimeout: CONNECT_TIMEOUT_MS,
    greetingTimeout: GREETING_TIMEOUT_MS,
    socketTimeout: SOCKET_TIMEOUT_MS
  })
  guardResponses(client, (response) => {
    if (!limit.received(response)) throw connectionLost('The mail server sends too much')
    options.onLine?.(response.line)
  })
  return client
}

interface LogEntry {
  readonly src?: unknown
  readonly msg?: unknown
  readonly err?: unknown
}

function loggerOf(note: (entry: LogEntry) => void) {
  return { trace: note, debug: note, info: note, warn: note, error: note, fatal: note }
}

function noteOf({ msg, err }: LogEntry): string {
  const message = err instanceof Error ? err.message : undefined
  return [msg, message].filter((part) => part !== undefined).join(': ')
}
