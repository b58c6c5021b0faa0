/** isync synchronises the sandbox with a Maildir and with Dovecot, in both directions. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { type ImapClient, openImap } from '../support/imap-client.ts'
import { openSandbox, type Sandbox, type SandboxLogin } from '../support/mailbox-sandbox.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openText } from '../support/text-socket.ts'

const run = promisify(execFile)

const messageOf = (subject: string) =>
  Buffer.from(
    `From: a@example.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@example.test>\r\n\r\nhello\r\n`
  )

describe('isync', () => {
  let sandbox: Sandbox
  let login: SandboxLogin
  let client: ImapClient
  before(async () => {
    sandbox = await openSandbox()
    login = await sandbox.addAccount()
    client = await logIn(sandbox.imapPort, login.user, login.password)
  })
  after(async () => {
    client[Symbol.dispose]()
    await sandbox[Symbol.asyncDispose]()
  })

  const imapStore = (name: string, port: number, user: string, password: string, tls: string) => `
IMAPStore ${name}
Host 127.0.0.1
Port ${port}
User ${user}
Pass ${password}
AuthMechs LOGIN
${tls}
`
  const CLEAR = 'SSLType None'

  /** Any message of isync is a complaint, except that a password is not encrypted. */
  async function sync(folder: string, configuration: string): Promise<void> {
    const file = join(folder, 'mbsyncrc')
    writeFileSync(file, configuration)
    const { stdout, stderr } = await run('mbsync', ['-q', '-c', file, '-a'], {
      env: { ...process.env, HOME: folder }
    })
    const told = stdout + stderr
    assert.equal(told.replace(/^.* Password is being sent in the clear\n/gm, ''), '')
  }

  test('a Maildir and the sandbox get the changes of each other', async () => {
    const folder = scratchFolder()
    const maildir = join(folder, 'mail')
    mkdirSync(maildir)
    const certificate = join(folder, 'certificate.pem')
    writeFileSync(certificate, await certificateOf(sandbox.imapPort))
    const tls = `SSLType STARTTLS\nCertificateFile ${certificate}`
    const configuration = `${imapStore('far', sandbox.imapPort, login.user, login.password, tls)}
MaildirStore near
Path ${maildir}/
Inbox ${maildir}/INBOX
SubFolders Verbatim

Channel both
Far :far:
Near :near:
Patterns *
Create Both
Remove Both
Expunge Both
SyncState *
`
    await client.command('APPEND INBOX (\\Seen) ', messageOf('one'))
    await client.command('APPEND INBOX ', messageOf('two'))
    await client.command('CREATE Work/Deep')
    await client.command('APPEND Work/Deep (\\Flagged) ', messageOf('deep'))
    await sync(folder, configuration)
    const inbox = join(maildir, 'INBOX')
    assert.deepEqual(flagsOf(inbox), { one: 'S', two: '' })
    assert.deepEqual(flagsOf(join(maildir, 'Work', 'Deep')), { deep: 'F' })

    writeFileSync(join(inbox, 'new', '1.local.host'), lineFeeds(messageOf('three')))
    rename(inbox, 'one', (name) => name.replace(/2,.*$/, '2,RST'))
    mkdirSync(join(maildir, 'Local'))
    for (const name of ['cur', 'new', 'tmp']) mkdirSync(join(maildir, 'Local', name))
    writeFileSync(join(maildir, 'Local', 'new', '2.local.host'), lineFeeds(messageOf('local')))
    await client.command('SELECT INBOX')
    await client.command('STORE 2 +FLAGS (\\Answered)')
    await sync(folder, configuration)
    assert.deepEqual(flagsOf(inbox), { two: 'R', three: '' })
    assert.deepEqual(await subjectsOf(client, 'INBOX'), ['two', 'three'])
    assert.deepEqual(await subjectsOf(client, 'Local'), ['local'])

    await client.command('SELECT INBOX')
    await client.command('STORE 1:* +FLAGS (\\Deleted)')
    await client.command('EXPUNGE')
    await sync(folder, configuration)
    assert.deepEqual(flagsOf(inbox), {})
    await sync(folder, configuration)
    assert.deepEqual(await subjectsOf(client, 'INBOX'), [])
  })

  test('Dovecot and the sandbox get the changes of each other', async () => {
    await using dovecot: Dovecot = await openDovecot()
    const user = 'sync@example.test'
    using other = await logIn(dovecot.imapPort, user, DOVECOT_PASSWORD)
    const account = await sandbox.addAccount()
    using own = await logIn(sandbox.imapPort, account.user, account.password)
    const folder = scratchFolder()
    const configuration = `${imapStore('far', dovecot.imapPort, user, DOVECOT_PASSWORD, CLEAR)}
${imapStore('near', sandbox.imapPort, account.user, account.password, CLEAR)}
Channel both
Far :far:
Near :near:
Patterns *
Create Both
Expunge Both
SyncState ${folder}/
`
    for (let number = 0; number < 20; number++) {
      await other.command('APPEND INBOX ', messageOf(`far${number}`))
      await own.command('APPEND Archive (\\Seen) ', messageOf(`near${number}`))
    }
    await sync(folder, configuration)
    assert.equal((await subjectsOf(own, 'INBOX')).length, 20)
    assert.equal((await subjectsOf(other, 'Archive')).length, 20)
    await own.command('SELECT INBOX')
    await own.command('STORE 1:5 +FLAGS (\\Flagged)')
    await own.command('STORE 6:10 +FLAGS (\\Deleted)')
    await own.command('CLOSE')
    await sync(folder, configuration)
    assert.equal((await subjectsOf(other, 'INBOX')).length, 15)
    const [searched] = await other.command('SEARCH FLAGGED')
    assert.equal(searched?.raw, '* SEARCH 1 2 3 4 5')
  })
})

