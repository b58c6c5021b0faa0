import type { Socket } from 'node:net'
import { createByteReader } from '../wire/byte-reader.ts'
import { createOutput } from '../wire/output.ts'
import { pushChanges } from './push.ts'
import type { ImapServer, Session } from './session.ts'

export interface SessionEvents {
  /** An error of work that no command waits for. */
  readonly onError: (error: unknown) => void
  readonly onTimeout: () => void
}

/** Commands and pushed changes follow each other: each is run after those before it. */
export interface QueuedSession extends Session {
  readonly enqueue: <T>(work: () => Promise<T>) => Promise<T>
}

export function createSession(
  server: ImapServer,
  socket: Socket,
  { onError, onTimeout }: SessionEvents
): QueuedSession {
  let isPushRequested = false
  let queue: Promise<unknown> = Promise.resolve()

  function enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = queue.then(work)
    queue = result.catch(() => undefined)
    return result
  }

  async function push(): Promise<void> {
    isPushRequested = false
    if (session.isOver || session.unwatch === undefined) return
    await pushChanges(session)
    session.output.flush()
  }

  const session: QueuedSession = {
    server,
    socket,
    reader: createByteReader(socket),
    output: createOutput(socket),
    isEncrypted: false,
    account: undefined,
    selected: undefined,
    enabled: new Set(),
    notify: undefined,
    idleTag: undefined,
    unwatch: undefined,
    isOver: false,
    enqueue,
    onSocket: (current) => current.on('timeout', onTimeout),
    requestPush() {
      if (isPushRequested || session.isOver) return
      isPushRequested = true
      enqueue(push).catch(onError)
    }
  }
  return session
}
