/** Parses the bytes of one connection: responses in order, and bytes that belong to none. */
export function parseResponses(bytes, methods) {
  const responses = []
  let at = 0
  let answered = 0
  while (at < bytes.length) {
    const head = readHead(bytes, at)
    if (head === undefined) break
    const interim = /^HTTP\/1\.1 1(?!01)\d\d /.test(head.statusLine)
    const method = methods[Math.min(answered, methods.length - 1)]
    const body = readBody(bytes, head, interim ? 'HEAD' : method)
    responses.push({ statusLine: head.statusLine, headers: head.headers, ...body })
    at = body.end
    if (!interim) answered += 1
  }
  return { responses, rest: bytes.subarray(at) }
}

function readHead(bytes, at) {
  const end = bytes.indexOf('\r\n\r\n', at)
  if (end === -1 || bytes.toString('latin1', at, at + 5) !== 'HTTP/') return undefined
  const [statusLine, ...lines] = bytes.toString('latin1', at, end).split('\r\n')
  const headers = lines.map((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1)]
  })
  return { statusLine, headers, start: end + 4 }
}

function readBody(bytes, { statusLine, headers, start }, method) {
  const status = Number(statusLine.split(' ')[1])
  if (method === 'HEAD' || status === 204 || status === 304) {
    return { body: Buffer.alloc(0), end: start, complete: true }
  }
  if (/chunked/i.test(headerOf(headers, 'transfer-encoding') ?? '')) return readChunks(bytes, start)
  const length = headerOf(headers, 'content-length')
  const end = length === undefined ? bytes.length : start + Number(length)
  const body = bytes.subarray(start, end)
  return { body, end: start + body.length, complete: length === undefined || end <= bytes.length }
}

/** Returns only the content of chunks, because their sizes depend on timing. */
function readChunks(bytes, start) {
  const chunks = []
  for (let at = start; ; ) {
    const lineEnd = bytes.indexOf('\r\n', at)
    const size =
      lineEnd === -1 ? Number.NaN : Number.parseInt(bytes.toString('latin1', at, lineEnd), 16)
    const next = lineEnd + 2 + size
    const complete = size === 0 && bytes.length >= next + 2
    if (size > 0) chunks.push(bytes.subarray(lineEnd + 2, Math.min(next, bytes.length)))
    if (!(size > 0) || next + 2 > bytes.length) {
      const end = complete ? next + 2 : bytes.length
      return { body: Buffer.concat(chunks), end, complete }
    }
    at = next + 2
  }
}

export function headerOf(headers, name) {
  return headers.find(([key]) => key.toLowerCase() === name)?.[1].trim()
}
