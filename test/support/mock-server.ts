import { openListener } from '../../src/host/listener.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { createOutbound, type OutboundOptions } from '../../src/kernel/outbound.ts'
import type { CallbackEvent } from '../../src/services/mock/callbacks/callback-event.ts'
import { loadDocument } from '../../src/services/mock/document/load.ts'
import { createEngine } from '../../src/services/mock/engine/engine.ts'
import type { Exchange } from '../../src/services/mock/engine/exchange.ts'
import type { Hold } from '../../src/services/mock/engine/hold.ts'
import { DEFAULT_OPTIONS, type EngineOptions } from '../../src/services/mock/engine/options.ts'
import { openHooks } from '../../src/services/mock/hooks/hook-runner.ts'
import { createHanging } from '../../src/services/mock/serve/hanging.ts'
import { createListener } from '../../src/services/mock/serve/listener.ts'
import { renderMalformed } from '../../src/services/mock/serve/malformed.ts'
import { type ServedApi, serveApi } from '../../src/services/mock/served-api.ts'
import { openBook, rejectBroken } from '../../src/services/mock/transform/open-rules.ts'

/** A mocked API on a free port, and its recorded exchanges. */
export interface MockServer extends AsyncDisposable {
  url: string
  served: ServedApi
  exchanges: Exchange[]
  callbacks: CallbackEvent[]
  /** Unexpected errors; a test that adds one has found a defect. */
  defects: unknown[]
  /** Resolves when every callback in progress has ended. */
  idle: () => Promise<void>
  close: () => Promise<void>
}

/** Rules and hooks that the operator adds to a document. */
export interface Changes {
  rules?: readonly object[]
  /** Path of a module. */
  hooks?: string
  /** Timeout of a hook, instead of the default. */
  hookTimeoutMs?: number
  /** Counts delayed requests; unlimited by default. */
  hold?: Hold
}

const REQUEST_TIMEOUT_MS = 5000

/** By their text: many tests open the same document, and its schemas are compiled once. */
const loaded = new Map<string, ServedApi>()
const LOADED_KEPT = 20

/** Opens a mock of a document of any version, given as an object or as text and loaded as from a file. */
export async function openMock(
  document: object | string,
  options: Partial<EngineOptions> = {},
  outbound: Partial<OutboundOptions> = {},
  changes: Changes = {}
): Promise<MockServer> {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  const served = loaded.get(text) ?? (await load(text))
  if (loaded.size === LOADED_KEPT) loaded.clear()
  loaded.set(text, served)
  return openServed(served, options, outbound, changes)
}

async function load(text: string): Promise<ServedApi> {
  const address = new URL('file:///document.json')
  const { document } = await loadDocument(address, async ({ href }) => {
    if (href !== address.href) throw new UserError(`${href} cannot be read`)
    return text
  })
  return serveApi(document, 'document.json')
}

/** Opens a mock of a document that is already loaded. */
export async function openServed(
  served: ServedApi,
  options: Partial<EngineOptions> = {},
  outbound: Partial<OutboundOptions> = {},
  { rules = [], hooks, hookTimeoutMs, hold }: Changes = {}
): Promise<MockServer> {
  const exchanges: Exchange[] = []
  const callbacks: CallbackEvent[] = []
  const defects: unknown[] = []
  const guard = createOutbound({ loopback: true, allow: [], ...outbound })
  const content = JSON.parse(JSON.stringify({ rules }))
  const book = openBook(
    [served],
    [{ label: 'rules.yaml', content }],
    options.upstream !== undefined
  )
  rejectBroken(book.findings)
  const runner = hooks === undefined ? undefined : await openHooks(hooks, hookTimeoutMs)
  const engine = await createEngine(
    [served],
    { ...DEFAULT_OPTIONS, ...options },
    {
      outbound: guard,
      hold,
      rules: book.book,
      hooks: runner,
      defect: (error) => defects.push(error),
      finished: (exchange) => exchanges.push(exchange),
      calledBack: (event) => callbacks.push(event)
    }
  )
  const listener = await openListener({
    name: 'mock',
    hosts: ['127.0.0.1'],
    port: 0,
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    handler: createListener(() => engine, { hanging: createHanging() }),
    observer: (handler) => handler,
    renderError: renderMalformed,
    upgrade: undefined
  })
  async function close(): Promise<void> {
    await Promise.all([listener.drain(0), engine.close(), guard.close(), runner?.close()])
  }
  return {
    url: `http://127.0.0.1:${listener.port}`,
    served,
    exchanges,
    callbacks,
    defects,
    idle: engine.idle,
    close,
    [Symbol.asyncDispose]: close
  }
}
