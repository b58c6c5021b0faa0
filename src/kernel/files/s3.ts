import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { createKeyedQueue } from '../keyed-queue.ts'
import type { OutboundResponse } from '../outbound-stream.ts'
import { type ByteRange, type FileDriver, isHash } from './driver.ts'
import { FilesRejected, FilesUnavailable } from './errors.ts'
import { FileTooLarge } from './files.ts'
import { findPartialFiles, openPartialFile } from './partial-file.ts'
import { type ListedObject, parseListing, parseS3Error } from './s3-listing.ts'
import type { S3Location } from './s3-location.ts'
import { createRemovals, MARK_MS } from './s3-removals.ts'
import { createS3Requests, type S3Options } from './s3-requests.ts'

/** The largest object of one request; S3 needs several for larger ones. */
const MAX_BYTES = 5 * 1024 ** 3
const READ_ATTEMPTS = 4
const REMOVED_AT_ONCE = 8
const DIGITS: readonly string[] = [...'0123456789abcdef']

export interface S3DriverOptions extends S3Options {
  /** First part of the keys below the location's prefix: the service. */
  name: string
  /** Folder on this machine for files that are not complete yet. */
  folder: string
  /** How long the removal of a file may take. */
  markMs?: number | undefined
}

/**
 * Files as objects `<prefix>/<name>/ab/abcdef…`. A file is collected on this machine until its hash
 * is known; then one request stores all of it or nothing, and the server compares the hash.
 */
