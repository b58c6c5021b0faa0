import type { RawData, WebSocket } from 'ws'
import { UpgradeNeeded, withDetails } from '../../contract.ts'
import type { ApiResponse } from '../../http/response.ts'
import { type RequestContext, use } from '../../pipeline/request-context.ts'
import { wsClose } from '../../scenario/streaming.ts'
import { identify } from '../auth/identity.ts'
import { type Message, wireOfMessage } from './message.ts'
import { parseSubscription } from './subscription.ts'
import { acceptSocket, isSocketRequest } from './upgrade.ts'

/** Close codes of RFC 6455, section 7.4.1; 4401 (401 for applications) is in the private range. */
const GOING_AWAY = 1001
const INTERNAL_ERROR = 1011
const TRY_AGAIN_LATER = 1013
const NOT_IDENTIFIED = 4401

const SECOND_MS = 1000
/** A client that reads too slowly is disconnected before its messages fill the memory. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024

/** `/api/ws`: sends events as JSON and echoes the client's messages. */
export async function handleSocket(call: RequestContext): Promise<ApiResponse> {
  if (!isSocketRequest(call.request)) {
    throw withDetails(new UpgradeNeeded(), { headers: { upgrade: 'websocket' } })
  }
  const asked = await parseSubscription(call)
  const code = use(call, wsClose)
  const end = new AbortController()
  call.response.once('close', () => end.abort())
  let letGo: () => void = () => call.request.socket.destroy()
  call.context.held.track(call.response, () => letGo())
  return {
    status: 101,
    headers: {},
    async accept(headers) {
      const socket = await acceptSocket(call, headers)
      letGo = () => socket.close(GOING_AWAY, 'nonet is stopping')
      const session = { call, socket, end }
      if (await welcome(session, code)) await tell(session, asked.follow(end.signal))
    }
  }
}

interface Session {
  readonly call: RequestContext
  readonly socket: WebSocket
  readonly end: AbortController
}

/** False if the connection is closed without events. */
async function welcome(session: Session, code: number | undefined): Promise<boolean> {
  const { call, socket, end } = session
  // `ws` closes the connection on protocol errors; these are not reported to the operator.
  socket.on('error', () => end.abort())
  socket.once('close', () => end.abort())
  keepAlive(session)
  const token = call.target.parameters.get('token')
  if (token === null) say(session, JSON.stringify({ type: 'welcome', user: null }))
  else {
    // Messages wait in the connection until there is a listener.
    socket.pause()
    const isKnown = await greet(session, 'welcome', token)
    socket.resume()
    if (!isKnown) return false
  }
  listenTo(session)
  if (code !== undefined) socket.close(code)
  return code === undefined
}

async function tell(session: Session, messages: AsyncIterable<Message>): Promise<void> {
  const { socket } = session
  try {
    for await (const message of messages) say(session, wireOfMessage(message))
  } catch (error) {
    session.call.context.kernel.warn(`WebSocket events stopped: ${(error as Error).message}`)
    socket.close(INTERNAL_ERROR)
  }
}

function say({ socket }: Session, text: string): void {
  if (socket.readyState !== socket.OPEN) return
  if (socket.bufferedAmount > MAX_WAITING_BYTES)
    socket.close(TRY_AGAIN_LATER, 'Client reads too slowly')
  else socket.send(text)
}

/** Sends the account of the token. On errors it closes: browsers can read only the close code. */
async function greet(session: Session, type: string, token: string): Promise<boolean> {
  try {
    const { id, email, first_name, last_name } = await identify(session.call, token)
    say(session, JSON.stringify({ type, user: { id, email, first_name, last_name } }))
    return true
  } catch (error) {
    const { statusCode, message } = error as { statusCode?: number; message: string }
    if (statusCode === 401) session.socket.close(NOT_IDENTIFIED, message)
    else {
      // The message is for the operator, and a close reason is limited to 123 bytes.
      session.call.context.kernel.warn(`WebSocket token could not be checked: ${message}`)
      session.socket.close(INTERNAL_ERROR)
    }
    return false
  }
}

function listenTo(session: Session): void {
  let isFirst = true
  session.socket.on('message', async (content: RawData, isBinary) => {
    const bytes = Array.isArray(content) ? Buffer.concat(content) : Buffer.from(content as Buffer)
    const token = isFirst && !isBinary ? tokenIn(bytes) : undefined
    isFirst = false
    if (token === undefined) say(session, echoOf(bytes, isBinary))
    else await greet(session, 'auth', token)
  })
}

/** A first message `{"token":"…"}` authenticates clients that keep the token out of the URL. */
function tokenIn(bytes: Buffer): string | undefined {
  const { token } = Object(parsed(bytes.toString('utf8')))
  return typeof token === 'string' ? token : undefined
}

function echoOf(bytes: Buffer, isBinary: boolean): string {
  if (isBinary)
    return JSON.stringify({ type: 'echo', data: bytes.toString('base64'), binary: true })
  const text = bytes.toString('utf8')
  const value = parsed(text)
  return value === undefined
    ? JSON.stringify({ type: 'echo', data: text })
    : // The string as sent, so that numbers keep all their digits.
      `{"type":"echo","data":${text}}`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Terminates the connection of a client that did not respond to the last ping. */
function keepAlive({ call, socket, end }: Session): void {
  let isSent = true
  socket.on('pong', () => {
    isSent = true
  })
  const timer = setInterval(() => {
    if (!isSent) socket.terminate()
    isSent = false
    socket.ping()
  }, call.context.options.heartbeatSeconds * SECOND_MS)
  end.signal.addEventListener('abort', () => clearInterval(timer), { once: true })
}
