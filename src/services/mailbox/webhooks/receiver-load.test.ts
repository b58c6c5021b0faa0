import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MAX_DELIVERIES } from './jobs.ts'
import { createReceiverLoad } from './receiver-load.ts'

/** Deliveries whose durations the test decides. */
function openLoad() {
  let time = 0
  const load = createReceiverLoad(
    () => time,
    () => 0.5
  )
  let lanes = 0
  const begin = (host: string, lane = `lane ${lanes++}`) =>
    load.begin(`https://${host}/hook?a=${lanes}`, lane)
  return {
    begin,
    advance: (ms: number) => {
      time += ms
    },
    /** Begins as many as possible of so many; their ends. */
    fill(host: string, count = MAX_DELIVERIES) {
      const turns = Array.from({ length: count }, () => begin(host))
      return turns.flatMap((turn) => ('end' in turn ? [turn.end] : []))
    },
    /** The receiver becomes known as one that responds in this time. */
    know(host: string, ms = 5) {
      const turn = begin(host)
      time += ms
      if ('end' in turn) turn.end()
    }
  }
}

test('an unknown receiver gets a third of the slots, a quick one all of them', () => {
  const { fill, know } = openLoad()
  const ends = fill('a.example')
  assert.equal(ends.length, 8)
  for (const end of ends) end()
  know('a.example')
  assert.equal(fill('a.example').length, MAX_DELIVERIES)
})

test('a quick receiver that stops responding leaves slots for others', () => {
  const { fill, know, advance } = openLoad()
  know('a.example')
  know('b.example')
  assert.equal(fill('a.example').length, 20)
  advance(10_000)
  assert.equal(fill('b.example', 4).length, 4)
})

test('many receivers that do not respond leave slots for one that does', () => {
  const { fill, know, advance } = openLoad()
  know('quick.example')
  let running = 0
  for (let number = 0; number < 30; number++) {
    running += fill(`hangs-${number}.example`, 1).length
    advance(2_000)
  }
  assert.ok(running <= 20, `${running}`)
  assert.equal(fill('quick.example', 4).length, 4)
})

test('a slow receiver is still served beside one that hangs', () => {
  const { fill, know, advance } = openLoad()
  know('hangs.example', 30_000)
  know('slow.example', 2_000)
  assert.equal(fill('hangs.example').length, 12)
  advance(5_000)
  assert.equal(fill('slow.example').length, 4)
})

test('the more deliveries wait for a receiver, the longer each waits, up to 30 s', () => {
  const { begin, know, fill, advance } = openLoad()
  know('a.example', 3_000)
  assert.equal(fill('a.example', 12).length, 12)
  advance(10)
  const waits = Array.from({ length: 200 }, (_, index) => begin('a.example', `l ${index}`))
  const times = waits.map((turn) => ('waitMs' in turn ? turn.waitMs : 0))
  assert.equal(times[0], 250)
  assert.equal(times[11], 3_000)
  assert.equal(times[199], 30_000)
  // The same lane again is no other delivery.
  assert.deepEqual(begin('a.example', 'l 0'), { waitMs: 30_000 })
})

test('a receiver that becomes quick gets more slots again', () => {
  const { fill, know } = openLoad()
  know('a.example', 30_000)
  know('other.example')
  const ends = fill('a.example')
  assert.equal(ends.length, 12)
  for (const end of ends) end()
  assert.equal(fill('a.example').length, 20)
})

test('the number of receivers that are remembered is limited', () => {
  const { know, fill } = openLoad()
  know('slow.example', 5_000)
  for (let number = 0; number < 1_000; number++) know(`r${number}.example`, 0)
  // It is unknown again.
  assert.equal(fill('slow.example').length, 8)
})
