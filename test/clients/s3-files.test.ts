/** Files on S3-compatible storage: signatures, the tables of all drivers, and faults. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, beforeEach, describe, test } from 'node:test'
import { AwsV4Signer } from 'aws4fetch'
import type { FileDriver, OpenedFile } from '../../src/kernel/files/driver.ts'
import { FilesRejected, FilesUnavailable } from '../../src/kernel/files/errors.ts'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openS3Files } from '../../src/kernel/files/s3.ts'
import { testRemovals, testSweeps } from '../database/files-tables.ts'
import { inChunks, openHome } from '../database/pictures.ts'
import { ENGINES } from '../support/engines.ts'
import { testFileDriver } from '../support/file-driver-table.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { KEYS, sha256, startS3 } from './s3-server.ts'

const s3 = await startS3()
const drivers: FileDriver[] = []
let count = 0
after(async () => {
  for (const driver of drivers) await driver.close()
  await s3[Symbol.asyncDispose]()
})
beforeEach(() => {
  s3.fault = () => undefined
  s3.requests.length = 0
})

interface Opened {
  keys?: typeof KEYS
  idleTimeoutMs?: number
}

function openSite({ keys = KEYS, ...options }: Opened = {}) {
  const prefix = `site-${count++}`
  const folder = join(scratchFolder(), 'uploads')
  const problems: string[] = []
  const keyOf = (hash: string) => `${prefix}/things/${hash.slice(0, 2)}/${hash}`
  const openAgain = () => {
    const driver = openS3Files(s3.locationOf(prefix, keys), {
      ...{ name: 'things', folder, ...options },
      report: (problem) => problems.push(problem)
    })
    drivers.push(driver)
    return driver
  }
  const driver = openAgain()
  return {
    ...{ driver, openAgain, prefix, keyOf, problems, folder },
    files: createFiles(driver),
    names() {
      const keys = s3.keys().filter((key) => key.startsWith(`${prefix}/`))
      const partial = existsSync(folder) ? readdirSync(folder) : []
      return [...keys.map((key) => key.slice(key.lastIndexOf('/') + 1)), ...partial].sort()
    },
    age: (hash: string) => s3.age(keyOf(hash)),
    damage: (hash: string, content: string) => s3.damage(keyOf(hash), content)
  }
}

testFileDriver('files on S3', openSite)
for (const engine of ENGINES) {
  testSweeps(`a sweep of S3 on ${engine}`, engine, (one) => openHome(one, s3))
}
testRemovals('an object whose removal has begun', (engine, markMs) => openHome(engine, s3, markMs))

describe('the checker, which recomputes signatures with another implementation', () => {
  interface Change {
    secret?: string
    body?: string
    path?: string
    query?: string
    headers?: Record<string, string>
    datetime?: string
  }
  const KEY = '/nonet-files/checked/object'

  /** Signs one request and sends another. */
  async function sendChanged({ secret, datetime, ...sent }: Change): Promise<string> {
    const { url, headers } = await new AwsV4Signer({
      ...KEYS,
      ...(secret !== undefined && { secretAccessKey: secret }),
      ...(datetime !== undefined && { datetime }),
      ...{ method: 'PUT', url: `${s3.endpoint}${KEY}?a=1`, service: 's3', region: 'us-east-1' },
      headers: { 'x-amz-content-sha256': sha256(Buffer.from('content')), 'x-amz-meta-a': '1' }
    }).sign()
    if (sent.path !== undefined) url.pathname = sent.path
    if (sent.query !== undefined) url.search = sent.query
    for (const [name, value] of Object.entries(sent.headers ?? {})) headers.set(name, value)
    const { status } = await fetch(url, { method: 'PUT', headers, body: sent.body ?? 'content' })
    return `${status} ${s3.requests.at(-1)?.rejected ?? 'accepted'}`
  }

  const minutesAgo = (minutes: number) =>
    new Date(Date.now() - minutes * 60_000).toISOString().replace(/[:-]|\.\d{3}/g, '')

  const rows: [what: string, change: Change, expected: string][] = [
    ['an unchanged request', {}, '200 accepted'],
    ['a request of a few minutes ago', { datetime: minutesAgo(10) }, '200 accepted'],
    ['a wrong secret', { secret: 'OTHER' }, '403 SignatureDoesNotMatch'],
    ['a changed body', { body: 'Content' }, '403 XAmzContentSHA256Mismatch'],
    [
      'a changed body with its hash',
      { body: 'x', headers: { 'x-amz-content-sha256': sha256(Buffer.from('x')) } },
      '403 SignatureDoesNotMatch'
    ],
    ['a changed path', { path: `${KEY}s` }, '403 SignatureDoesNotMatch'],
    ['a changed query', { query: '?a=2' }, '403 SignatureDoesNotMatch'],
    ['a changed header', { headers: { 'x-amz-meta-a': '2' } }, '403 SignatureDoesNotMatch'],
    ['an added header', { headers: { 'x-amz-acl': 'public-read' } }, '403 AccessDenied'],
    ['an old date', { datetime: minutesAgo(20) }, '403 RequestTimeTooSkewed'],
    ['a date to come', { datetime: minutesAgo(-20) }, '403 RequestTimeTooSkewed'],
    ['no signature', { headers: { authorization: '' } }, '403 AccessDenied']
  ]
  for (const [what, change, expected] of rows) {
    test(`${what}: ${expected}`, async () => assert.equal(await sendChanged(change), expected))
  }

  test('accepts every request of the driver, which signs what it sends', async () => {
    const { files, driver } = openSite()
    s3.pageSize = 3
    const hashes: string[] = []
    for (const text of 'abcdefghijklmnop') {
      hashes.push((await files.put(inChunks(Buffer.from(text)))).hash)
    }
    const listed: string[] = []
    for (const prefix of driver.prefixes) listed.push(...(await driver.list(prefix)))
    s3.pageSize = 1000
    assert.deepEqual(listed, hashes.toSorted())
    await driver.createId()
    await files.keep(hashes[0] ?? '')
    await driver.removeUnused(hashes[0] ?? '', Date.now() + 60_000, async () => false)
    await driver.removeAll()
    const pages = s3.requests.filter(({ path }) => path.includes('continuation-token'))
    assert.ok(pages.length > 0, 'no list had a second page')
    const methods = new Set(s3.requests.map(({ method }) => method))
    assert.deepEqual([...methods].sort(), ['DELETE', 'GET', 'HEAD', 'PUT'])
    assert.deepEqual(
      s3.requests.filter(({ rejected }) => rejected !== undefined),
      []
    )
  })
})

