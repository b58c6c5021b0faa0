import { once } from 'node:events'
import { connect } from 'node:net'
import { createResponseReader, type ImapResponse } from './imap-response.ts'

const TIMEOUT_MS = 30_000

/** Text as it is; bytes are sent as a literal. */
export type CommandPart = string | Buffer

export interface ImapClient extends Disposable {
  greeting: ImapResponse
  /** Resolves with the responses; the last one has the tag. */
  command: (...parts: readonly CommandPart[]) => Promise<readonly ImapResponse[]>
  /** Starts IDLE and resolves when the server is ready; call the result to end it. */
  idle: () => Promise<() => Promise<readonly ImapResponse[]>>
  /** The responses so far that no command has taken. */
  waiting: () => readonly ImapResponse[]
  /** Takes them. */
  take: () => readonly ImapResponse[]
}

export interface ImapClientOptions {
  host?: string
  port: number
  /** Sends literals without waiting for the server (RFC 7888). */
  nonSync?: boolean
}

/** A client without knowledge of commands, which shows every response. */
export async function openImap(options: ImapClientOptions): Promise<ImapClient> {
  const { host = '127.0.0.1', port, nonSync = true } = options
  const socket = connect({ host, port, noDelay: true })
  const queue: ImapResponse[] = []
  let wake = () => {}
  let ended: Error | undefined
  socket.on('data', createResponseReader(add))
  socket.on('error', end)
  socket.once('close', () => end(new Error('The server closed the connection.')))
  function add(response: ImapResponse): void {
    queue.push(response)
    wake()
  }
  function end(error: Error): void {
    ended ??= error
    wake()
  }
  async function next(): Promise<ImapResponse> {
    for (;;) {
      const response = queue.shift()
      if (response !== undefined) return response
      if (ended !== undefined) throw ended
      const timer = setTimeout(end, TIMEOUT_MS, new Error('The server does not respond.'))
      await new Promise<void>((resolve) => {
        wake = resolve
      })
      clearTimeout(timer)
    }
  }
  let number = 0
  async function command(...parts: readonly CommandPart[]): Promise<readonly ImapResponse[]> {
    const tag = `a${++number}`
    const responses: ImapResponse[] = []
    let line = `${tag} `
    for (const part of parts) {
      if (typeof part === 'string') {
        line += part
        continue
      }
      socket.write(`${line}{${part.length}${nonSync ? '+' : ''}}\r\n`, 'latin1')
      line = ''
      if (!nonSync) {
        const last = await readUntil(responses, (response) => isDone(response, tag))
        if (last.tag === tag) return responses
        responses.pop()
      }
      socket.write(part)
    }
    socket.write(`${line}\r\n`, 'latin1')
    await readUntil(responses, (response) => response.tag === tag)
    return responses
  }
  async function idle() {
    const tag = `a${++number}`
    const before: ImapResponse[] = []
    socket.write(`${tag} IDLE\r\n`)
    const last = await readUntil(before, (response) => isDone(response, tag))
    return async () => {
      if (last.tag === tag) return before
      socket.write('DONE\r\n')
      const responses = before.filter((response) => response.tag !== '+')
      await readUntil(responses, (response) => response.tag === tag)
      return responses
    }
  }
  async function readUntil(
    responses: ImapResponse[],
    isLast: (response: ImapResponse) => boolean
  ): Promise<ImapResponse> {
    for (;;) {
      const response = await next()
      responses.push(response)
      if (isLast(response)) return response
    }
  }
  await once(socket, 'connect')
  return {
    greeting: await next(),
    command,
    idle,
    waiting: () => queue,
    take: () => queue.splice(0),
    [Symbol.dispose]: () => socket.destroy()
  }
}

function isDone(response: ImapResponse, tag: string): boolean {
  return response.tag === '+' || response.tag === tag
}