export function openS3Files(location: S3Location, options: S3DriverOptions): FileDriver {
  const { bucket, prefix } = location
  const { folder } = options
  const root = prefix === '' ? options.name : `${prefix}/${options.name}`
  const idKey = `${root}/folder-id`
  const { send, call, read, close } = createS3Requests(location, options)
  const inOrder = createKeyedQueue()
  const removals = createRemovals(`${root}/removing`, { call }, options.markMs ?? MARK_MS)

  function keyOf(hash: string): string {
    if (!isHash(hash)) throw new RangeError(`${hash} is not a SHA-256 in hexadecimal digits`)
    return `${root}/${hash.slice(0, 2)}/${hash}`
  }

  async function upload(path: string, hash: string): Promise<void> {
    const key = keyOf(hash)
    const { size } = await stat(path)
    if (size > MAX_BYTES) throw new FileTooLarge(MAX_BYTES)
    const body = { length: size, open: () => createReadStream(path) }
    const put = () => call({ method: 'PUT', key, body, hash })
    await inOrder(hash, async () => {
      await put()
      if (await removals.mayHaveRemoved(hash, () => exists(hash))) await put()
    })
  }

  async function head(hash: string): Promise<Headers | undefined> {
    const { status, headers } = await call({ method: 'HEAD', key: keyOf(hash) }, 404)
    return status === 404 ? undefined : headers
  }

  async function exists(hash: string): Promise<boolean> {
    return (await head(hash)) !== undefined
  }

  async function isOlder(hash: string, before: number): Promise<boolean> {
    const headers = await head(hash)
    if (headers === undefined) return false
    const times = [Date.parse(headers.get('last-modified') ?? ''), Number(headers.get(KEPT))]
    return Math.max(...times) < before
  }

  /**
   * Copies the object onto itself, which gives it a new time. S3 requires that such a copy changes
   * something, so the time is part of its metadata, too.
   */
  async function touch(hash: string): Promise<boolean> {
    const key = keyOf(hash)
    const headers = {
      'x-amz-copy-source': `/${bucket}/${key}`,
      'x-amz-metadata-directive': 'REPLACE',
      [KEPT]: String(Date.now())
    }
    return inOrder(hash, async () => {
      const response = await send({ method: 'PUT', key, headers }, 404)
      if (await isMissing(response)) return false
      const problem = parseS3Error(await read(response))
      // S3 sends the status before it has copied.
      if (problem !== undefined) throw new FilesUnavailable({ cause: new Error(problem) })
      return !(await removals.mayHaveRemoved(hash, () => exists(hash)))
    })
  }

  /** Whether there is no such object; a bucket that is missing is an error. */
  async function isMissing(response: OutboundResponse): Promise<boolean> {
    if (response.status !== 404) return false
    const problem = parseS3Error(await read(response))
    if (!problem?.startsWith('NoSuchBucket')) return true
    throw new FilesUnavailable({ cause: new FilesRejected(`404 ${problem}`) })
  }

  async function get(hash: string, range?: ByteRange): Promise<OutboundResponse | undefined> {
    const headers = range && { range: `bytes=${range.start}-${range.end}` }
    const request = { method: 'GET', key: keyOf(hash), ...(headers && { headers }) } as const
    const response = await send(request, 404, 416)
    if (await isMissing(response)) return undefined
    if (range === undefined || response.status !== 200) return response
    response.body.destroy()
    throw new FilesUnavailable({ cause: new Error('The server knows no ranges') })
  }

  /** A connection that is cut is replaced by one for the rest. */
  async function* readOn(
    first: Readable,
    hash: string,
    { start, end }: ByteRange
  ): AsyncGenerator<Uint8Array> {
    let body: Readable = first
    let at = start
    for (let attempt = 1; at <= end; attempt++) {
      try {
        for await (const chunk of body) {
          at += chunk.length
          yield chunk
        }
        if (at <= end) throw new Error('The object is shorter than it was')
      } catch (cause) {
        const rest = attempt < READ_ATTEMPTS ? await get(hash, { start: at, end }) : undefined
        if (rest?.status !== 206) throw new FilesUnavailable({ cause })
        body = rest.body
      }
    }
  }

  async function* listed(start: string): AsyncGenerator<ListedObject> {
    let next: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: `${root}/${start}`,
        ...(next !== undefined && { 'continuation-token': next })
      }
      const page = parseListing(await read(await send({ method: 'GET', query })))
      yield* page.objects
      next = page.next
    } while (next !== undefined)
  }

  async function sizes(start: string): Promise<ReadonlyMap<string, number>> {
    const found = new Map<string, number>()
    for await (const { key, size } of listed(start)) {
      const hash = key.slice(-64)
      if (isHash(hash) && key === keyOf(hash)) found.set(hash, size)
    }
    return found
  }

  /** Another installation may have a prefix that begins with this one. */
  function isOwnKey(key: string): boolean {
    const hash = key.slice(-64)
    if (key === idKey || key === `${root}/removing/${hash}`) return true
    return isHash(hash) && key === keyOf(hash)
  }

  async function remove(key: string): Promise<void> {
    await call({ method: 'DELETE', key }, 404)
  }

  async function readId(): Promise<string | undefined> {
    const response = await send({ method: 'GET', key: idKey }, 404)
    return (await isMissing(response)) ? undefined : (await read(response)).trim()
  }

  async function oldRemovals(before: number): Promise<readonly string[]> {
    const keys: string[] = []
    for await (const { key, modified } of listed('removing/')) if (modified < before) keys.push(key)
    return keys
  }

  return {
    prefixes: DIGITS,
    begin: () => openPartialFile(folder, { durable: false, finish: upload }),
    async open(hash, range) {
      const response = await get(hash, range)
      if (response === undefined) return undefined
      const { status, headers, body } = response
      const whole = wholeSize(status, headers)
      if (whole === undefined) {
        body.destroy()
        const size = Number((await head(hash))?.get('content-length'))
        return { size, stream: Readable.from([]) }
      }
      const { start, end } = range ?? { start: 0, end: whole - 1 }
      const chunks = readOn(body, hash, { start, end: Math.min(end, whole - 1) })
      const stream = Readable.from(chunks, { objectMode: false })
      stream.once('close', () => body.destroy())
      return { size: whole, stream }
    },
    async size(hash) {
      const headers = await head(hash)
      return headers && Number(headers.get('content-length'))
    },
    remove: (hash) => inOrder(hash, () => remove(keyOf(hash))),
    touch,
    removeUnused(hash, before, isInUse) {
      const key = keyOf(hash)
      const isUnused = async () => (await isOlder(hash, before)) && !(await isInUse())
      return inOrder(hash, () => removals.remove(hash, key, isUnused))
    },
    async list(start) {
      return [...(await sizes(start)).keys()].sort()
    },
    sizes,
    async countLeftovers(before) {
      return (await findPartialFiles(folder, before)).length + (await oldRemovals(before)).length
    },
    async removeLeftovers(before) {
      const partials = await findPartialFiles(folder, before)
      for (const path of partials) await rm(path, { force: true })
      for (const key of await oldRemovals(before)) await remove(key)
      return partials.length
    },
    async removeAll() {
      const keys: string[] = []
      for await (const { key } of listed('')) if (isOwnKey(key)) keys.push(key)
      for (let done = 0; done < keys.length; done += REMOVED_AT_ONCE) {
        await Promise.all(keys.slice(done, done + REMOVED_AT_ONCE).map(remove))
      }
    },
    id: readId,
    async createId() {
      const found = await readId()
      if (found !== undefined) return found
      const body = Buffer.from(`${randomBytes(16).toString('hex')}\n`)
      const hash = createHash('sha256').update(body).digest('hex')
      const request = { method: 'PUT', key: idKey, body, hash } as const
      // Not every server can tell whether another process has stored one (409, 412); those that
      // cannot say 501.
      const once = { ...request, headers: { 'if-none-match': '*' } }
      const { status } = await call(once, 409, 412, 501)
      if (status === 501) await call(request)
      return (await readId()) ?? String(body).trim()
    },
    close
  }
}

/** Time of the last use in milliseconds, beside the time that the server gives an object. */
const KEPT = 'x-amz-meta-kept'

/** Size of the whole object; undefined if the range begins behind its end. */
function wholeSize(status: number, headers: Headers): number | undefined {
  if (status === 416) return undefined
  const total = /\/(\d+)$/.exec(headers.get('content-range') ?? '')?.[1]
  return Number(total ?? headers.get('content-length'))
}
