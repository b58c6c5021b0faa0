import type { IncomingHttpHeaders } from 'node:http'
import { isObject, type Json } from '../document/json.ts'
import type { Exchange } from '../engine/exchange.ts'
import { bytesOf, type Outgoing, type SentBody } from '../message.ts'
import { findResponse } from '../response/choose-response.ts'
import { isSendable, toHeaderText } from '../response/header-values.ts'
import { isBodiless } from '../response/mocker.ts'
import { bodyOf, readValue } from '../transform/body-value.ts'
import { type Headers, headerText } from '../transform/message-draft.ts'
import { isWithinLimit } from '../transform/weight.ts'
import { forgetBytes, writeValue } from '../transform/write-value.ts'
import { failed, type HookRunner } from './hook-runner.ts'
import type { HookRequest } from './hooks.ts'

const MAX_WEIGHT = 10_000_000
const FRAMING = ['content-length', 'transfer-encoding', 'content-encoding', 'connection']
const OF_BODIES = ['content-length', 'transfer-encoding', 'content-encoding', 'content-type']

/** Returns whether the hook produced a response. */
export async function hookRequest(hooks: HookRunner, exchange: Exchange): Promise<boolean> {
  const shown = requestOf(exchange)
  const made = await hooks.call('onRequest', shown)
  if (!isObject(made)) throw failed('onRequest returned neither a request nor a response')
  if (made.status !== undefined) {
    exchange.outgoing = { status: 200, headers: {}, body: undefined }
    takeResponse(exchange, made, 'onRequest')
    return true
  }
  const { method, path, query } = made
  if (typeof method !== 'string' || typeof path !== 'string' || typeof query !== 'string') {
    throw failed('onRequest returned a request without method, path or query')
  }
  if (!/^\/[\x21-\x7e]*$/.test(path) || !/^[\x21-\x7e]*$/.test(query) || !/^[\w-]+$/.test(method)) {
    throw failed('onRequest returned a request that cannot be sent')
  }
  const headers = takeHeaders(made.headers, 'onRequest')
  for (const name of FRAMING) {
    const held = exchange.incoming.headers[name]
    if (held !== undefined) headers[name] = held
  }
  const body = takeBody(exchange, made.body, headers)
  if (body !== undefined) headers['content-length'] = String(body.length)
  // A body that was too large to be passed to the hook cannot have been removed by it.
  const isTaken = body === undefined && shown.body !== undefined
  if (isTaken) for (const name of OF_BODIES) delete headers[name]
  exchange.incoming = {
    ...exchange.incoming,
    method: method.toUpperCase(),
    path,
    query,
    headers: headers as IncomingHttpHeaders,
    ...(body === undefined ? {} : { body: bytesOf(body), stream: undefined }),
    ...(isTaken ? { body: undefined } : {})
  }
  return false
}

export async function hookResponse(hooks: HookRunner, exchange: Exchange): Promise<void> {
  const { outgoing, value } = exchange
  const { status, headers, body } = outgoing
  const known = value?.value ?? readValue(body, headerText(headers, 'content-type'))
  const bytes = body === undefined ? undefined : bytesOf(body)
  const made = await hooks.call(
    'onResponse',
    { status, headers: { ...headers }, body: known === undefined ? bytes : known },
    requestOf(exchange)
  )
  if (!isObject(made)) throw failed('onResponse did not return a response')
  takeResponse(exchange, made, 'onResponse')
}

function requestOf(exchange: Exchange): HookRequest {
  const { method, path, query, headers, body } = exchange.incoming
  const value = bodyOf(exchange)
  return {
    method,
    path,
    query,
    headers: { ...headers } as HookRequest['headers'],
    body: value === undefined ? body : value,
    operationId: exchange.operation?.id
  }
}

function takeResponse(exchange: Exchange, made: Record<string, unknown>, name: string): void {
  const { status } = made
  if (typeof status !== 'number' || !Number.isInteger(status) || status < 200 || status > 599) {
    throw failed(`${name} returned a response whose status is not from 200 to 599`)
  }
  const { outgoing } = exchange
  const headers = takeHeaders(made.headers, name) as Outgoing['headers']
  outgoing.headers = headers
  outgoing.status = status
  exchange.response = findResponse(exchange.operation?.responses ?? [], status)
  if (isBodiless(status)) {
    outgoing.body = undefined
    exchange.value = undefined
    delete headers['content-type']
    return
  }
  outgoing.body = takeBody(exchange, made.body, headers)
  const isValue = made.body !== undefined && !(made.body instanceof Uint8Array)
  exchange.value = isValue ? { value: made.body as Json } : undefined
}

/** Bytes are sent unchanged; other values are serialised according to the content type. */
function takeBody(exchange: Exchange, body: unknown, headers: Headers): SentBody | undefined {
  if (body === undefined) return undefined
  if (body instanceof Uint8Array) {
    forgetBytes(headers)
    return Buffer.from(body)
  }
  if (!isWithinLimit(body as Json, MAX_WEIGHT)) throw failed('its body is too large')
  try {
    return writeValue(body as Json, headers, exchange.api, exchange.response)
  } catch (error) {
    // A hook may return a value that JSON cannot represent, such as a BigInt.
    if (error instanceof TypeError) throw failed(`its body cannot be serialised: ${error.message}`)
    throw error
  }
}

function takeHeaders(given: unknown, name: string): Headers {
  if (given !== undefined && !isObject(given)) throw failed(`${name} returned invalid headers`)
  const headers: Headers = {}
  for (const [key, value] of Object.entries(given ?? {})) {
    const lower = key.toLowerCase()
    if (value === undefined || value === null) continue
    if (lower === '__proto__' || (lower !== 'content-type' && !isSendable(lower))) continue
    headers[lower] = Array.isArray(value)
      ? value.map((item) => toHeaderText(String(item)))
      : toHeaderText(String(value))
  }
  return headers
}
