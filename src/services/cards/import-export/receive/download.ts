import { type Outbound, OutboundError } from '../../../../kernel/outbound.ts'
import type { CardContext } from '../../context.ts'
import { DownloadFailed } from '../../contract.ts'
import type { StoredUpload } from '../../records/stored-upload.ts'
import type { DownloadRequest } from '../protocol.ts'
import { storeChunks } from './receive-file.ts'

const TIMEOUT_MS = 60_000
const MAX_HOPS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface Download {
  readonly url: string
  readonly key: string
  readonly token: string
}

/** Downloads an attachment of Trello and stores it. */
export async function downloadFile(
  context: CardContext,
  request: DownloadRequest
): Promise<StoredUpload> {
  const { kernel, options } = context
  const bytes = await download(kernel.outbound, request, options.maxFileBytes)
  async function* content(): AsyncGenerator<Uint8Array> {
    yield bytes
  }
  return storeChunks(context, request.fileName, content())
}

/**
 * The first URL must be of Trello. Each hop is checked again: https only, and never to this machine
 * or a private network. Only hops to Trello have the header with key and token.
 */
export async function download(
  outbound: Pick<Outbound, 'fetch'>,
  { url: first, key, token }: Download,
  maxBytes: number
): Promise<Uint8Array> {
  let url = new URL(first)
  if (!isOfTrello(url)) throw new DownloadFailed('its URL is not of trello.com')
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    if (url.protocol !== 'https:') throw new DownloadFailed('it is not at an https URL')
    const headers = isOfTrello(url) ? { authorization: authorization(key, token) } : {}
    const response = await send(outbound, url, headers, maxBytes)
    const location = response.headers.get('location')
    if (!REDIRECTS.has(response.status) || location === null) {
      if (!response.ok) throw new DownloadFailed(`the response had the status ${response.status}`)
      return new Uint8Array(await response.arrayBuffer())
    }
    const next = URL.parse(location, url)
    if (next === null) throw new DownloadFailed('it redirects to something that is no URL')
    url = next
  }
  throw new DownloadFailed('it redirects too often')
}

function isOfTrello({ hostname, protocol, port, username }: URL): boolean {
  const isHost = hostname === 'trello.com' || hostname.endsWith('.trello.com')
  return isHost && protocol === 'https:' && port === '' && username === ''
}

function authorization(key: string, token: string): string {
  const clean = (text: string) => text.replace(/[^\w-]/g, '')
  return `OAuth oauth_consumer_key="${clean(key)}", oauth_token="${clean(token)}"`
}

async function send(
  outbound: Pick<Outbound, 'fetch'>,
  url: URL,
  headers: Readonly<Record<string, string>>,
  maxBytes: number
): Promise<Response> {
  try {
    // `forwarded`: loopback is not allowed, since the file decides about the URL.
    return await outbound.fetch(url.href, {
      method: 'GET',
      headers,
      timeoutMs: TIMEOUT_MS,
      maxBytes,
      forwarded: true
    })
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    throw new DownloadFailed(`it could not be downloaded (${error.code})`)
  }
}
