import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionBody } from './action-body.ts'
import { MAX_BODY_BYTES } from './enqueue.ts'
import { deliveryBackoff } from './job.ts'

const webhook = { id: 'w', callbackURL: 'https://example.com/' }

test('a body of usual size is the JSON of its parts', () => {
  const event = { model: { id: 'm', name: 'Bridge' }, action: { id: 'a', data: {} }, webhook }
  assert.equal(actionBody(event), JSON.stringify(event))
})

test('long texts are cut, so that the body is small enough, and it says so', () => {
  const text = '"é'.repeat(20_000)
  const model = { id: 'm', desc: text, url: 'https://example.com/c/1' }
  const body = actionBody({ model, action: { id: 'a', data: { old: { desc: text } } }, webhook })
  assert.ok(Buffer.byteLength(body) <= MAX_BODY_BYTES)
  assert.deepEqual(JSON.parse(body), {
    model: { ...model, desc: text.slice(0, 4_000) },
    action: { id: 'a', data: { old: { desc: text.slice(0, 4_000) } } },
    webhook,
    truncated: true
  })
})

test('a model with too many parts is its id', () => {
  const labels = Array.from({ length: 5_000 }, (_, id) => ({ id, name: 'Stone and more stone' }))
  const action = { id: 'a', type: 'updateCard', date: 'd', idMemberCreator: 'i' }
  const body = actionBody({
    ...{ model: { id: 'm', labels }, action: { ...action, data: { card: {} } }, webhook }
  })
  assert.deepEqual(JSON.parse(body), { model: { id: 'm' }, action, webhook, truncated: true })
})

test('attempts are 30, 60, 120 seconds apart and more, up to half an hour', () => {
  const seconds = [1, 2, 3, 4, 7, 20].map((attempt) => deliveryBackoff(attempt, () => 0) / 1000)
  assert.deepEqual(seconds, [30, 60, 120, 240, 1_800, 1_800])
  assert.equal(
    deliveryBackoff(1, () => 0.999),
    32_997
  )
})
