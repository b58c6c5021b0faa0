import type { ImapFlow } from 'imapflow'

/** A connection without commands is closed after this time. */
const IDLE_MS = 30_000
const LOGOUT_MS = 1000

/** One connection, which is opened when it is needed and closed when it is idle. */
export interface SharedClient {
  get: () => Promise<ImapFlow>
  /** The open one. */
  current: () => ImapFlow | undefined
  /** No command runs any more. */
  release: () => void
  /** Ends the open one, and the one that is being opened. */
  close: () => void
  /** Like `close`, but sends LOGOUT first. */
  end: () => Promise<void>
}

export interface SharedClientOptions {
  readonly open: (signal: AbortSignal) => Promise<ImapFlow>
  /** The server closed the connection, or it was closed because of what the server did. */
  readonly onLost: (openMs: number) => void
  /** It was closed because it was idle. */
  readonly onIdle: () => void
  readonly idleMs?: number
}

export function createSharedClient({
  open,
  onLost,
  onIdle,
  idleMs = IDLE_MS
}: SharedClientOptions): SharedClient {
  let client: ImapFlow | undefined
  let opening: { readonly client: Promise<ImapFlow>; readonly abort: () => void } | undefined
  let idleTimer: NodeJS.Timeout | undefined

  async function connect(signal: AbortSignal): Promise<ImapFlow> {
    const opened = await open(signal)
    const openedAt = performance.now()
    if (signal.aborted) opened.close()
    else client = opened
    opened.once('close', () => {
      if (client !== opened) return
      client = undefined
      clearTimeout(idleTimer)
      onLost(performance.now() - openedAt)
    })
    return opened
  }

  function start(): Promise<ImapFlow> {
    const controller = new AbortController()
    const started = { client: connect(controller.signal), abort: () => controller.abort() }
    opening = started
    const end = () => {
      if (opening === started) opening = undefined
    }
    started.client.then(end, end)
    return started.client
  }

  function forget(): ImapFlow | undefined {
    clearTimeout(idleTimer)
    const known = client
    client = undefined
    opening?.abort()
    opening = undefined
    return known
  }

  async function end(): Promise<void> {
    const known = forget()
    if (known === undefined) return
    const timer = setTimeout(() => known.close(), LOGOUT_MS)
    await known.logout().catch(() => {})
    clearTimeout(timer)
    known.close()
  }

  return {
    async get() {
      clearTimeout(idleTimer)
      if (client?.usable) return client
      return opening?.client ?? start()
    },
    current: () => client,
    release() {
      clearTimeout(idleTimer)
      if (client === undefined) return
      idleTimer = setTimeout(() => {
        void end()
        onIdle()
      }, idleMs).unref()
    },
    close() {
      forget()?.close()
    },
    end
  }
}
