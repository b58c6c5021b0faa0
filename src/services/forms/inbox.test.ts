import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createInbox, type Handling } from './inbox.ts'

const MIB = 1024 * 1024

function handling(body: Uint8Array | undefined, text = ''): Handling {
  const outcome = { kind: 'forwarded', status: 200, ok: true } as const
  const when = new Date(0)
  return { when, method: 'POST', path: '/', rawHeaders: [], body, status: 200, text, outcome }
}

test('the oldest submissions are removed when the bodies take more than 8 MiB', () => {
  const inbox = createInbox()
  for (let count = 1; count <= 10; count++) inbox.add(handling(new Uint8Array(MIB)))
  assert.deepEqual(
    inbox.list().map(({ id }) => id),
    [10, 9, 8, 7, 6, 5, 4, 3]
  )
  inbox.clear()
  for (let count = 1; count <= 8; count++) inbox.add(handling(new Uint8Array(MIB)))
  assert.equal(inbox.list().length, 8)
})

test('a longer body is not kept, a longer response is cut', () => {
  const inbox = createInbox()
  inbox.add(handling(new Uint8Array(MIB + 1), 'x'.repeat(2001)))
  const [kept] = inbox.list()
  assert.equal(kept?.body, undefined)
  assert.equal(kept?.text, `${'x'.repeat(2000)}…`)
})

test('the last five attempts are kept, none for a submission that is gone', () => {
  const inbox = createInbox()
  inbox.add(handling(undefined))
  for (let count = 1; count <= 6; count++) {
    inbox.addAttempt(1, { when: new Date(count), outcome: { kind: 'honeypot' } })
  }
  inbox.addAttempt(2, { when: new Date(7), outcome: { kind: 'honeypot' } })
  assert.deepEqual(
    inbox.find(1)?.attempts.map(({ when }) => when.getTime()),
    [2, 3, 4, 5, 6]
  )
  assert.equal(inbox.list().length, 1)
})

test('a listener is called after each change until it is removed', () => {
  const inbox = createInbox()
  let calls = 0
  const unwatch = inbox.watch(() => calls++)
  inbox.add(handling(undefined))
  inbox.clear()
  unwatch()
  inbox.add(handling(undefined))
  assert.equal(calls, 2)
})
