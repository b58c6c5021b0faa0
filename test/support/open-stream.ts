import { type ClientRequest, get, type IncomingMessage } from 'node:http'

export interface StreamEvent {
  id?: string
  event?: string
  data?: string
  retry?: string
  /** A line that starts with a colon. */
  comment?: string
}

export interface OpenStream extends Disposable {
  response: IncomingMessage
  /** The next block; undefined at the end or when the connection was reset. */
  next: () => Promise<StreamEvent | undefined>
  /** Whether the server finished the response, rather than resetting the connection. */
  ended: () => boolean
}

/** Reads server-sent events from a real socket, block by block. */
export async function openStream(
  url: string,
  headers: Readonly<Record<string, string>> = {}
): Promise<OpenStream> {
  const request: ClientRequest = get(url, { headers, agent: false })
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve)
    request.once('error', reject)
  })
  const blocks = readBlocks(response)
  return {
    response,
    next: async () => (await blocks.next()).value ?? undefined,
    ended: () => response.complete,
    [Symbol.dispose]: () => request.destroy()
  }
}

async function* readBlocks(response: IncomingMessage): AsyncGenerator<StreamEvent> {
  let text = ''
  try {
    for await (const chunk of response.setEncoding('utf8')) {
      text += chunk
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        yield parseBlock(text.slice(0, end))
        text = text.slice(end + 2)
      }
    }
  } catch (error) {
    // A reset connection ends the stream; `ended` tells the difference.
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error
  }
}

function parseBlock(block: string): StreamEvent {
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const [name = '', ...rest] = line.split(': ')
      return name === '' ? ['comment', rest.join(': ')] : [name, rest.join(': ')]
    })
  )
}