async function contentOf(opened: OpenedFile | undefined): Promise<Buffer> {
  assert.ok(opened !== undefined)
  return buffer(opened.stream)
}

function isUnavailable(error: unknown): boolean {
  assert.ok(error instanceof FilesUnavailable, String(error))
  assert.equal(error.statusCode, 503)
  return true
}

describe('a bucket that does not work', () => {
  test('rejects keys of others, which the operator is told', async () => {
    const { files, problems, names } = openSite({ keys: { ...KEYS, secretAccessKey: 'OTHER' } })
    await assert.rejects(files.put(inChunks(Buffer.from('a'))), (error: Error) => {
      assert.ok(error.cause instanceof FilesRejected)
      return isUnavailable(error)
    })
    assert.match(problems[0] ?? '', /^s3:\/\/nonet-files\/site-\d+: 403 SignatureDoesNotMatch/)
    assert.equal(s3.requests.length, 1, 'a rejected request is not repeated')
    assert.deepEqual(names(), [])
  })

  test('an upload that is cut leaves no part of a file, and the next one succeeds', async () => {
    const { files, names } = openSite()
    const bytes = randomBytes(2_000_000)
    let cuts = 0
    s3.fault = ({ method }) => (method === 'PUT' && ++cuts > 0 ? 'cut the upload' : undefined)
    await assert.rejects(files.put(inChunks(bytes)), isUnavailable)
    assert.equal(cuts, 4)
    assert.deepEqual(names(), [])
    // Cut once: the file is sent again.
    s3.fault = ({ method }) => (method === 'PUT' && ++cuts === 5 ? 'cut the upload' : undefined)
    const { hash } = await files.put(inChunks(bytes))
    assert.equal(hash, sha256(bytes))
    assert.deepEqual(names(), [hash])
    const opened = await files.open(hash)
    assert.equal(sha256(await contentOf(opened)), hash)
  })

  test('a download that is cut continues where it was', async () => {
    const { files } = openSite()
    const bytes = randomBytes(1_000_000)
    const { hash } = await files.put(inChunks(bytes))
    let cuts = 0
    s3.fault = ({ method }) => (method === 'GET' && ++cuts < 3 ? 'cut the download' : undefined)
    const opened = await files.open(hash, { start: 1, end: 999_998 })
    const read = await contentOf(opened)
    assert.equal(sha256(read), sha256(bytes.subarray(1, 999_999)))
    assert.equal(cuts, 3)
    s3.fault = ({ method }) => (method === 'GET' ? 'cut the download' : undefined)
    const failing = await files.open(hash)
    await assert.rejects(contentOf(failing), isUnavailable)
  })

  test('is asked again after an error of its own, a bounded number of times', async () => {
    const { files, problems } = openSite()
    const { hash } = await files.put(inChunks(Buffer.from('abc')))
    let errors = 0
    s3.fault = () => (++errors < 4 ? 503 : undefined)
    assert.equal(await files.size(hash), 3)
    assert.deepEqual(problems, [])
    s3.fault = () => 500
    await assert.rejects(files.open(hash), isUnavailable)
    assert.match(problems[0] ?? '', /: 500 InternalError: No$/)
  })

  test('is given up if it does not respond', async () => {
    const { driver } = openSite({ idleTimeoutMs: 300 })
    let requests = 0
    s3.fault = () => (++requests > 0 ? 'no response' : undefined)
    await assert.rejects(driver.size('a'.repeat(64)), isUnavailable)
    assert.ok(requests >= 2 && requests <= 4, `${requests} requests`)
  })

  test('a bucket that is missing is not a file that is missing', async () => {
    const location = s3.locationOf('x')
    const missing = { ...location, bucketUrl: `${s3.endpoint}/another-bucket` }
    const driver = openS3Files(missing, { name: 'things', folder: scratchFolder() })
    drivers.push(driver)
    for (const call of [() => driver.open('a'.repeat(64)), () => driver.id()]) {
      await assert.rejects(call, isUnavailable)
    }
  })
})

test('files that a killed process has not sent are leftovers, and its marks too', async () => {
  const { driver, files, folder, prefix, names } = openSite()
  const { hash } = await files.put(inChunks(Buffer.from('abc')))
  writeFileSync(join(folder, `${'a'.repeat(32)}.part`), 'x')
  s3.put(`${prefix}/things/removing/${hash}`)
  assert.equal(await driver.countLeftovers(Date.now() - 60_000), 0)
  assert.equal(await driver.countLeftovers(Number.POSITIVE_INFINITY), 2)
  assert.equal(await driver.removeLeftovers(Date.now() + 60_000), 1)
  assert.deepEqual(names(), [hash])
})
