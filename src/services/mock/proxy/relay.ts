import type { Readable } from 'node:stream'
import { Problem } from '../contract.ts'
import type { Desk, DeskOf } from '../engine/desk.ts'
import type { Arrival, Exchange } from '../engine/exchange.ts'
import { type MockedExchange, mockAnswer } from '../engine/mock-answer.ts'
import type { EngineOptions } from '../engine/options.ts'
import { expectedStatuses, unauthorized, unprocessable } from '../engine/refusal.ts'
import type { Diagnostic } from '../message.ts'
import type { RequestCheck } from '../request/check.ts'
import { readPreferences } from '../request/preferences.ts'
import { parseQuery, type Query } from '../request/query-string.ts'
import { findResponse } from '../response/choose-response.ts'
import { isError, onSide } from '../response/report.ts'
import type { Match, Router } from '../routing/router.ts'
import type { ServedApi } from '../served-api.ts'
import type { Transformer } from '../transform/transformer.ts'
import { type Copy, copyWhileRunning } from './copy.ts'
import { discard } from './discard.ts'
import type { Forwarder, Returned } from './forward.ts'
import { hold } from './hold.ts'
import { judgeAnswer } from './judge-answer.ts'

/** Answers through the upstream; gives back the mocked exchange where the mock had to step in. */
export type Relay = (exchange: Exchange, signal: AbortSignal) => Promise<MockedExchange | undefined>

/** Before an upload is sent on, it is held no longer than this to be judged. */
const MAX_UPLOAD_MS = 60_000

const UNKNOWN_ROUTE: Diagnostic = {
  location: ['request'],
  severity: 'Warning',
  message: 'The document has no operation for this request'
}

export function createRelay(
  forwarder: Forwarder,
  options: EngineOptions,
  router: Router<ServedApi>,
  deskOf: DeskOf,
  _transformer: Transformer | undefined
): Relay {
  const { upstream } = forwarder

  function findMatch({ method, path }: Arrival, query: Query): Match<ServedApi> | undefined {
    try {
      return router.route(method, path, query.byName.get('__server')?.[0]?.value)
    } catch (error) {
      if (options.errors || !(error instanceof Problem)) throw error
      return undefined
    }
  }

  async function checkRequest(request: Request, body: Uint8Array | undefined, isWhole: boolean) {
    const { incoming, desk, match, query } = request
    return await desk.checker.check({ ...incoming, body }, match.pathValues, {
      query,
      validate: options.validateRequest && isWhole,
      security: options.validateSecurity
    })
  }

  /** With `errors`, nothing faulty reaches the upstream. */
  async function admit(request: Request, upload: Upload): Promise<RequestCheck> {
    const check = await checkRequest(request, upload.bytes(), upload.isWhole())
    const statuses = expectedStatuses(check.diagnostics)
    if (statuses === undefined) return check
    throw statuses[0] === 401
      ? unauthorized(check)
      : unprocessable(check.diagnostics.filter(isError))
  }

  /** A document's base path that the upstream's address already has is not sent twice. */
  function pathFor({ path }: Arrival, match: Match<ServedApi> | undefined): string {
    const base = match?.basePath ?? ''
    const isDoubled = base !== '' && upstream.url.pathname.replace(/\/$/, '').endsWith(base)
    return isDoubled ? path.slice(base.length) : path
  }

  async function send(incoming: Arrival, path: string, { body }: Upload, signal: AbortSignal) {
    try {
      return await forwarder.send({ incoming, path, body, signal })
    } catch (error) {
      throw incoming.stream?.errored ? brokenOff() : error
    }
  }

  async function passOn(exchange: Exchange, returned: Returned, desk: Desk | undefined) {
    const { status, headers } = returned
    exchange.forwarded = true
    exchange.response = desk && findResponse(desk.operation.responses, status)
    if (desk === undefined || !options.validateResponse) {
      exchange.outgoing = { status, headers, body: undefined, stream: returned.body }
    } else {
      const judged = await judgeAnswer(desk.served, desk.operation, returned, {
        maxBytes: options.maxBodyBytes,
        maxMs: upstream.maxHoldMs
      })
      const { bytes: body, stream } = judged.held
      exchange.outgoing = { status, headers, body, stream }
      exchange.diagnostics = [...exchange.diagnostics, ...onSide('response', judged.diagnostics)]
    }
    if (desk?.operation.deprecated) headers.deprecation ??= 'true'
  }

  return async function relay(exchange, signal) {
    const { incoming } = exchange
    const query = parseQuery(incoming.query)
    const match = findMatch(incoming, query)
    const desk = match && deskOf(match)
    exchange.api = desk?.served
    exchange.operation = desk?.operation
    const upload = await openUpload(incoming, options)
    const request = match && desk && { incoming, match, desk, query }
    let check = options.errors && request ? await admit(request, upload) : undefined
    const path = pathFor(incoming, match)
    const returned = await send(incoming, path, upload, signal)
    try {
      if (request) check ??= await checkRequest(request, upload.bytes(), upload.isWhole())
      if (request && check && upstream.mockedStatuses.includes(returned.status)) {
        discard(returned.body)
        return mockAnswer(exchange, request.desk, check, readPreferences(incoming.headers, query))
      }
      incoming.body ??= upload.bytes()
      exchange.diagnostics = check ? onSide('request', check.diagnostics) : [UNKNOWN_ROUTE]
      await passOn(exchange, returned, desk)
      return undefined
    } catch (error) {
      discard(returned.body)
      throw error
    }
  }
}

interface Request {
  incoming: Arrival
  match: Match<ServedApi>
  desk: Desk
  query: Query
}

/** What the client sends, on its way to the upstream. */
interface Upload {
  body: Readable | Uint8Array | null
  bytes: () => Uint8Array | undefined
  /** Whether all of it is known, so that it can be judged. */
  isWhole: () => boolean
}

async function openUpload(incoming: Arrival, options: EngineOptions): Promise<Upload> {
  const { stream, body } = incoming
  if (stream === undefined) return settled(body)
  if (!options.errors) return running(copyWhileRunning(stream, options.maxBodyBytes))
  const held = await hold(stream, options.maxBodyBytes, MAX_UPLOAD_MS).catch(() => {
    throw brokenOff()
  })
  if (held.bytes !== undefined) return settled(held.bytes)
  return { body: held.stream, bytes: () => undefined, isWhole: () => false }
}

/** Nobody is there to read it; the journal is. */
function brokenOff(): Problem {
  return new Problem('MALFORMED_REQUEST', 'The client broke off its request.')
}

function settled(body: Uint8Array | undefined): Upload {
  return { body: body ?? null, bytes: () => body, isWhole: () => true }
}

function running({ stream, bytes }: Copy): Upload {
  return { body: stream, bytes, isWhole: () => bytes() !== undefined }
}
