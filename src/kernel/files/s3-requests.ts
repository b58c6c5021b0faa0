import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import type { AwsV4Signer } from 'aws4fetch'
import { createOutbound } from '../outbound.ts'
import type { OutboundResponse, OutboundStream } from '../outbound-stream.ts'
import { FilesRejected, FilesUnavailable } from './errors.ts'
import { parseS3Error } from './s3-listing.ts'
import type { S3Location } from './s3-location.ts'

export interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Undefined for a request to the bucket. */
  key?: string
  query?: Readonly<Record<string, string>>
  headers?: Readonly<Record<string, string>>
  body?: Uint8Array | OutboundStream
  /** SHA-256 of the body, which the server compares with what it has received. */
  hash?: string
  /** How often the request is sent; all requests here may be repeated. */
  attempts?: number
}

export interface S3Requests {
  /**
   * Resolves to a response of 2xx or one of `expected`. Rejects with `FilesUnavailable`; its cause
   * is `FilesRejected` if the server has rejected the request.
   */
  send: (request: S3Request, ...expected: readonly number[]) => Promise<OutboundResponse>
  /** Like `send` for a request whose response has no content of interest. */
  call: (request: S3Request, ...expected: readonly number[]) => Promise<OutboundResponse>
  /** The body of a response that is not a file. */
  read: (response: OutboundResponse) => Promise<string>
  close: () => Promise<void>
}

export interface S3Options {
  /** Called with what is wrong, for the operator. */
  report?: (problem: string) => void
  /** Maximum time without progress of a request. */
  idleTimeoutMs?: number
}

/** SHA-256 of no bytes. */
const EMPTY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const ATTEMPTS = 4
const FIRST_DELAY_MS = 100
/** No request is repeated later than this after its first attempt. */
const RETRY_MS = 15_000
const IDLE_TIMEOUT_MS = 10_000
/** 1,000 keys of at most 1,024 bytes with what belongs to them. */
const MAX_TEXT_BYTES = 4 * 1024 * 1024

/** `aws4fetch` signs requests, `kernel/outbound.ts` sends them to the endpoint and nowhere else. */
export function createS3Requests(
  { bucketUrl, region, keys, name }: S3Location,
  { report = () => {}, idleTimeoutMs = IDLE_TIMEOUT_MS }: S3Options = {}
): S3Requests {
  const { hostname } = new URL(bucketUrl)
  // The operator has named the endpoint, so it may be on this machine or in a private network.
  const outbound = createOutbound({ loopback: true, allow: [hostname.replace(/^\[|\]$/g, '')] })
  /** Keys that `aws4fetch` derives for a day. */
  const cache: NonNullable<ConstructorParameters<typeof AwsV4Signer>[0]['cache']> = new Map()

  async function sendOnce(request: S3Request): Promise<OutboundResponse> {
    const { method, key, query = {}, body, hash = EMPTY_HASH } = request
    const { AwsV4Signer } = await import('aws4fetch')
    const url = new URL(key === undefined ? bucketUrl : `${bucketUrl}/${key}`)
    for (const [option, value] of Object.entries(query)) url.searchParams.set(option, value)
    const headers = { ...request.headers, 'x-amz-content-sha256': hash }
    // Keys change with the day, and only one day's are needed.
    if (cache.size > 2) cache.clear()
    const { sessionToken, ...pair } = keys
    const signer = new AwsV4Signer({
      ...pair,
      ...(sessionToken !== undefined && { sessionToken }),
      ...{ method, url: url.href, headers, region, service: 's3', cache }
    })
    const signed = await signer.sign()
    return outbound.send(url.href, {
      method,
      headers: Object.fromEntries(signed.headers),
      body,
      idleTimeoutMs,
      maxBytes: Number.POSITIVE_INFINITY,
      named: true
    })
  }

  async function read({ body }: OutboundResponse): Promise<string> {
    let left = MAX_TEXT_BYTES
    body.on('data', (chunk: Uint8Array) => {
      left -= chunk.length
      if (left < 0) body.destroy(new Error('the response is too long'))
    })
    return text(body)
  }

  /** Undefined if another attempt may succeed. */
  async function tryOnce(
    request: S3Request,
    expected: readonly number[],
    isLast: boolean
  ): Promise<OutboundResponse | undefined> {
    let response: OutboundResponse
    try {
      response = await sendOnce(request)
    } catch (cause) {
      if (isLast) throw unavailable((cause as Error).message, cause)
      return undefined
    }
    const { status } = response
    if ((status >= 200 && status < 300) || expected.includes(status)) return response
    const said = await read(response).then(parseS3Error, () => undefined)
    const problem = `${status}${said ? ` ${said}` : ''}`
    const isPassing = status >= 500 || status === 429
    if (isPassing && !isLast) return undefined
    throw unavailable(problem, isPassing ? new Error(problem) : new FilesRejected(problem))
  }

  function unavailable(problem: string, cause: unknown): Error {
    report(`${name}: ${problem}`)
    return new FilesUnavailable({ cause })
  }

  async function send(
    request: S3Request,
    ...expected: readonly number[]
  ): Promise<OutboundResponse> {
    const { attempts = ATTEMPTS } = request
    const begun = performance.now()
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt >= attempts || performance.now() - begun > RETRY_MS
      const response = await tryOnce(request, expected, isLast)
      if (response !== undefined) return response
      await delay(FIRST_DELAY_MS * 3 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  return {
    read: (response) =>
      read(response).catch((cause) => {
        throw unavailable((cause as Error).message, cause)
      }),
    send,
    async call(request, ...expected) {
      const response = await send(request, ...expected)
      // Read to its end, so that the connection can be used again.
      response.body.on('error', () => {}).resume()
      return response
    },
    close: () => outbound.close()
  }
}
