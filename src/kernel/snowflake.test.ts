import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSnowflake, randomWorker } from './snowflake.ts'

const EPOCH = 1288834974657

function partsOf(id: string) {
  const number = BigInt(id)
  return {
    time: Number(number >> 22n) + EPOCH,
    worker: Number((number >> 12n) & 1023n),
    sequence: Number(number & 4095n)
  }
}

function clock(time: number, worker = 5) {
  const state = { time }
  return { state, ...createSnowflake({ now: () => new Date(state.time), worker }) }
}

test('an id has its time, its worker and a sequence', () => {
  // An id of X that was made at this time.
  const time = Date.parse('2022-06-28T16:07:40.105Z')
  const { next } = clock(time, 378)
  assert.equal(next(), '1541815603606036480')
  assert.deepEqual(partsOf(next()), { time, worker: 378, sequence: 1 })
})

test('ids of one millisecond are all different, and the next millisecond continues them', () => {
  const time = EPOCH + 1000
  const { next } = clock(time)
  const ids = Array.from({ length: 5000 }, () => BigInt(next()))
  for (const [index, id] of ids.entries()) assert.ok(index === 0 || id > (ids[index - 1] ?? id))
  assert.deepEqual(partsOf(String(ids[4095])), { time, worker: 5, sequence: 4095 })
  assert.deepEqual(partsOf(String(ids[4096])), { time: time + 1, worker: 5, sequence: 0 })
})

test('a clock that goes back does not take the ids back', () => {
  const { state, next } = clock(EPOCH + 10_000)
  const first = next()
  state.time -= 5000
  const second = next()
  assert.deepEqual(partsOf(second), { ...partsOf(first), sequence: 1 })
  state.time += 5001
  assert.deepEqual(partsOf(next()), { time: EPOCH + 10_001, worker: 5, sequence: 0 })
  state.time = EPOCH - 1
  assert.deepEqual(partsOf(next()), { time: EPOCH + 10_001, worker: 5, sequence: 1 })
})

test('after a restart with a clock that went back, ids continue after the greatest one', () => {
  const before = clock(EPOCH + 10_000, 7).next()
  for (const worker of [0, 6, 7, 8, 1023]) {
    const id = clock(EPOCH + 9000, worker).next(before)
    assert.ok(BigInt(id) > BigInt(before))
    const { time, worker: own } = partsOf(id)
    assert.equal(own, worker)
    assert.equal(time, EPOCH + (worker < 7 ? 10_001 : 10_000))
  }
  const last = String(BigInt(before) + 4095n)
  assert.equal(partsOf(clock(EPOCH, 7).next(last)).time, EPOCH + 10_001)
  const { next } = clock(EPOCH + 20_000)
  assert.equal(partsOf(next(before)).time, EPOCH + 20_000)
})

test('there is no id beyond 63 bits, and no worker beyond ten', () => {
  const { next } = clock(EPOCH)
  assert.throws(() => next('9223372036854775807'), RangeError)
  assert.equal(partsOf(next()).time, EPOCH)
  for (const worker of [-1, 1024, 1.5, Number.NaN]) assert.throws(() => clock(EPOCH, worker))
  for (let count = 0; count < 100; count++) clock(EPOCH, randomWorker())
})
