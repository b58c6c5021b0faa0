import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'

const QUIET_MS = 250
const POLL_MS = 50
/** Both servers count as silent if neither has sent a byte for this long. */
const SILENT_MS = 5000
const UNFINISHED_SILENT_MS = 1000
/** How much later one server may respond than the other. */
const LAG_MS = 15_000

/** Sends one request to both servers at the same time and resolves to the bytes each sent back. */
export async function exchange(request, targets) {
  const sides = targets.map((target, side) => open(request.sides?.[side] ?? request, target))
  const closed = Promise.all(sides.map((side) => side.gone))
  const settled = { now: false }
  const poll = (async () => {
    while (!settled.now && !isSettled(request, sides)) await delay(POLL_MS)
  })()
  await Promise.race([closed, poll])
  settled.now = true
  for (const side of sides) side.socket.destroy()
  return sides.map(({ chunks, ended }) => ({ bytes: Buffer.concat(chunks), closed: ended }))
}

function open(request, { hostname, port }) {
  const side = { chunks: [], length: 0, ended: false, active: Date.now(), started: Date.now() }
  const socket = connect({ port, host: hostname, noDelay: true })
  side.socket = socket
  side.gone = new Promise((resolve) => {
    const end = () => {
      side.ended = true
      resolve()
    }
    socket.once('error', end)
    socket.once('close', end)
  })
  socket.on('data', (chunk) => {
    side.chunks.push(chunk)
    side.length += chunk.length
    side.active = Date.now()
  })
  socket.once('connect', () => socket.write(request.bytes(`${hostname}:${port}`)))
  return side
}

function isSettled(request, sides) {
  const now = Date.now()
  const age = now - sides[0].started
  if (age > LAG_MS) return true
  const [old, present] = sides
  if (old.length === 0 && present.length === 0 && !old.ended && !present.ended) {
    return age > (request.unfinished ? UNFINISHED_SILENT_MS : SILENT_MS)
  }
  if (old.ended !== present.ended || (old.length === 0) !== (present.length === 0)) return false
  const quiet = now - Math.max(old.active, present.active)
  return quiet > (old.length === present.length ? QUIET_MS : QUIET_MS * 8)
}

/** A request as a browser or fetch would send it, in one write, on a new connection. */
export function plainRequest({ method = 'GET', path, headers = {}, body }) {
  const content = body === undefined ? undefined : Buffer.from(body)
  const target = encodeTarget(path)
  const wanted = { accept: '*/*', 'user-agent': 'nonet-compare', ...headers }
  const needsLength = content !== undefined || ['POST', 'PUT', 'PATCH'].includes(method)
  const bytes = (host) => {
    const lines = [`${method} ${target} HTTP/1.1`]
    if (!hasHeader(wanted, 'host')) lines.push(`Host: ${host}`)
    lines.push('Connection: close')
    for (const [name, value] of Object.entries(wanted)) lines.push(`${name}: ${value}`)
    if (needsLength && !hasHeader(wanted, 'content-length')) {
      lines.push(`Content-Length: ${content?.length ?? 0}`)
    }
    const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
    return content === undefined ? head : Buffer.concat([head, content])
  }
  return { label: `${method} ${path}`, methods: [method], bytes }
}

function hasHeader(headers, name) {
  return Object.keys(headers).some((key) => key.toLowerCase() === name)
}

/** Encodes targets as fetch does, so that rows are sent to the servers as in tests. */
function encodeTarget(path) {
  if (!URL.canParse(path, 'http://localhost')) return path
  const { pathname, search } = new URL(`http://localhost${path}`)
  return pathname + search
}

/** Sends the bytes unchanged; `{host}` is replaced by host and port of the server. */
export function rawRequest(label, text, more = {}) {
  const bytes = (host) => Buffer.from(text.replaceAll('{host}', host), 'latin1')
  const methods = [...text.matchAll(/^([A-Z]+) \S+ HTTP\/1\.[01]\r?$/gm)].map(([, name]) => name)
  return { label, methods: methods.length === 0 ? ['GET'] : methods, bytes, ...more }
}
