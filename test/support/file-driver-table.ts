/** What every driver of files has to do, whatever its location is. */
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { FileDriver } from '../../src/kernel/files/driver.ts'
import { createFiles, FileTooLarge } from '../../src/kernel/files/files.ts'

const NEVER = 'f'.repeat(64)
const LATER_MS = 60_000

/** A location of its own, seen without the driver. */
export interface FileSite {
  driver: FileDriver
  /** Opens the location as another process would. */
  openAgain: () => FileDriver
  /** Names of all that is stored, incomplete files too, without folders. */
  names: () => readonly string[]
  /** Makes the file look as if it had been stored long ago. */
  age: (hash: string) => void
  /** Replaces the content. */
  damage: (hash: string, content: string) => void
}

async function* inChunks(bytes: Uint8Array, size = 7): AsyncGenerator<Uint8Array> {
  for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size)
}

const hashOf = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function testFileDriver(name: string, openSite: () => FileSite): void {
  const open = () => {
    const site = openSite()
    return { ...site, files: createFiles(site.driver) }
  }

  describe(name, () => {
    test('a file is stored under the hash of its content', async () => {
      const { files, names } = open()
      const contents = [Buffer.alloc(0), Buffer.from('a'), randomBytes(300_000)]
      for (const bytes of contents) {
        const stored = await files.put(inChunks(bytes, 65_536))
        assert.deepEqual(stored, { hash: hashOf(bytes), size: bytes.length })
        assert.equal(await files.size(stored.hash), bytes.length)
        const opened = await files.open(stored.hash)
        assert.equal(opened?.size, bytes.length)
        assert.deepEqual(Buffer.concat((await opened?.stream.toArray()) ?? []), bytes)
      }
      assert.deepEqual(names(), contents.map(hashOf).sort())
    })

    test('a range includes its first and last byte', async () => {
      const { files } = open()
      const { hash } = await files.put(inChunks(Buffer.from('0123456789')))
      const ranges: [start: number, end: number, text: string][] = [
        [0, 0, '0'],
        [3, 5, '345'],
        [9, 9, '9'],
        [8, 100, '89'],
        [0, 9, '0123456789'],
        [10, 12, '']
      ]
      for (const [start, end, text] of ranges) {
        const opened = await files.open(hash, { start, end })
        assert.equal(opened?.size, 10)
        assert.equal(String(Buffer.concat((await opened?.stream.toArray()) ?? [])), text)
      }
    })

    test('what is not stored is undefined, and removing it is no error', async () => {
      const { files } = open()
      for (const hash of [NEVER, '', '../../x', NEVER.toUpperCase()]) {
        assert.equal(await files.open(hash), undefined)
        assert.equal(await files.size(hash), undefined)
        assert.equal(await files.keep(hash), undefined)
      }
      await files.remove(NEVER)
      const { hash } = await files.put(inChunks(Buffer.from('a')))
      await files.remove(hash)
      assert.equal(await files.open(hash), undefined)
    })

    test('a source that is too large or fails leaves nothing', async () => {
      const { files, names } = open()
      const bytes = randomBytes(100)
      assert.equal((await files.put(inChunks(bytes), { maxBytes: 100 })).size, 100)
      await assert.rejects(files.put(inChunks(randomBytes(101)), { maxBytes: 100 }), (error) => {
        assert.ok(error instanceof FileTooLarge)
        assert.equal(error.message, 'The file is larger than 100 bytes')
        return true
      })
      async function* broken(): AsyncGenerator<Uint8Array> {
        yield randomBytes(10)
        throw new Error('the client has gone')
      }
      await assert.rejects(files.put(broken()), /the client has gone/)
      assert.deepEqual(names(), [hashOf(bytes)])
    })

    test('the same content is stored once, also by many at the same time', async () => {
      const { files, names } = open()
      const bytes = randomBytes(50_000)
      const stored = await Promise.all(
        Array.from({ length: 30 }, () => files.put(inChunks(bytes, 999)))
      )
      for (const { hash } of stored) assert.equal(hash, hashOf(bytes))
      assert.deepEqual(names(), [hashOf(bytes)])
    })

    test('a second put gives the file a new time and repairs one of another size', async () => {
      const { driver, files, age, damage } = open()
      const bytes = Buffer.from('abc')
      const { hash } = await files.put(inChunks(bytes))
      const isUnused = (before: number) => driver.removeUnused(hash, before, async () => false)
      age(hash)
      await files.put(inChunks(bytes))
      assert.equal(await isUnused(Date.now() - LATER_MS), false)
      age(hash)
      assert.equal(await files.keep(hash), 3)
      assert.equal(await isUnused(Date.now() - LATER_MS), false)
      damage(hash, 'a')
      assert.equal(await files.size(hash), 1)
      await files.put(inChunks(bytes))
      assert.equal(await files.size(hash), 3)
      assert.equal(await isUnused(Date.now() + LATER_MS), true)
      assert.equal(await files.size(hash), undefined)
    })

    test('an id tells the location from others, also if several create it', async () => {
      const { driver, openAgain, names } = open()
      assert.equal(await driver.id(), undefined)
      const drivers = Array.from({ length: 10 }, openAgain)
      const ids = new Set(await Promise.all(drivers.map((one) => one.createId())))
      assert.equal(ids.size, 1)
      assert.ok(ids.has((await driver.id()) ?? ''))
      assert.notEqual(await open().driver.createId(), await driver.id())
      assert.deepEqual(names(), ['folder-id'])
    })

    test('files are listed by the first digits of their hashes, with their sizes', async () => {
      const { driver, files } = open()
      const stored = new Map<string, number>()
      for (let size = 0; size < 40; size++) {
        stored.set((await files.put(inChunks(Buffer.alloc(size)))).hash, size)
      }
      await driver.createId()
      const listed: string[] = []
      const sizes: [string, number][] = []
      for (const prefix of driver.prefixes) {
        const some = await driver.list(prefix)
        assert.ok(some.every((hash) => hash.startsWith(prefix)))
        listed.push(...some)
        sizes.push(...(await driver.sizes(prefix)))
      }
      assert.deepEqual(listed, [...stored.keys()].sort())
      assert.deepEqual(new Map(sizes), stored)
    })

    test('all files can be removed, and the id', async () => {
      const { driver, files, names } = open()
      await driver.removeAll()
      await driver.createId()
      for (const text of 'abcdefghijkl') await files.put(inChunks(Buffer.from(text)))
      await driver.removeAll()
      assert.deepEqual(names(), [])
      assert.equal(await driver.id(), undefined)
      assert.equal((await files.put(inChunks(Buffer.from('a')))).size, 1)
    })
  })
}
