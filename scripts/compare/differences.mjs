import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'
import { headerOf, parseResponses } from './responses.mjs'

const DECODERS = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
  zstd: zstdDecompressSync
}

/**
 * All differences between the responses of two servers to one request. `resized` collects targets
 * whose bodies contain values of different lengths, such as folder names, for HEAD requests.
 */
export function compareExchange(request, sides, values, resized) {
  const parsed = sides.map(({ bytes }) => parseResponses(bytes, request.methods))
  const [old, present] = parsed
  const found = []
  const counts = parsed.map(({ responses }) => responses.length)
  for (let index = 0; index < Math.min(...counts); index += 1) {
    const pair = [old.responses[index], present.responses[index]]
    const target = targetOf(request)
    if (pair[0].body.length !== pair[1].body.length) resized.add(target)
    found.push(...compareResponses(...pair, values, resized.has(target)))
  }
  if (counts[0] !== counts[1]) {
    found.push(difference('number of responses', ...parsed.map(statusLines)))
  }
  const rest = values.compareTexts(parsed.map(({ rest: bytes }) => bytes.toString('latin1')))
  if (rest !== undefined) found.push(difference('bytes beside responses', rest.old, rest.present))
  if (found.length === 0 && sides[0].closed !== sides[1].closed) {
    found.push(difference('connection', ...sides.map(describeEnd)))
  }
  return found
}

function targetOf({ service, label }) {
  return `${service} ${label.slice(label.indexOf('/'))}`
}

function statusLines({ responses }) {
  return responses.map(({ statusLine }) => statusLine).join(', ') || 'none'
}

function describeEnd({ closed }) {
  return closed ? 'closed' : 'open'
}

function difference(part, old, present) {
  return { part, old, present, text: `${part}\n- ${old}\n+ ${present}` }
}

function compareResponses(old, present, values, isResized) {
  const found = []
  if (old.statusLine !== present.statusLine) {
    found.push(difference('status line', old.statusLine, present.statusLine))
  }
  const names = [old, present].map(({ headers }) => headers.map(([name]) => name).join(', '))
  if (names[0] !== names[1]) found.push(difference('header names', ...names))
  else found.push(...compareHeaders(old, present, values, isResized))
  const body = values.compareTexts([textOf(old), textOf(present)])
  if (body !== undefined) {
    found.push(difference(`body (${body.kind})`, body.old, body.present))
  }
  return found
}

function compareHeaders(old, present, values, isResized) {
  return old.headers.flatMap(([name, value], index) => {
    const other = present.headers[index][1]
    if (value === other || bothFit(name, isResized, old, present)) return []
    if (isRemainingTime(name, value, other)) return []
    const result = values.compareTexts([value, other])
    return result === undefined || isOtherTag(name, result)
      ? []
      : [difference(`header ${name} (${result.kind})`, result.old, result.present)]
  })
}

/**
 * The weak ETag of a list in boxes is computed from the state of the box if it is cached, else from
 * its rows. Which of the two depends on timing, so equal lists may have different tags.
 */
function isOtherTag(name, { kind, old, present }) {
  const weak = [old, present].every((value) => value.trim().startsWith('W/"'))
  return name.toLowerCase() === 'etag' && kind === 'identity' && weak
}

/** Seconds until a time: one of two servers may count one less than the other. */
function isRemainingTime(name, value, other) {
  const isCounted = /^(?:retry-after|(?:x-)?ratelimit-reset)$/i.test(name)
  return isCounted && Math.abs(Number(value) - Number(other)) <= 1
}

/** Each length is compared with its own body, because values in bodies may differ in length. */
function bothFit(name, isResized, ...responses) {
  return (
    name.toLowerCase() === 'content-length' &&
    responses.every(
      ({ headers, body }) =>
        headerOf(headers, 'content-length') === `${body.length}` || (isResized && body.length === 0)
    )
  )
}

function textOf({ headers, body, complete }) {
  const decode = DECODERS[headerOf(headers, 'content-encoding')]
  if (decode === undefined || !complete || body.length === 0) return body.toString('latin1')
  try {
    return decode(body).toString('latin1')
  } catch {
    return body.toString('latin1')
  }
}
