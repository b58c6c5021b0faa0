/** curl as a client of IMAP and SMTP. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const run = promisify(execFile)
const MESSAGE = 'From: a@example.test\r\nSubject: by curl\r\n\r\nhello\r\n'

describe('curl', () => {
  let sandbox: Sandbox
  let login: SandboxLogin
  const file = join(scratchFolder(), 'message.eml')
  before(async () => {
    sandbox = await openSandbox()
    login = await sandbox.addAccount()
    writeFileSync(file, MESSAGE)
  })
  after(() => sandbox[Symbol.asyncDispose]())

  /** A message on standard error fails, except that of the exit code. */
  async function curl(...args: readonly string[]): Promise<string> {
    const { stdout, stderr } = await run('curl', ['-sS', '--max-time', '60', ...args])
    assert.equal(stderr, '')
    return stdout
  }

  const user = () => `${login.user}:${login.password}`
  const imap = (path: string, ...args: readonly string[]) =>
    curl(`imap://127.0.0.1:${sandbox.imapPort}/${path}`, '-u', user(), ...args)
  const smtp = (...args: readonly string[]) =>
    curl(`smtp://127.0.0.1:${sandbox.smtpPort}/client.example.test`, ...args)

  test('smtp:// delivers in clear, over TLS and with a password', async () => {
    const mail = ['--mail-from', 'a@example.test', '--mail-rcpt', login.address, '-T', file]
    await smtp(...mail)
    await smtp(...mail, '--ssl-reqd', '--insecure')
    await smtp(...mail, '--ssl-reqd', '--insecure', '-u', user())
    await smtp(...mail, '-u', user(), '--login-options', 'AUTH=PLAIN')
    assert.match(await imap('', '-X', 'STATUS INBOX (MESSAGES)'), /MESSAGES 4/)
  })

  test('smtp:// is told of a wrong password', async () => {
    const args = ['--mail-from', 'a@example.test', '--mail-rcpt', login.address, '-T', file]
    await assert.rejects(smtp(...args, '-u', `${login.user}:wrong`), { code: 67 })
  })

  test('imap:// lists, searches and reads', async () => {
    assert.match(await imap(''), /^\* LIST \(.*\\Sent.*\) "\/" "?Sent"?\r$/m)
    assert.match(await imap('INBOX?SUBJECT%20curl'), /^\* SEARCH 1 2 3 4\r$/m)
    const source = await imap('INBOX;UID=1')
    assert.ok(source.endsWith(MESSAGE), source)
    assert.equal(await imap('INBOX;UID=1;SECTION=TEXT'), 'hello\r\n')
    assert.match(await imap('INBOX;MAILINDEX=2;SECTION=HEADER'), /Subject: by curl\r\n/)
    assert.match(await imap('INBOX', '-X', 'FETCH 1:2 (FLAGS)'), /^\* 2 FETCH \(FLAGS/m)
  })

  test('imap:// stores a message, and changes and deletes it, over TLS', async () => {
    const tls = ['--ssl-reqd', '--insecure']
    await imap('Drafts', '-T', file, ...tls)
    assert.equal(
      (await imap('Drafts;UID=1', ...tls)).replaceAll('\r', ''),
      MESSAGE.replaceAll('\r', '')
    )
    await imap('Drafts', '-X', 'STORE 1 +FLAGS (\\Deleted)', ...tls)
    assert.match(await imap('Drafts', '-X', 'EXPUNGE', ...tls), /^\* 1 EXPUNGE\r$/m)
    await assert.rejects(imap('Drafts;UID=1', ...tls), { code: 78 })
  })

  test('imap:// is told of a wrong password and of a missing mailbox', async () => {
    await assert.rejects(
      curl(`imap://127.0.0.1:${sandbox.imapPort}/`, '-u', `${login.user}:wrong`),
      { code: 67 }
    )
    await assert.rejects(imap('Missing;UID=1'), /Select failed/)
  })
})
