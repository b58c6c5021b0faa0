/** imaplib and smtplib of Python's standard library. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openSandbox } from '../support/mailbox-sandbox.ts'

const run = promisify(execFile)

test('imaplib and smtplib send, read and change mail', async () => {
  await using sandbox = await openSandbox()
  const { user, password, address } = await sandbox.addAccount()
  const args = [sandbox.imapPort, sandbox.smtpPort, user, password, address].map(String)
  const script = join(import.meta.dirname, 'mailbox-python.py')
  const { stdout, stderr } = await run('python3', ['-W', 'error', script, ...args])
  assert.equal(stderr, '')
  const { features, namespace, ...results } = JSON.parse(stdout)
  for (const feature of ['8bitmime', 'auth', 'pipelining', 'size', 'smtputf8']) {
    assert.ok(features.includes(feature), `${feature} of ${features}`)
  }
  assert.match(namespace, /^\(\("" "\/"\)\) NIL NIL$/)
  assert.deepEqual(results, {
    rejected: {},
    'wrong SMTP password': 535,
    mailboxes: ['Archive', 'Drafts', 'INBOX', 'Junk', 'Sent', 'Trash'],
    selected: '2',
    unseen: '1 2',
    found: '2',
    text: 'zażółć\r\n.\r\n..\r\n',
    stored: 'OK',
    created: 'OK',
    copied: 'OK',
    moved: 'OK',
    appended: 'OK',
    expunged: ['2', '1'],
    status: '"My Folder" (MESSAGES 2 UNSEEN 1)',
    'sorted flags': 'OK',
    deleted: 'OK',
    missing: 'NO',
    'wrong IMAP password': 'error',
    authenticated: 'AUTH'
  })
})
