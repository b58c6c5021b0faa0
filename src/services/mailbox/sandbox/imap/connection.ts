import type { Socket } from 'node:net'
import { StorageUnavailable } from '../../../../kernel/database/errors.ts'
import { runCommand, writeTagged } from './run-command.ts'
import { capabilityOf } from './session/capability.ts'
import { createSession, type QueuedSession } from './session/create-session.ts'
import { updateWatch } from './session/push.ts'
import { type ImapServer, unselect } from './session/session.ts'
import { FULL_SYNC, syncSelected } from './session/sync.ts'
import { LineTooLong } from './wire/byte-reader.ts'
import { ConnectionError, syntaxError } from './wire/errors.ts'
import { type CommandText, readCommand, UnreadableCommand } from './wire/read-command.ts'

/** Before the client has signed in. */
const MAX_EARLY_BYTES = 8192
const MAX_EARLY_SECONDS = 180
/** Malformed commands in a row, after which the connection is closed. */
const MAX_MISTAKES = 20
/** After BYE, for a client that does not close the connection. */
const CLOSE_MS = 10_000

export interface Connection {
  /** Tells the client why, after the command that runs, and closes. */
  close: (reason: string) => Promise<void>
}

/** Serves one connection to its end; `onClose` is called once. */
export function openConnection(
  server: ImapServer,
  socket: Socket,
  onClose: () => void
): Connection {
  const session = createSession(server, socket, {
    onError: (error) => endWithError(session, error),
    onTimeout: () => sayBye(session, 'Disconnected for inactivity.')
  })
  // Commands that were sent before the end of the stream still get their responses.
  socket.allowHalfOpen = true
  session.onSocket(socket)
  serve(session)
    .catch((error: unknown) => endWithError(session, error))
    .finally(() => {
      end(session)
      onClose()
    })
  return { close: (reason) => session.enqueue(async () => sayBye(session, reason)) }
}

async function serve(session: QueuedSession): Promise<void> {
  setIdleTime(session)
  session.output.line(`* OK [CAPABILITY ${capabilityOf(session)}] nonet ready.`)
  session.output.flush()
  let mistakes = 0
  while (!session.isOver) {
    const isRight =
      session.idleTag === undefined ? await serveCommand(session) : await serveDone(session)
    if (isRight === undefined) return
    mistakes = isRight ? 0 : mistakes + 1
    if (mistakes >= MAX_MISTAKES) throw new ConnectionError('Too many invalid IMAP commands.')
    await session.output.ready()
  }
}

/** Whether the command was well-formed; undefined at the end of the stream. */
async function serveCommand(session: QueuedSession): Promise<boolean | undefined> {
  const text = await nextCommand(session)
  if (text === undefined) return undefined
  return session.enqueue(async () => {
    const wasSignedIn = session.account !== undefined
    const isRight = text instanceof UnreadableCommand ? false : await runCommand(session, text)
    if (text instanceof UnreadableCommand) writeTagged(session, text.tag, text.reason)
    session.output.flush()
    if (!wasSignedIn) setIdleTime(session)
    updateWatch(session)
    return isRight
  })
}

async function nextCommand(
  session: QueuedSession
): Promise<CommandText | UnreadableCommand | undefined> {
  const { server, account, reader, output } = session
  const maxBytes = server.context.options.sandboxLineBytes
  try {
    return await readCommand(reader, output, {
      maxBytes: account === undefined ? Math.min(maxBytes, MAX_EARLY_BYTES) : maxBytes,
      streamsMessages: account !== undefined,
      allowsLiteralPlus: server.extensions.has('LITERAL+')
    })
  } catch (error) {
    if (error instanceof UnreadableCommand) return error
    throw error
  }
}

/** The line that ends IDLE. */
async function serveDone(session: QueuedSession): Promise<boolean | undefined> {
  const line = await session.reader.readLine(MAX_EARLY_BYTES)
  if (line === undefined) return undefined
  return session.enqueue(async () => {
    const tag = session.idleTag ?? '*'
    session.idleTag = undefined
    const isDone = line.toString('latin1').toUpperCase() === 'DONE'
    if (isDone) await syncSelected(session, FULL_SYNC)
    const completion = isDone ? { text: 'Idle completed.' } : syntaxError('Expected DONE.')
    writeTagged(session, tag, completion)
    session.output.flush()
    updateWatch(session)
    return isDone
  })
}

function setIdleTime({ socket, account, server }: QueuedSession): void {
  const seconds = server.context.options.sandboxIdleSeconds
  socket.setTimeout(1000 * (account === undefined ? Math.min(seconds, MAX_EARLY_SECONDS) : seconds))
}

function endWithError(session: QueuedSession, error: unknown): void {
  if (session.isOver) return
  if (error instanceof LineTooLong) sayBye(session, 'The command line is too long.')
  else if (error instanceof ConnectionError) sayBye(session, error.message)
  else if (error instanceof StorageUnavailable) {
    sayBye(session, '[UNAVAILABLE] The storage is unavailable; try again.')
  } else {
    const name = error instanceof Error ? error.name : typeof error
    if (!session.socket.destroyed) {
      session.server.context.kernel.warn(`mailbox: an IMAP connection failed: ${name}`)
    }
    sayBye(session, 'Internal error.')
  }
}

function sayBye(session: QueuedSession, reason: string): void {
  if (session.isOver) return
  session.output.line(`* BYE ${reason}`)
  end(session)
}

/** May be called more than once. */
function end(session: QueuedSession): void {
  const { socket, output, reader } = session
  session.isOver = true
  session.unwatch?.()
  session.unwatch = undefined
  unselect(session)
  output.flush()
  if (socket.destroyed || socket.writableEnded) return
  // What the client still sends is read, so that it gets the last responses.
  reader.detach()
  socket.resume()
  socket.end()
  setTimeout(() => socket.destroy(), CLOSE_MS).unref()
}
