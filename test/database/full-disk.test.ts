import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import type { Database } from '../../src/kernel/database/database.ts'
import { StorageFull } from '../../src/kernel/database/errors.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'
import { idsOf, openThings } from './things.ts'

const skip = CAN_MOUNT ? false : 'needs root on Linux'
const BODY = 'x'.repeat(20_000)

/** Bursts until one is refused; the ids that were acknowledged. */
async function fill(database: Database, round: number): Promise<string[]> {
  const acknowledged: string[] = []
  for (let burst = 0; burst < 100; burst++) {
    const ids = Array.from({ length: 20 }, (_, index) => `${round}-${burst}-${index}`)
    const settled = await Promise.allSettled(
      ids.map((id) => database.write(() => insertRow('things', { id, body: BODY })))
    )
    const refusals = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const refusal of refusals) assert.ok(refusal instanceof StorageFull, String(refusal))
    acknowledged.push(...ids.filter((_, index) => settled[index]?.status === 'fulfilled'))
    if (refusals.length > 0) return acknowledged
  }
  throw new Error('the disk was never full')
}

test('a full disk refuses, keeps what is there, and works again when there is space', {
  skip
}, async () => {
  using disk = smallDisk(8)
  const ballast = ['a', 'b'].map((name) => join(disk.path, name))
  const file = join(disk.path, 'things.sqlite')
  for (const weight of ballast) writeFileSync(weight, Buffer.alloc(2 * 1024 * 1024))
  const database = await openThings({ engine: 'sqlite', file, durable: true })
  const first = await fill(database, 1)
  assert.ok(first.length > 0)
  assert.deepEqual(await idsOf(database), first.toSorted())
  rmSync(ballast[0] ?? '')
  const second = await fill(database, 2)
  assert.ok(second.length > 0)
  assert.deepEqual(await idsOf(database), [...first, ...second].sort())
  rmSync(ballast[1] ?? '')
  await database.write(() => query('delete from things where id like ?', '1-%'))
  await database.write(() => insertRow('things', { id: 'after', body: BODY }))
  assert.deepEqual(await idsOf(database), [...second, 'after'].sort())
  await database.close()
  const raw = new DatabaseSync(file)
  assert.equal(raw.prepare('pragma integrity_check').get()?.integrity_check, 'ok')
  raw.close()
})
