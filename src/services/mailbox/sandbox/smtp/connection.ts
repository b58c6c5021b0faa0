import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { SecureContext } from 'node:tls'
import type { SMTPServer } from 'smtp-server'
import { SMTPConnection } from 'smtp-server/lib/smtp-connection.js'
import type { SMTPStream } from 'smtp-server/lib/smtp-stream.js'
import { NO_TLS, STOPPING } from './contract.ts'
import { createUnstuffing } from './unstuffing.ts'

/** A connection of `smtp-server` on a socket that the host has accepted. */
export class SandboxConnection extends SMTPConnection {
  readonly #secureContext: () => Promise<SecureContext>
  /** The host counts connections by them. */
  readonly #closeListeners: readonly ((hadError: boolean) => void)[]

  constructor(server: SMTPServer, socket: Socket, secureContext: () => Promise<SecureContext>) {
    super(server, socket)
    this.#secureContext = secureContext
    this.#closeListeners = socket.listeners('close') as ((hadError: boolean) => void)[]
  }

  /** `smtp-server` takes a turn of the event loop for each line that begins with two dots. */
  override _createParser(): SMTPStream {
    const parser = super._createParser()
    parser._feedDataStream = feedMessages(parser)
    return parser
  }

  /** Greets at once; `smtp-server` waits 100 ms, to detect clients that do not wait. */
  override init(): void {
    this._setListeners(() => this.connectionReady())
  }

  /** With the certificate, which is made for the first client that needs it. */
  override handler_STARTTLS(command: Buffer, callback: () => void): void {
    this.#secureContext().then(
      (context) => {
        this._server.secureContext.set('*', context)
        super.handler_STARTTLS(command, callback)
      },
      () => {
        this.send(...NO_TLS)
        callback()
      }
    )
  }

  /** `smtp-server` removes all listeners of the socket. */
  override upgrade(callback: () => void, secureCallback?: () => void): void {
    const socket = this._socket
    super.upgrade(callback, secureCallback)
    for (const listener of this.#closeListeners) socket.once('close', listener)
  }

  /** A message that is being received still gets its reply. */
  stop(): void {
    if (!this._dataStream) this.send(...STOPPING)
  }
}

function feedMessages(parser: SMTPStream): SMTPStream['_feedDataStream'] {
  let unstuff = createUnstuffing()
  return (chunk, done) => {
    if (parser._atDataStart) unstuff = createUnstuffing()
    parser._atDataStart = false
    const { content, rest } = unstuff(chunk)
    parser._countDataBytes(content.length)
    const stream = parser._dataStream
    if (rest !== undefined) parser._endDataMode(content, rest, done)
    else if (!stream?.writable || content.length === 0 || stream.write(content)) done()
    else waitUntilRead(stream, done)
  }
}

/** A stream that is destroyed is only closed. */
function waitUntilRead(stream: Writable, done: () => void): void {
  const proceed = () => {
    stream.off('drain', proceed).off('close', proceed)
    done()
  }
  stream.once('drain', proceed).once('close', proceed)
}
