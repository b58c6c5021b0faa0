import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { after } from '../after.ts'
import { Problem } from '../contract.ts'
import type { Engine } from '../engine/engine.ts'
import type { Arrival } from '../engine/exchange.ts'
import { discard } from '../proxy/discard.ts'
import { commitFault } from './commit-fault.ts'
import type { Hanging } from './hanging.ts'
import type { ProblemPages } from './problem-pages.ts'
import { decodeIncoming, hasBody, readBody, readHead } from './read-request.ts'
import { writeResponse } from './write-response.ts'

interface ListenerOptions {
  hanging: Hanging
  /** Without it, problems are sent as they are. */
  pageFor?: ProblemPages | undefined
}

/**
 * Serves an engine over HTTP; `current` is called for each request, because a reload replaces the
 * engine.
 */
export function createListener(current: () => Engine, options: ListenerOptions): RequestListener {
  return function listen(request, response) {
    const engine = current()
    const incoming = readHead(request)
    // The connection is broken, so no response can be sent.
    const abandon = (error: Error) => response.destroy(error)
    try {
      const work = hasBody(request)
        ? serveBody(engine, incoming, request, response, options)
        : serve(engine, incoming, request, response, options)
      if (work instanceof Promise) work.catch(abandon)
    } catch (error) {
      abandon(error as Error)
    }
  }
}

async function serveBody(
  engine: Engine,
  incoming: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
  { hanging }: ListenerOptions
): Promise<void> {
  if (engine.streams) {
    return serve(engine, { ...incoming, stream: request }, request, response, { hanging })
  }
  try {
    incoming.body = await readBody(request, engine.options.maxBodyBytes)
    const encoding = request.headers['content-encoding']
    if (encoding !== undefined) {
      await decodeIncoming(incoming, encoding, engine.options.maxBodyBytes)
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    response.shouldKeepAlive = false
    writeResponse(incoming.method, response, engine.reject(incoming, error).outgoing)
    return
  }
  return serve(engine, incoming, request, response, { hanging })
}

function serve(
  engine: Engine,
  incoming: Arrival,
  request: IncomingMessage,
  response: ServerResponse,
  { hanging, pageFor }: ListenerOptions
): void | Promise<void> {
  const signal = engine.streams ? signalOf(response) : undefined
  return after(engine.handle(incoming, signal), (exchange) => {
    const { outgoing, fault, release } = exchange
    if (release !== undefined) freeAfter(response, release)
    if (fault !== undefined) {
      commitFault(fault, response, outgoing, hanging)
      return
    }
    if (response.destroyed || signal?.aborted) {
      discard(outgoing.stream)
      return
    }
    // The upstream may respond before it has read the whole upload.
    if (incoming.stream !== undefined && !request.complete) response.shouldKeepAlive = false
    if (exchange.problem === undefined || pageFor === undefined) {
      writeResponse(incoming.method, response, outgoing)
      return
    }
    return after(pageFor(request, exchange), (shown) =>
      writeResponse(incoming.method, response, shown)
    )
  })
}

/** Also called after the client has disconnected. */
function freeAfter(response: ServerResponse, release: () => void): void {
  if (response.destroyed) release()
  else response.once('close', release)
}

function signalOf(response: ServerResponse): AbortSignal {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  return gone.signal
}
