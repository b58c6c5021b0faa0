import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { insertRow, query, type Transaction } from '../../src/kernel/database/transaction.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { temporaryPlace } from '../support/engines.ts'
import { idsOf, openThings, writeAll } from './things.ts'

test('writes wait for another process without holding up the rest', async () => {
  await using place = temporaryPlace('sqlite')
  assert.ok(place.engine === 'sqlite')
  const database = await openThings(place)
  const other = new DatabaseSync(place.file)
  other.exec('begin immediate')
  let stored = false
  const write = database
    .write(() => insertRow('things', { id: 'a' }))
    .then(() => {
      stored = true
    })
  for (let turn = 0; turn < 10; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    assert.deepEqual(await idsOf(database), [])
  }
  assert.equal(stored, false)
  other.exec('commit')
  await write
  assert.deepEqual(await idsOf(database), ['a'])
  other.close()
  await database.close()
})

test('slow plans are committed some at a time', async () => {
  await using place = temporaryPlace('sqlite')
  const database = await openThings(place)
  let run = 0
  function* slow(): Transaction<number> {
    const end = performance.now() + 5
    yield* insertRow('things', { id: `t${run}` })
    while (performance.now() < end);
    run += 1
    return run
  }
  const writes = Array.from({ length: 20 }, () => database.write(slow))
  await writes[0]
  assert.ok(run < 10, `${run} plans before the first answer`)
  await Promise.all(writes)
  await database.close()
})

test('a constraint that is checked at the end fails its own plan only', async () => {
  await using place = temporaryPlace('sqlite')
  const database = await openThings(place)
  await database.write(() =>
    query('create table late (id text references things (id) deferrable initially deferred)')
  )
  const outcomes = await writeAll(database, [
    () => insertRow('things', { id: 'a' }),
    () => insertRow('late', { id: 'nowhere' }),
    () => insertRow('late', { id: 'a' })
  ])
  assert.deepEqual(outcomes, [undefined, 'Error', undefined])
  assert.deepEqual(await idsOf(database), ['a'])
  await database.close()
})

test('a second nonet on the same file is refused, a crashed one is not in the way', async () => {
  await using place = temporaryPlace('sqlite')
  const database = await openThings(place)
  await assert.rejects(openThings(place), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, /^Another nonet process uses .*things\.sqlite: stop it/)
    return true
  })
  await database.close()
  await (await openThings(place)).close()
})
