/** Words between processes; on PostgreSQL two databases opened here stand for two processes. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/kernel/database/database.ts'
import type { DatabaseLocation } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { openThings } from './things.ts'

const DEADLINE_MS = 60_000

function listenTo({ channel: signals }: Database) {
  const heard: (string | undefined)[] = []
  const end = signals.subscribe((word) => heard.push(word))
  return {
    heard,
    end,
    async until(word: string | undefined) {
      const deadline = performance.now() + DEADLINE_MS
      while (!heard.includes(word)) {
        assert.ok(performance.now() < deadline, `${word} was not heard, only ${heard}`)
        await wait(5)
      }
    }
  }
}

for (const engine of ENGINES) {
  test(`a process hears itself at once, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const database = await openThings(place)
    const { heard, end } = listenTo(database)
    database.channel.publish('one')
    assert.deepEqual(
      heard.filter((word) => word !== undefined),
      ['one']
    )
    end()
    database.channel.publish('two')
    assert.ok(!heard.includes('two'))
    await database.close()
  })
}

/** Of the connections that only listen, each is named by the channel of its schema. */
async function cutListener(place: DatabaseLocation): Promise<number | null> {
  const { url, schema } = place as DatabaseLocation & { url: string; schema: string }
  const channel = `nonet_${createHash('sha256').update(schema).digest('hex').slice(0, 32)}`
  const client = await connectPostgres({ url })
  const { rowCount } = await client.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where query = $1',
    [`listen ${channel}`]
  )
  await client.end()
  return rowCount
}

describe('two processes on one PostgreSQL', { skip: !ENGINES.includes('postgres') }, () => {
  test('each hears the other, many words in few notices, and its own words once', async () => {
    await using place = temporaryPlace('postgres')
    const [one, other] = [await openThings(place), await openThings(place)]
    const ears = [listenTo(one), listenTo(other)]
    await Promise.all(ears.map((ear) => ear.until(undefined)))
    const words = Array.from({ length: 2_000 }, (_, n) => `word-${n}`)
    for (const word of words) one.channel.publish(word)
    await ears[1]?.until(words.at(-1))
    for (const { heard } of ears)
      assert.deepEqual(heard.filter(Boolean).toSorted(), words.toSorted())
    await Promise.all([one.close(), other.close()])
  })

  test('after a lost connection a listener learns that it may have missed something', async () => {
    await using place = temporaryPlace('postgres')
    const [one, other] = [await openThings(place), await openThings(place)]
    const ear = listenTo(other)
    await ear.until(undefined)
    ear.heard.length = 0
    assert.equal(await cutListener(place), 1)
    await ear.until(undefined)
    one.channel.publish('again')
    await ear.until('again')
    await Promise.all([one.close(), other.close()])
  })

  test('tables of another schema hear nothing', async () => {
    await using place = temporaryPlace('postgres')
    await using elsewhere = temporaryPlace('postgres')
    const [one, two] = [await openThings(place), await openThings(place)]
    const [other, third] = [await openThings(elsewhere), await openThings(elsewhere)]
    const [ear, inside] = [listenTo(other), listenTo(two)]
    await Promise.all([ear.until(undefined), inside.until(undefined)])
    ear.heard.length = 0
    one.channel.publish('private')
    other.channel.publish('own')
    await inside.until('private')
    // Notices arrive in their order.
    third.channel.publish('late')
    await ear.until('late')
    assert.deepEqual(ear.heard, ['own', 'late'])
    await Promise.all([one, two, other, third].map((database) => database.close()))
  })
})
