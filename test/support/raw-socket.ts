import { connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'

export interface RawAnswer {
  /** Status of every response on the connection, in order. */
  statuses: number[]
  text: string
  /** Whether the server closed the connection; otherwise the client did after the quiet time. */
  closed: boolean
}

/**
 * Writes the pieces unchanged and reads until the server closes the connection or is quiet.
 * `firstByteMs` gives a busy machine more time for the first byte of a required response.
 */
export function sendRaw(
  url: string,
  pieces: readonly (string | Uint8Array)[],
  quietMs: number,
  firstByteMs = quietMs
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url)
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname)
    const chunks: Buffer[] = []
    let closed = false
    function finish(): void {
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      const statuses = [...text.matchAll(/^HTTP\/1\.1 (\d{3})/gm)].map(([, code]) => Number(code))
      resolve({ statuses, text, closed })
    }
    socket.setTimeout(firstByteMs)
    socket.on('timeout', async () => {
      // After a pause of this process its timers run before it reads what has arrived.
      const before = chunks.length
      await nextTurn()
      await nextTurn()
      if (chunks.length === before) finish()
    })
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      socket.setTimeout(quietMs)
    })
    socket.once('error', () => {
      closed = true
      finish()
    })
    socket.once('close', () => {
      closed = true
      finish()
    })
    socket.once('connect', () => {
      for (const piece of pieces) socket.write(piece)
    })
  })
}
