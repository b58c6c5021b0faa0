import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImapFlow } from 'imapflow'
import { internalsOf, noticesOf, reportMailboxLines } from './notify-adapter.ts'

function createClient(): ImapFlow {
  return new ImapFlow({ host: '127.0.0.1', port: 1, auth: { user: 'a', pass: 'b' }, logger: false })
}

type Handle = (response: { payload: Buffer; next: () => void }) => Promise<boolean>

/** Lets the client parse a line as one of the server. */
async function receive(client: ImapFlow, line: string): Promise<void> {
  const handle: Handle = Reflect.get(client, 'handleResponse')
  await Reflect.apply(handle, client, [{ payload: Buffer.from(line), next() {} }])
}

function collect(client: ImapFlow): string[] {
  const told: string[] = []
  reportMailboxLines(client, {
    onStatus: (path) => told.push(`status ${path}`),
    onList: (path, oldPath) => told.push(`list ${path}${oldPath ? ` was ${oldPath}` : ''}`),
    onOverflow: () => told.push('overflow')
  })
  return told
}

test('this version of imapflow has the members that NOTIFY needs', () => {
  assert.doesNotThrow(() => internalsOf(createClient()))
  const client = createClient()
  Reflect.set(client, 'exec', undefined)
  assert.throws(() => internalsOf(client), /other internals/)
})

test('STATUS and LIST lines that no command requested are reported, with names as imapflow has them', async () => {
  const client = createClient()
  const told = collect(client)
  assert.notEqual(noticesOf(client), undefined)
  await receive(client, '* STATUS INBOX (MESSAGES 1 UIDNEXT 2)')
  await receive(client, '* STATUS "inbox" (MESSAGES 1)')
  await receive(client, '* STATUS "Entw&APw-rfe" (HIGHESTMODSEQ 7)')
  await receive(client, '* LIST (\\HasNoChildren) "/" "New one"')
  await receive(client, '* LIST (\\NonExistent) "/" Gone')
  await receive(client, '* LIST () "/" "To" ("OLDNAME" ("From"))')
  await receive(client, '* LIST () "/" "To" ("CHILDINFO" ("SUBSCRIBED"))')
  await receive(client, '* OK [NOTIFICATIONOVERFLOW] Too many changes')
  assert.deepEqual(told, [
    'status INBOX',
    'status INBOX',
    'status Entwürfe',
    'list New one',
    'list Gone',
    'list To was From',
    'list To',
    'overflow'
  ])
})

test('lines that are not as RFC 5465 says are ignored', async () => {
  const client = createClient()
  const told = collect(client)
  for (const line of [
    '* STATUS',
    '* STATUS (MESSAGES 1)',
    '* STATUS NIL (MESSAGES 1)',
    '* LIST',
    '* LIST ()',
    '* LIST () "/"',
    '* LIST () "/" NIL',
    '* LIST () NIL () ()'
  ]) {
    await receive(client, line)
  }
  await receive(client, '* LIST () "/" x ("OLDNAME")')
  await receive(client, '* LIST () "/" x ("OLDNAME" ())')
  assert.deepEqual(told, ['list x', 'list x'])
})

test('the lines of a LIST command are its result; former names are told', async () => {
  const client = createClient()
  const told = collect(client)
  const listed: unknown[] = []
  const untagged = {
    LIST: async (response: unknown) => listed.push(response),
    STATUS: async (response: unknown) => listed.push(response)
  }
  Reflect.set(client, 'currentRequest', { tag: '1', command: 'LIST', options: { untagged } })
  await receive(client, '* LIST () "/" INBOX')
  await receive(client, '* STATUS INBOX (MESSAGES 1)')
  await receive(client, '* LIST () "/" "To" ("OLDNAME" ("From"))')
  assert.equal(listed.length, 3)
  assert.deepEqual(told, ['list To was From'])
})
