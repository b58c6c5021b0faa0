import { canLogIn, capabilityOf } from '../session/capability.ts'
import type { Command, Completion, Session } from '../session/session.ts'
import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'

const MAX_RESPONSE_BYTES = 8192
const BASE64 = /[A-Za-z0-9+/]*={0,2}$/y

export const login: Command = {
  state: 'notAuthenticated',
  async run(session, { scanner }) {
    scanner.space()
    const user = scanner.astring()
    scanner.space()
    const password = scanner.astring()
    scanner.end()
    return signIn(session, user, password)
  }
}

export const authenticate: Command = {
  state: 'notAuthenticated',
  async run(session, { scanner }) {
    scanner.space()
    const mechanism = scanner.keyword()
    const first = scanInitialResponse(session, scanner)
    if (!canLogIn(session)) throw encryptionNeeded()
    if (mechanism === 'PLAIN') return authenticatePlain(session, first)
    if (mechanism === 'LOGIN') return authenticateLogin(session, first)
    throw new CommandError('NO', 'Unsupported authentication mechanism.')
  }
}

/** RFC 4959: `=` is an empty response. */
function scanInitialResponse(session: Session, scanner: Scanner): string | undefined {
  if (scanner.isAtEnd()) return undefined
  if (!session.server.extensions.has('SASL-IR')) throw syntaxError('Unexpected arguments.')
  scanner.space()
  if (scanner.skip('=')) {
    scanner.end()
    return ''
  }
  const found = scanner.match(BASE64)
  if (found === undefined) throw syntaxError('Invalid base64 data.')
  return decode(found[0])
}

async function authenticatePlain(session: Session, first: string | undefined): Promise<Completion> {
  const response = first ?? (await requestResponse(session, ''))
  const [authorizedAs, user, password, ...others] = response.split('\0')
  if (user === undefined || password === undefined || others.length > 0) {
    throw syntaxError('Invalid authentication data.')
  }
  if (authorizedAs !== '' && authorizedAs !== user) throw credentialsWrong()
  return signIn(session, user, password)
}

async function authenticateLogin(session: Session, first: string | undefined): Promise<Completion> {
  const user = first ?? (await requestResponse(session, 'Username:'))
  const password = await requestResponse(session, 'Password:')
  return signIn(session, user, password)
}

async function requestResponse({ output, reader }: Session, prompt: string): Promise<string> {
  output.line(`+ ${Buffer.from(prompt).toString('base64')}`)
  output.flush()
  const line = await reader.readLine(MAX_RESPONSE_BYTES)
  const text = line?.toString('latin1') ?? '*'
  if (text === '*') throw syntaxError('Authentication aborted by client.')
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw syntaxError('Invalid base64 data.')
  return decode(text)
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8')
}

async function signIn(session: Session, user: string, password: string): Promise<Completion> {
  if (!canLogIn(session)) throw encryptionNeeded()
  const address = session.socket.remoteAddress ?? ''
  const account = await session.server.signIn(user, password, address)
  if (account === undefined) throw credentialsWrong()
  session.account = account
  return { text: 'Logged in', code: `CAPABILITY ${capabilityOf(session)}` }
}

function credentialsWrong(): CommandError {
  return new CommandError('NO', 'Authentication failed.', 'AUTHENTICATIONFAILED')
}

function encryptionNeeded(): CommandError {
  return new CommandError('NO', 'Passwords are accepted only over TLS.', 'PRIVACYREQUIRED')
}
