import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventIdOf } from './event-id.ts'
import { messageKeyOf } from './message-key.ts'
import { seemsLikeNew } from './seems-like-new.ts'
import { hasOwnReceiver, hasReceiver, isWanted, webhookRulesOf } from './webhook-rules.ts'

test('an id depends on all parts and is a UUID of version 5', () => {
  const id = eventIdOf(['a', 1, 'messageNew', 2, 3])
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(eventIdOf(['a', 1, 'messageNew', 2, 3]), id)
  const others = [
    eventIdOf(['a', 1, 'messageNew', 23]),
    eventIdOf(['a', 1, 'messageNew', '2', 3]),
    eventIdOf(['a', 2, 'messageNew', 2, 3]),
    eventIdOf(['a1', 'messageNew', 2, 3])
  ]
  assert.equal(new Set([id, ...others]).size, 5)
})

test('a message has the key of its id on the server, else of its Message-ID', () => {
  assert.equal(messageKeyOf({}), undefined)
  assert.equal(messageKeyOf({ messageId: '' }), undefined)
  const key = messageKeyOf({ messageId: '<a@b>' })
  assert.match(key ?? '', /^[\w-]{22}$/)
  assert.notEqual(messageKeyOf({ emailId: 'x', messageId: '<a@b>' }), key)
})

test('drafts, own mail, copies and what arrived days before the last look are not new', () => {
  const now = Date.UTC(2026, 0, 10)
  const days = (count: number) => now - count * 24 * 60 * 60_000
  const base = { entry: {}, arrivedAt: now, isKnown: false, comparedAt: days(1) }
  assert.equal(seemsLikeNew(base), true)
  assert.equal(seemsLikeNew({ ...base, isKnown: true }), false)
  assert.equal(seemsLikeNew({ ...base, entry: { draft: true } }), false)
  assert.equal(seemsLikeNew({ ...base, entry: { messageSpecialUse: '\\Sent' } }), false)
  assert.equal(seemsLikeNew({ ...base, entry: { messageSpecialUse: '\\Inbox' } }), true)
  assert.equal(seemsLikeNew({ ...base, arrivedAt: days(3) }), false)
  // After two weeks without a look.
  assert.equal(seemsLikeNew({ ...base, arrivedAt: days(3), comparedAt: days(14) }), true)
  assert.equal(seemsLikeNew({ ...base, arrivedAt: undefined }), true)
  assert.equal(seemsLikeNew({ ...base, arrivedAt: days(3), comparedAt: undefined }), true)
})

test('the switch decides whether accounts without a receiver of their own send events', () => {
  const rows = (values: Record<string, unknown>) =>
    Object.entries(values).map(([name, value]) => ({
      name,
      value: name === 'webhooks' ? null : JSON.stringify(value),
      secret: name === 'webhooks' ? String(value) : null
    }))
  const cases: [settings: Record<string, unknown>, own: boolean, shared: boolean][] = [
    [{}, true, false],
    [{ webhooks: 'sealed' }, true, false],
    [{ webhooksEnabled: true }, true, false],
    [{ webhooksEnabled: true, webhooks: 'sealed' }, true, true],
    [{ webhooksEnabled: false, webhooks: 'sealed' }, false, false]
  ]
  for (const [settings, own, shared] of cases) {
    const rules = webhookRulesOf(rows(settings))
    assert.deepEqual([hasReceiver(rules, true), hasReceiver(rules, false)], [own, shared])
  }
  assert.equal(hasOwnReceiver('{"webhooks":"https://a.example"}'), true)
  assert.equal(hasOwnReceiver('{"webhooks":""}'), false)
  assert.equal(hasOwnReceiver('{}'), false)
})

test('names and inboxNewOnly choose the events that are sent', () => {
  const all = webhookRulesOf([])
  assert.equal(isWanted(all, { name: 'messageNew', path: 'Archive' }), true)
  assert.equal(isWanted({ ...all, names: [] }, { name: 'messageNew', path: 'INBOX' }), false)
  const names = { ...all, names: ['messageDeleted'] }
  assert.equal(isWanted(names, { name: 'messageDeleted', path: 'Archive' }), true)
  assert.equal(isWanted(names, { name: 'messageNew', path: 'INBOX' }), false)
  const inbox = { ...all, inboxNewOnly: true }
  assert.equal(isWanted(inbox, { name: 'messageNew', path: 'Inbox' }), true)
  assert.equal(isWanted(inbox, { name: 'messageNew', path: 'x', specialUse: '\\Inbox' }), true)
  assert.equal(isWanted(inbox, { name: 'messageNew', path: 'Archive' }), false)
  const gmail = { name: 'messageNew', path: '[Gmail]/All Mail', specialUse: '\\All' } as const
  assert.equal(isWanted(inbox, { ...gmail, data: { messageSpecialUse: '\\Inbox' } }), true)
  assert.equal(isWanted(inbox, { ...gmail, data: { messageSpecialUse: '\\All' } }), false)
  assert.equal(isWanted(inbox, { name: 'messageDeleted', path: 'Archive' }), true)
})
