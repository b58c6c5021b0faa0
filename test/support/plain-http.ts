import { once } from 'node:events'
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http'

export interface PlainAnswer {
  status: number | undefined
  headers: IncomingHttpHeaders
  /** Names and values in turn, as received. */
  rawHeaders: string[]
  body: Buffer
}

export interface PlainRequest {
  method?: string
  headers?: Readonly<Record<string, string | readonly string[]>>
  body?: string | Uint8Array
}

/** Used instead of fetch, which sends no body with GET, adds headers and decodes responses. */
export async function sendPlain(
  url: string,
  { method = 'GET', headers = {}, body }: PlainRequest = {}
): Promise<PlainAnswer> {
  const own = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const outgoing = request(url, { method, headers: { ...own, ...headers }, agent: false })
  outgoing.end(body)
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk)
  const { statusCode: status, rawHeaders } = response
  return { status, headers: response.headers, rawHeaders, body: Buffer.concat(chunks) }
}
