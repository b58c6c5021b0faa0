/**
 * An HTTP client of the tests: sends what fetch sends and gives what fetch gives, for half of its
 * CPU time. Redirects are not followed; `Host` is always that of the URL.
 */
import { Agent, type IncomingMessage, request } from 'node:http'
import type { Socket } from 'node:net'
import { brotliDecompressSync, unzipSync } from 'node:zlib'
import type { Answer } from './contract-row.ts'

export interface Exchange {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | Uint8Array | FormData | URLSearchParams | null | undefined
}

/** In lower case, as those of a request must be. */
type Headed = Record<string, string>

/** A server closes a connection that waits; a busy process may learn of it too late. */
const MAX_IDLE_MS = 2_000
const AGENT = new Agent({ keepAlive: true })
const idleSince = new WeakMap<object, number>()
AGENT.on('free', (socket: Socket) => idleSince.set(socket, performance.now()))

const USUAL_HEADERS: Readonly<Headed> = {
  accept: '*/*',
  'accept-language': '*',
  'sec-fetch-mode': 'cors',
  'user-agent': 'node',
  'accept-encoding': 'gzip, deflate'
}
const TEXT = new TextDecoder()

export async function exchange(url: string, options: Exchange = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body } = options
  const { bytes, type } = await encode(body)
  const sent: Headed = { ...USUAL_HEADERS }
  if (type !== undefined) sent['content-type'] = type
  if (bytes !== undefined) sent['content-length'] = String(Buffer.byteLength(bytes))
  for (const [name, value] of Object.entries(headers)) sent[name.toLowerCase()] = value
  delete sent.host
  closeIdle()
  return new Promise((resolve, reject) => {
    const outgoing = request(new URL(url), { method, headers: sent, agent: AGENT })
    const fail = (cause: Error) => reject(new TypeError('the exchange failed', { cause }))
    outgoing.once('error', fail)
    outgoing.once('response', (response) => read(response).then(resolve, fail))
    outgoing.end(bytes)
  })
}

function closeIdle(): void {
  const before = performance.now() - MAX_IDLE_MS
  for (const socket of Object.values(AGENT.freeSockets).flatMap((sockets) => sockets ?? [])) {
    if ((idleSince.get(socket) ?? before) <= before) socket.destroy()
  }
}

async function encode(
  body: Exchange['body']
): Promise<{ bytes?: string | Uint8Array; type?: string }> {
  if (body === undefined || body === null) return {}
  if (typeof body === 'string') return { bytes: body, type: 'text/plain;charset=UTF-8' }
  if (body instanceof Uint8Array) return { bytes: body }
  const form = new Response(body)
  const type = form.headers.get('content-type') ?? ''
  return { bytes: new Uint8Array(await form.arrayBuffer()), type }
}

function read(response: IncomingMessage): Promise<Answer> {
  const chunks: Buffer[] = []
  response.on('data', (chunk) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    response.once('error', reject)
    response.once('end', () => {
      const { rawHeaders, statusCode: status = 0 } = response
      const headers = new Headers()
      for (let index = 0; index < rawHeaders.length; index += 2) {
        headers.append(rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '')
      }
      const bytes = decode(Buffer.concat(chunks), response.headers['content-encoding'])
      resolve({ status, headers, text: TEXT.decode(bytes) })
    })
  })
}

function decode(bytes: Buffer, coding: string | undefined): Buffer {
  if (coding === undefined || bytes.length === 0) return bytes
  return coding === 'br' ? brotliDecompressSync(bytes) : unzipSync(bytes)
}
