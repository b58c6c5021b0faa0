/** S3-compatible storage: `s3rver` behind a checker that rejects what S3 would reject. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { parseS3Url, type S3Location } from '../../src/kernel/files/s3-location.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { checkSignature } from './s3-signature.ts'

const S3rver = createRequire(import.meta.url)('s3rver')

export const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }
/** The same keys as settings of nonet. */
export const KEY_SETTINGS = {
  filesAccessKey: KEYS.accessKeyId,
  filesSecretKey: KEYS.secretAccessKey
}
const BUCKET = 'nonet-files'
const OBJECT = '._S3rver_object'

/** What happens to a request instead of a response; a number is a status. */
export type Fault = 'cut the upload' | 'cut the download' | 'no response' | number | undefined

export interface S3Server extends AsyncDisposable {
  endpoint: string
  /** Value of `--files`. */
  urlOf: (prefix: string) => string
  locationOf: (prefix: string, keys?: typeof KEYS) => S3Location
  /** Each request that was checked, and why it was rejected. */
  requests: { method: string; path: string; rejected: string | undefined }[]
  /** Decides about each request before it is checked. */
  fault: (request: IncomingMessage) => Fault
  /** Maximum number of keys in one listing. */
  pageSize: number
  keys: () => string[]
  /** Makes the object look as if it had been stored long ago. */
  age: (key: string) => void
  /** Replaces the content without the driver. */
  damage: (key: string, content: string) => void
  /** Stores an empty object without the driver. */
  put: (key: string) => void
}

export async function startS3(): Promise<S3Server> {
  const folder = temporaryFolder()
  const store = new S3rver({
    ...{ port: 0, address: '127.0.0.1', silent: true, directory: folder.path },
    configureBuckets: [{ name: BUCKET }],
    allowMismatchedSignatures: true
  })
  const { port: storePort } = await store.run()
  const checker = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.destroy())
  })
  await once(checker.listen(0, '127.0.0.1'), 'listening')
  const endpoint = `http://127.0.0.1:${(checker.address() as AddressInfo).port}`
  const pathOf = (key: string) => join(folder.path, BUCKET, `${key}${OBJECT}`)
  /** Keys that a conditional request is storing. */
  const storing = new Set<string>()

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = server.fault(incoming)
    if (fault === 'no response') return
    if (fault === 'cut the upload') {
      incoming.once('data', () => incoming.socket.resetAndDestroy())
      return
    }
    // Like S3, which stores an object when all of it has arrived; s3rver would store the part.
    const body = await buffer(incoming)
    if (typeof fault === 'number') return sendError(response, fault, 'InternalError')
    const rejected = await checkSignature(incoming, body, KEYS)
    const { method = '', url: path = '' } = incoming
    server.requests.push({ method, path, rejected })
    if (rejected !== undefined) return sendError(response, 403, rejected)
    await forward(incoming, body, response, fault)
  }

  async function forward(
    incoming: IncomingMessage,
    body: Buffer,
    response: ServerResponse,
    fault: Fault
  ): Promise<void> {
    const { method = '', headers } = incoming
    const url = new URL(incoming.url ?? '', endpoint)
    const key = url.pathname.slice(BUCKET.length + 2)
    // s3rver ignores this condition.
    if (headers['if-none-match'] === '*' && (existsSync(pathOf(key)) || storing.has(key))) {
      while (storing.has(key)) await delay(5)
      return sendError(response, 412, 'PreconditionFailed')
    }
    if (headers['if-none-match'] === '*') storing.add(key)
    // s3rver makes tokens for further pages only on old versions of Node.
    const token = url.searchParams.get('continuation-token')
    url.searchParams.delete('continuation-token')
    if (token !== null) url.searchParams.set('start-after', keyOfToken(token))
    // s3rver takes the last byte 0 for no last byte.
    const isFirstByte = headers.range === 'bytes=0-0'
    const sent = { ...headers, ...(isFirstByte && { range: 'bytes=0-1' }) }
    const forwarded = request({
      ...{ port: storePort, host: '127.0.0.1', method, headers: sent },
      path: url.pathname + url.search
    }).end(body)
    const [answer] = (await once(forwarded, 'response')) as [IncomingMessage]
    const content = await buffer(answer)
    if (method === 'PUT' && headers['x-amz-copy-source'] === undefined) {
      // s3rver responds before it has written the last bytes.
      while (answer.statusCode === 200 && sizeOf(pathOf(key)) !== body.length) await delay(2)
    }
    storing.delete(key)
    const isList = url.searchParams.has('list-type') && answer.statusCode === 200
    const cut = isList ? cutListing(String(content), server.pageSize) : content
    const shown = isFirstByte ? content.subarray(0, 1) : Buffer.from(cut)
    const range = isFirstByte && { 'content-range': `bytes 0-0/${sizeOf(pathOf(key))}` }
    const length = method === 'HEAD' ? answer.headers['content-length'] : String(shown.length)
    const { 'transfer-encoding': _, ...others } = answer.headers
    response.writeHead(answer.statusCode ?? 500, {
      ...others,
      ...range,
      'content-length': length ?? '0'
    })
    if (fault !== 'cut the download') return void response.end(shown)
    response.write(shown.subarray(0, shown.length / 2), () => response.socket?.resetAndDestroy())
  }

  const server: S3Server = {
    endpoint,
    requests: [],
    fault: () => undefined,
    pageSize: 1000,
    urlOf: (prefix) => `s3://${BUCKET}/${prefix}?endpoint=${endpoint}`,
    locationOf: (prefix, keys = KEYS) => parseS3Url(server.urlOf(prefix), keys),
    keys: () =>
      globSync(`**/*${OBJECT}`, { cwd: join(folder.path, BUCKET) })
        .map((name) => name.slice(0, -OBJECT.length))
        .sort(),
    age: (key) => utimesSync(pathOf(key), 1, 1),
    damage: (key, content) => writeFileSync(pathOf(key), content),
    put(key) {
      mkdirSync(dirname(pathOf(key)), { recursive: true })
      writeFileSync(pathOf(key), '')
    },
    async [Symbol.asyncDispose]() {
      checker.closeAllConnections()
      checker.close()
      store.httpServer.closeAllConnections()
      await store.close()
      folder[Symbol.dispose]()
    }
  }
  return server
}

/** Characters that have a meaning in URLs and in XML are part of it. */
const tokenOf = (key: string) => `&+/ =${key}`
const keyOfToken = (token: string) => token.slice(tokenOf('').length)

function cutListing(xml: string, pageSize: number): string {
  const contents = xml.match(/<Contents>.*?<\/Contents>/gs) ?? []
  if (contents.length <= pageSize) return xml
  const last = /<Key>(.*?)<\/Key>/.exec(contents[pageSize - 1] ?? '')?.[1] ?? ''
  const next = tokenOf(last).replace('&', '&amp;')
  return xml
    .replace(contents.slice(pageSize).join(''), '')
    .replace('<IsTruncated>false<', `<NextContinuationToken>${next}</NextContinuationToken>$&`)
    .replace('<IsTruncated>false<', '<IsTruncated>true<')
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}

function sendError(response: ServerResponse, status: number, code: string): void {
  const text = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>No</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text)
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
