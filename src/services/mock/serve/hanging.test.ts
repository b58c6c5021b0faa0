import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { createHanging } from './hanging.ts'

test('connections stay open until the end; one that comes later is closed at once', async () => {
  const hanging = createHanging()
  const [kept, late] = [new Socket(), new Socket()]
  hanging.keep(kept)
  assert.equal(kept.destroyed, false)
  const closed = once(kept, 'close')
  hanging.close()
  await closed
  hanging.keep(late)
  assert.equal(late.destroyed, true)
})

test('a connection that the client has left already is not kept', () => {
  const hanging = createHanging()
  const left = new Socket().destroy()
  hanging.keep(left)
  assert.equal(left.listenerCount('close'), 0)
})
