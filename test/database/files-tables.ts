/** What files need of tables and drivers, whatever the location of the files is. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Engine } from '../../src/kernel/database/database.ts'
import { claimLocation } from '../../src/kernel/files/claim.ts'
import { createFiles } from '../../src/kernel/files/files.ts'
import { GRACE_MS, sweepFiles } from '../../src/kernel/files/sweep.ts'
import { addPicture, type Home, hashOf, inChunks, referencesOf, removePicture } from './pictures.ts'

export const put = (home: Home, bytes: Uint8Array) => home.files.put(inChunks(bytes))
export const later = () => ({ now: Date.now() + GRACE_MS + 1_000 })

export function testSweeps(name: string, engine: Engine, openHome: (engine: Engine) => Home): void {
  describe(name, () => {
    test('removes files without references when their time is over', async () => {
      await using home = openHome(engine)
      await home.withDatabase(async (database) => {
        const used = await put(home, Buffer.from('used'))
        const unused = await put(home, Buffer.from('unused'))
        const released = await put(home, Buffer.from('released'))
        await addPicture(database, 'used', used)
        await addPicture(database, 'released', released)
        assert.deepEqual(await sweepFiles(database, home.driver), { files: 0, leftovers: 0 })
        for (const { hash } of [used, unused, released]) home.age(hash)
        await removePicture(database, 'released')
        assert.deepEqual(await sweepFiles(database, home.driver), { files: 1, leftovers: 0 })
        assert.equal(await home.files.size(unused.hash), undefined)
        // Its time begins when the sweep finds it, because a backup may be reading it.
        assert.equal(await home.files.size(released.hash), 8)
        assert.deepEqual(await referencesOf(database), { [used.hash]: 1 })
        assert.deepEqual(await sweepFiles(database, home.driver, later()), {
          files: 1,
          leftovers: 0
        })
        assert.deepEqual(home.stored(), [used.hash])
      })
    })

    test('keeps files that are stored or referred to at the same time', async () => {
      await using home = openHome(engine)
      await home.withDatabase(async (database) => {
        const bytes = Array.from({ length: 40 }, () => randomBytes(1_000))
        for (const some of bytes) home.age((await put(home, some)).hash)
        let isDone = false
        async function sweepAgain(): Promise<number> {
          let files = 0
          while (!isDone) files += (await sweepFiles(database, home.driver)).files
          return files
        }
        const sweeping = sweepAgain()
        await Promise.all(
          bytes.map(async (some, index) => {
            const stored = await put(home, some)
            assert.equal(await home.files.size(stored.hash), 1_000)
            home.age(stored.hash)
            // As an import does that refers to a file whose time may be over.
            if ((await home.files.keep(stored.hash)) === undefined) await put(home, some)
            await addPicture(database, `p${index}`, stored)
          })
        )
        isDone = true
        await sweeping
        await sweepFiles(database, home.driver, later())
        assert.deepEqual(home.stored(), bytes.map(hashOf).sort())
      })
    })

    test('is done only in the folder that belongs to the tables', async () => {
      await using home = openHome(engine)
      await using other = openHome(engine)
      await home.withDatabase(async (database) => {
        assert.equal(await claimLocation(database, home.driver), true)
        assert.equal(await claimLocation(database, home.driver), true)
        assert.equal(await claimLocation(database, other.driver), false)
        await put(home, Buffer.from('a'))
        await other.withDatabase(async (others) => {
          assert.equal(await claimLocation(others, home.driver), false)
          assert.equal(await claimLocation(others, other.driver), true)
        })
      })
    })
  })
}

/** On S3 a process that stores a file while its removal is decided waits for this time. */
const SHORT_MARK_MS = 3_000

export function testRemovals(
  name: string,
  openHome: (engine: Engine, markMs?: number) => Home
): void {
  describe(name, () => {
    async function oldFile(home: Home): Promise<string> {
      const { hash } = await put(home, Buffer.from('abc'))
      home.age(hash)
      return hash
    }

    /** `during` runs at the given check: the first is before the file is set aside. */
    async function removeWhile(
      home: Home,
      hash: string,
      at: number,
      during: () => Promise<boolean>
    ): Promise<boolean> {
      let checks = 0
      return home.driver.removeUnused(hash, Date.now() - GRACE_MS, async () => {
        checks += 1
        return checks === at ? during() : false
      })
    }

    test('stays if another process stores the same content', async () => {
      for (const at of [1, 2]) {
        await using home = openHome('sqlite', SHORT_MARK_MS)
        const hash = await oldFile(home)
        const other = createFiles(home.openDriver())
        await removeWhile(home, hash, at, async () => {
          await other.put(inChunks(Buffer.from('abc')))
          return false
        })
        assert.equal(await home.files.size(hash), 3, `at check ${at}`)
        assert.deepEqual(home.stored(), [hash])
      }
    })

    test('is never missing for this process after it was stored again', async () => {
      await using home = openHome('sqlite')
      const hash = await oldFile(home)
      let storing: Promise<number | undefined> | undefined
      const removed = await removeWhile(home, hash, 2, async () => {
        storing = put(home, Buffer.from('abc')).then(() => home.files.size(hash))
        return false
      })
      assert.equal(removed, true)
      assert.equal(await storing, 3)
    })

    test('comes back if a row refers to it meanwhile', async () => {
      for (const at of [1, 2]) {
        await using home = openHome('sqlite')
        const hash = await oldFile(home)
        assert.equal(await removeWhile(home, hash, at, async () => true), false)
        assert.deepEqual(home.stored(), [hash])
      }
    })
  })
}
