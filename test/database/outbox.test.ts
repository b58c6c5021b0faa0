/** The outbox on both engines; on PostgreSQL two databases opened here stand for two processes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { change, openOutbox, openOutboxTables, recorder, statesOf, until } from './outbox-jobs.ts'

const DONE = { state: 'done' } as const

for (const engine of ENGINES) {
  test(`jobs of many lanes run, those of a lane in order, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const database = await openOutboxTables(place)
    const outbox = openOutbox(database)
    const { runs, handlers } = recorder(() => DONE)
    await outbox.start(handlers)
    for (let n = 0; n < 60; n++) {
      await database.write(() => change(`key-${n}`, { lane: `lane-${n % 4}` }))
    }
    await until(() => runs.length === 60, '60 runs')
    await until(
      async () => Object.values(await statesOf(database)).every((s) => s === 'done'),
      'all done'
    )
    for (let lane = 0; lane < 4; lane++) {
      const numbers = runs.map(({ key }) => Number(key.slice(4))).filter((n) => n % 4 === lane)
      assert.deepEqual(
        numbers,
        numbers.toSorted((a, b) => a - b)
      )
    }
    assert.deepEqual(outbox.warnings, [])
    await outbox.stop(1000)
    await database.close()
  })
}
