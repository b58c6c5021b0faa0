import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EFFORT } from '../../../../test/support/effort.ts'
import { createRandom, type Random } from '../../../../test/support/random.ts'
import { createMessageIndex, decodeIndex, encodeIndex, type MessageIndex } from './message-index.ts'
import { MAX_UID, rangesOf } from './uid-ranges.ts'

type Flags = readonly string[]

/** Sorted, as an index has them. */
const COMBINATIONS: readonly [Flags, ...Flags[]] = [
  [],
  ['\\Seen'],
  ['\\Answered', '\\Seen'],
  ['$Forwarded', 'NonJunk', '\\Seen'],
  ['\\Deleted']
]
type Model = Map<number, Flags>

async function stored(index: MessageIndex): Promise<MessageIndex> {
  const decoded = await decodeIndex(await encodeIndex(index))
  assert.ok(decoded)
  return decoded
}

function assertSame(index: MessageIndex, model: Model): void {
  const expected = [...model].sort(([left], [right]) => left - right)
  assert.deepEqual(
    Array.from(index.entries(), ([uid, { flags }]) => [uid, flags]),
    expected
  )
  assert.deepEqual(
    [...index.uids()],
    expected.map(([uid]) => uid)
  )
  assert.equal(index.size, model.size)
}

/** Near the limits, in runs, or far apart. */
function randomUid(random: Random, model: Model): number {
  const known = [...model.keys()].at(-1) ?? 1
  const choices = [
    1 + random.below(20),
    Math.min(MAX_UID, known + 1),
    MAX_UID - random.below(5),
    1 + random.below(30_000),
    known
  ] as const
  return random.pick(choices as readonly [number, ...number[]])
}

test('an index has the messages of a map after any changes, also when it was stored', async () => {
  for (let seed = 1; seed <= 10 * EFFORT; seed++) {
    const random = createRandom(seed)
    const model: Model = new Map()
    let index = createMessageIndex()
    for (let round = 0; round < 4; round++) {
      for (let step = 0; step < 400; step++) {
        const uid = randomUid(random, model)
        if (random.below(4) === 0) assert.equal(index.delete(uid), model.delete(uid))
        else {
          const flags = random.pick(COMBINATIONS)
          index.set(uid, flags)
          model.set(uid, flags)
        }
        assert.deepEqual(index.get(uid)?.flags, model.get(uid), `seed ${seed}`)
      }
      if (random.below(2) === 0) index = await stored(index)
      assertSame(index, model)
    }
  }
})

test('an index of many blocks has its messages in any order of arrival and removal', async () => {
  const random = createRandom(7)
  const model: Model = new Map()
  let index = createMessageIndex()
  const add = (uid: number) => {
    const flags = random.pick(COMBINATIONS)
    index.set(uid, flags)
    model.set(uid, flags)
  }
  for (let uid = 10_000; uid < 30_000; uid += 2) add(uid)
  for (let count = 0; count < 9000; count++) add(10_000 + random.below(20_000))
  for (let uid = 9999; uid > 1000; uid -= 3) add(uid)
  assertSame(index, model)
  index = await stored(index)
  for (const uid of [...model.keys()]) {
    if (uid % 50 === 0) continue
    assert.ok(index.delete(uid))
    model.delete(uid)
  }
  assertSame(index, model)
  index = await stored(index)
  assertSame(index, model)
  add(40_000)
  assertSame(await stored(index), model)
  for (const uid of [...model.keys()]) index.delete(uid)
  assertSame(await stored(index), new Map())
})

test('only UIDs of the given ranges are listed', async () => {
  const present = Array.from({ length: 10_000 }, (_, at) => 3 * at + 1)
  const index = await stored(createMessageIndex(present.map((uid) => [uid, ['\\Seen']])))
  const wanted = [1, 2, 4, 5, 12_000, 12_001, 12_002, 29_998, MAX_UID]
  assert.deepEqual([...index.uids(rangesOf(wanted))], [1, 4, 12_001, 29_998])
  assert.deepEqual([...index.uids(Uint32Array.of(1, MAX_UID))], present)
  assert.deepEqual([...index.uids(new Uint32Array(0))], [])
})