/** The certificate that the server shows after STARTTLS, as PEM. */
async function certificateOf(port: number): Promise<string> {
  using client = openText(port)
  await client.until(/^\* OK.*\r\n/)
  client.write('a STARTTLS\r\n')
  await client.until(/^a OK.*\r\n/m)
  const { raw } = (await client.startTls()).peerCertificate()
  const lines = raw.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

async function logIn(port: number, user: string, password: string): Promise<ImapClient> {
  const client = await openImap({ port })
  const responses = await client.command(`LOGIN ${user} ${password}`)
  assert.equal(responses.at(-1)?.status, 'OK')
  return client
}

async function subjectsOf(client: ImapClient, mailbox: string): Promise<string[]> {
  await client.command(`SELECT ${mailbox}`)
  const responses = await client.command('FETCH 1:* BODY.PEEK[HEADER.FIELDS (Subject)]')
  return responses.flatMap(({ raw }) => /Subject: (\w+)/.exec(raw)?.[1] ?? [])
}

/** The flags of each message of a Maildir, by its subject. */
function flagsOf(folder: string): Record<string, string> {
  const names = ['cur', 'new'].flatMap((part) =>
    readdirSync(join(folder, part)).map((name) => join(folder, part, name))
  )
  return Object.fromEntries(
    names.map((name) => [subjectOf(name), /:2,(\w*)$/.exec(name)?.[1] ?? ''])
  )
}

function subjectOf(file: string): string {
  return /Subject: (\w+)/.exec(readFileSync(file, 'utf8'))?.[1] ?? ''
}

function rename(folder: string, subject: string, change: (name: string) => string): void {
  for (const part of ['cur', 'new']) {
    for (const name of readdirSync(join(folder, part))) {
      const file = join(folder, part, name)
      if (subjectOf(file) !== subject) continue
      const flagged = name.includes(':2,') ? name : `${name}:2,`
      renameSync(file, join(folder, 'cur', change(flagged)))
    }
  }
}

/** A Maildir has the line ends of its system. */
function lineFeeds(message: Buffer): string {
  return message.toString().replaceAll('\r\n', '\n')
}
