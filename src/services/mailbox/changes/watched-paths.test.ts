import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ListResponse } from 'imapflow'
import { watchedPaths } from './watched-paths.ts'

function mailbox(path: string, specialUse?: string, flags: readonly string[] = []): ListResponse {
  const parts = path.split('/')
  return {
    ...{ path, pathAsListed: path, name: parts.at(-1) ?? '', delimiter: '/', parentPath: '' },
    ...{ parent: [], flags: new Set(flags), listed: true, subscribed: true },
    ...(specialUse !== undefined && { specialUse })
  }
}

const LISTED = [
  mailbox('INBOX', '\\Inbox'),
  mailbox('Sent Items', '\\Sent'),
  mailbox('Work'),
  mailbox('[Gmail]', undefined, ['\\Noselect']),
  mailbox('All', '\\All'),
  mailbox('Bin', '\\Trash')
]

function watch(wanted: readonly string[] | undefined, isGmail = false): readonly string[] {
  const { selectable, isWatched } = watchedPaths(LISTED, { wanted, isGmail })
  return selectable.filter(isWatched).map(({ path }) => path)
}

test('all mailboxes with messages are watched, or those that the account names', () => {
  assert.deepEqual(watch(undefined), ['INBOX', 'Sent Items', 'Work', 'All', 'Bin'])
  assert.deepEqual(watch(['*']), watch(undefined))
  assert.deepEqual(watch(['Work', '\\sent', '\\Inbox']), ['INBOX', 'Sent Items', 'Work'])
  assert.deepEqual(watch(['Missing']), [])
})

test('on Gmail only mailboxes that are no labels of others are watched, unless named', () => {
  assert.deepEqual(watch(undefined, true), ['All', 'Bin'])
  assert.deepEqual(watch(['INBOX'], true), ['INBOX'])
})

test('paths that cannot be stored are left out, and each is there once', () => {
  const names = ['a\0', '\ud800', '\u0001a', 'x'.repeat(3000), 'Work', 'Work']
  const { selectable } = watchedPaths(
    names.map((name) => mailbox(name)),
    { wanted: undefined, isGmail: false }
  )
  assert.deepEqual(
    selectable.map(({ path }) => path),
    ['Work']
  )
})