test('the order and spelling of system flags, repeated flags and \\Recent make no difference', () => {
  const index = createMessageIndex([[1, ['\\seen', 'x', '\\RECENT', '\\Answered', 'x']]])
  assert.deepEqual(index.get(1)?.flags, ['\\Answered', '\\Seen', 'x'])
  index.set(1, ['X', '\\Seen'])
  assert.deepEqual(index.get(1)?.flags, ['X', '\\Seen'], 'keywords are kept as they are')
})

test('labels are stored beside the flags, and stay if only flags are set', async () => {
  const index = createMessageIndex()
  index.set(1, ['\\Seen'], ['Work (old)', '\\Inbox'])
  index.set(2, ['\\Seen'], [])
  index.set(3, ['\\Seen'])
  index.set(1, [])
  const decoded = await stored(index)
  assert.deepEqual(decoded.get(1), { flags: [], labels: ['Work (old)', '\\Inbox'] })
  assert.deepEqual(decoded.get(2), { flags: ['\\Seen'], labels: [] })
  assert.deepEqual(decoded.get(3), { flags: ['\\Seen'] })
})

test('numbers that are no UIDs are ignored', () => {
  const index = createMessageIndex()
  for (const uid of [0, -1, 1.5, Number.NaN, MAX_UID + 1]) index.set(uid, [])
  assert.equal(index.size, 0)
  assert.equal(index.delete(0), false)
  index.set(MAX_UID, [])
  assert.ok(index.has(MAX_UID))
})

test('a server cannot fill an index with flags', async () => {
  const index = createMessageIndex()
  const many = Array.from({ length: 1000 }, (_, at) => `flag${at}`)
  index.set(1, [...many, 'x'.repeat(257), '\\Seen'])
  assert.equal(index.get(1)?.flags.length, 200)
  const long = 'y'.repeat(200)
  for (let uid = 2; uid < 30_000; uid++) index.set(uid, [`${long}${uid}`, '\\Seen'])
  assert.deepEqual(index.get(29_999)?.flags, ['\\Seen'])
  const bytes = await encodeIndex(index)
  assert.ok(bytes.length < 1_000_000, `${bytes.length} bytes`)
  assert.equal((await decodeIndex(bytes))?.size, 29_999)
})

test('bytes of an index that are damaged, cut or of another version are recognised', async () => {
  const index = createMessageIndex(Array.from({ length: 5000 }, (_, at) => [2 * at + 1, ['a']]))
  const bytes = await encodeIndex(index)
  const random = createRandom(3)
  for (let round = 0; round < 200; round++) {
    const damaged = Uint8Array.from(bytes)
    const at = random.below(bytes.length)
    damaged[at] = (damaged[at] ?? 0) ^ (1 + random.below(255))
    assert.equal(await decodeIndex(damaged), undefined, `byte ${at}`)
    assert.equal(await decodeIndex(bytes.subarray(0, at)), undefined, `${at} bytes`)
  }
  assert.equal(await decodeIndex(new Uint8Array(0)), undefined)
  assert.equal(await decodeIndex(Buffer.from('[[1,["a"]]]')), undefined)
  assert.equal((await decodeIndex(bytes))?.size, 5000)
})

test('a message takes less than a byte; one more of 100,000 changes few bytes', async () => {
  const random = createRandom(1)
  const index = createMessageIndex()
  let uid = 0
  for (let count = 0; count < 100_000; count++) {
    uid += random.below(4) === 0 ? 1 + random.below(20) : 1
    index.set(uid, COMBINATIONS[random.below(20)] ?? ['\\Seen'])
  }
  const before = await encodeIndex(index)
  assert.ok(before.length < 100_000, `${before.length} bytes`)
  const decoded = await decodeIndex(before)
  decoded?.set(uid + 1, [])
  assert.ok(decoded)
  const after = await encodeIndex(decoded)
  const same = after.findIndex((byte, at) => at > 200 && byte !== before[at])
  assert.ok(same > 0.9 * before.length, 'all blocks but the last are as before')
})
