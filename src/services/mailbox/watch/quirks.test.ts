import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idleMsOf, intervalsOf } from './quirks.ts'

const SERVER = {
  host: 'imap.example.test',
  hasNotify: false,
  hasListStatus: true,
  mailboxes: 10,
  resyncDelay: undefined
}
const MINUTE = 60_000

test('IDLE is begun again before servers end it, sooner for some providers', () => {
  assert.ok(idleMsOf('imap.example.test') < 29 * MINUTE)
  for (const host of ['imap.rambler.ru', 'IMAP.163.com']) assert.ok(idleMsOf(host) < 55_000)
  assert.equal(idleMsOf('imap.mail.yahoo.com'), 3 * MINUTE)
  assert.ok(idleMsOf('imap.notyahoo.community') > 3 * MINUTE)
})

test('all mailboxes are compared each minute, with NOTIFY each quarter of an hour', () => {
  assert.equal(intervalsOf(SERVER).pollMs, MINUTE)
  assert.equal(intervalsOf({ ...SERVER, hasNotify: true }).pollMs, 15 * MINUTE)
})

test('a server without LIST-STATUS does not get a STATUS for many mailboxes each minute', () => {
  const slow = { ...SERVER, hasListStatus: false }
  assert.equal(intervalsOf({ ...slow, mailboxes: 10 }).pollMs, MINUTE)
  assert.equal(intervalsOf({ ...slow, mailboxes: 100 }).pollMs, 200_000)
  assert.equal(intervalsOf({ ...slow, mailboxes: 10_000 }).pollMs, 15 * MINUTE)
})

test('resyncDelay is the longest time between two comparisons of all mailboxes', () => {
  const delayed = { ...SERVER, hasListStatus: false, mailboxes: 10_000, resyncDelay: 120 }
  assert.equal(intervalsOf(delayed).pollMs, 120_000)
  assert.equal(intervalsOf({ ...SERVER, hasNotify: true, resyncDelay: 3600 }).pollMs, 60 * MINUTE)
  assert.equal(intervalsOf({ ...SERVER, hasNotify: true, resyncDelay: 1 }).pollMs, MINUTE)
})

test('no connection rests so long that it counts as lost', () => {
  for (const hasNotify of [true, false]) {
    assert.ok(intervalsOf({ ...SERVER, hasNotify, resyncDelay: 86_400 }).restMs < 120_000)
  }
})
