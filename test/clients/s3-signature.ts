/** Recomputes the signature of a request to S3 with another implementation than the one in use. */
import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { SignatureV4 } from '@smithy/signature-v4'

/** As S3. */
const MAX_SKEW_MS = 15 * 60_000
const HEADER =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/\d{8}\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
/** Without these a signature would not cover what matters. */
const REQUIRED = ['host', 'x-amz-content-sha256', 'x-amz-date']

class Sha256 {
  #hash: Hash | Hmac
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Uint8Array)
  }
  update(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }
  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }
  reset(): void {}
}

interface Keys {
  accessKeyId: string
  secretAccessKey: string
}

/** The code of the error that S3 would respond with; undefined if the request is valid. */
export async function checkSignature(
  { method = '', url = '', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
  keys: Keys
): Promise<string | undefined> {
  const [, id, region = '', list = '', signature] = HEADER.exec(headers.authorization ?? '') ?? []
  if (id === undefined) return 'AccessDenied'
  if (id !== keys.accessKeyId) return 'InvalidAccessKeyId'
  const signed = list.split(';')
  // Headers of S3 that are not signed could be added by others.
  const amazon = Object.keys(headers).filter((name) => name.startsWith('x-amz-'))
  if (![...REQUIRED, ...amazon].every((name) => signed.includes(name))) return 'AccessDenied'
  const time = parseTime(String(headers['x-amz-date']))
  if (!(Math.abs(Date.now() - time.getTime()) <= MAX_SKEW_MS)) return 'RequestTimeTooSkewed'
  if (createHash('sha256').update(body).digest('hex') !== headers['x-amz-content-sha256']) {
    return 'XAmzContentSHA256Mismatch'
  }
  const { pathname, searchParams, hostname } = new URL(url, `http://${headers.host}`)
  const signer = new SignatureV4({
    ...{ service: 's3', region, credentials: keys, sha256: Sha256 },
    uriEscapePath: false
  })
  const again = await signer.sign(
    {
      ...{ method, protocol: 'http:', hostname, path: pathname },
      query: Object.fromEntries(searchParams),
      headers: Object.fromEntries(signed.map((name) => [name, String(headers[name] ?? '')]))
    },
    { signingDate: time, signableHeaders: new Set(signed) }
  )
  const expected = HEADER.exec(again.headers.authorization ?? '')
  return expected?.[4] === signature ? undefined : 'SignatureDoesNotMatch'
}

function parseTime(text: string): Date {
  return new Date(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
}
