/** Mail, accounts, the queue, settings and tokens are the same after the tables move, and after a restore. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { temporaryDatabase } from '../support/engines.ts'
import { openImap } from '../support/imap-client.ts'
import { type Launched, launchLoadedNonet, runNonet, temporaryFolder } from '../support/launcher.ts'
import {
  assertRestTablesEmpty,
  fillRestTables,
  viewRestTables
} from '../support/mailbox-rest-data.ts'
import { addAccount, type SandboxLogin } from '../support/mailbox-sandbox.ts'
import { sendMail } from '../support/smtp-client.ts'

const SOURCE = `From: "Ada Lovelace" <ada@example.org>
To: someone@example.org
Subject: =?utf-8?Q?Gr=C3=BC=C3=9Fe?=
Content-Type: text/plain; charset=utf-8

Grüße
`.replaceAll('\n', '\r\n')

function portOf({ ready }: Launched, name: string): number {
  return ready.ports?.[`mailbox-${name}`] ?? assert.fail(`no port ${name}`)
}

async function deliver(nonet: Launched, to: string): Promise<void> {
  assert.match(await sendMail(portOf(nonet, 'smtp'), { to: [to], source: SOURCE }), /^250 /)
}

/** All responses to the commands, after a login. */
async function askImap(
  nonet: Launched,
  { user, password }: SandboxLogin,
  ...commands: readonly string[]
): Promise<string> {
  using client = await openImap({ port: portOf(nonet, 'imap') })
  let text = ''
  for (const command of [`LOGIN "${user}" "${password}"`, ...commands]) {
    for (const { raw } of await client.command(command)) text += `${raw}\n`
  }
  return text
}

/** What a mail program sees: names, numbers, flags and bytes. */
function readMail(nonet: Launched, account: SandboxLogin): Promise<string> {
  const items = 'FLAGS INTERNALDATE MODSEQ RFC822.SIZE EMAILID BODY.PEEK[]'
  return askImap(
    nonet,
    account,
    'LIST "" *',
    'SELECT INBOX (CONDSTORE)',
    `UID FETCH 1:* (${items})`
  )
}

const api = (nonet: Launched, path: string, token: string) =>
  fetch(`${nonet.ready.services.mailbox}/v1/sandbox${path}`, {
    headers: { authorization: `Bearer ${token}` }
  })

async function view(nonet: Launched, account: SandboxLogin): Promise<object> {
  const { messages } = await (await api(nonet, '/messages', account.token)).json()
  assert.equal(messages.length, 2)
  const found = await api(nonet, `/messages/${messages[0].id}`, account.token)
  assert.equal(found.status, 200)
  const mail = await readMail(nonet, account)
  assert.match(mail, /R&AOQ-ume.*\* 2 FETCH /s)
  const text = (await found.text()).replaceAll(nonet.ready.services.mailbox ?? '', '')
  const rest = await viewRestTables(nonet, account.account)
  return { messages, found: JSON.parse(text), mail, rest }
}

async function fill(nonet: Launched): Promise<SandboxLogin> {
  const account = await addAccount(nonet.ready.services.mailbox ?? '')
  for (const to of [account.address, account.address, 'nobody@example.org']) {
    await deliver(nonet, to)
  }
  const text = await askImap(
    nonet,
    account,
    'CREATE R&AOQ-ume',
    'SELECT INBOX',
    'UID STORE 1 +FLAGS (\\Seen $Label)'
  )
  assert.match(text, /^a4 OK/m)
  await fillRestTables(nonet)
  return account
}

test('mail, accounts, queue, settings and tokens move to PostgreSQL, back, and through a backup', async () => {
  using first = temporaryFolder()
  using second = temporaryFolder()
  using third = temporaryFolder()
  await using database = await temporaryDatabase()
  const key = ['--secret-key-file', join(first.path, 'secret.key')]
  const start = (data: string, ...more: string[]) =>
    launchLoadedNonet(['mailbox', '--quiet', '--data', data, ...more])
  const run = async (...args: string[]) => {
    const { code, stdout, stderr } = await runNonet(args)
    assert.equal(code, 0, `${args[0]}: ${stderr}`)
    return stdout
  }

  const source = await start(first.path)
  const account = await fill(source)
  const before = await view(source, account)
  await source.end()

  await run('copy', '--data', first.path, '--to', database.url)
  const there = await start(first.path, '--database', database.url)
  assert.deepEqual(await view(there, account), before)
  await there.end()

  const onPostgres = ['--data', first.path, '--database', database.url]
  await run('copy', ...onPostgres, '--to', second.path)
  const back = await start(second.path, ...key)
  assert.deepEqual(await view(back, account), before)
  const file = join(first.path, 'mailbox.nonet')
  await run('backup', file, '--data', second.path)
  await back.end()

  await run('restore', file, '--data', third.path, ...key)
  const restored = await start(third.path, ...key)
  assert.deepEqual(await view(restored, account), before)
  await deliver(restored, account.address)
  assert.match(await readMail(restored, account), /^\* 3 FETCH .*UID 3/m)
  assert.equal(await run('reset', 'mailbox', '--data', third.path), 'Reset mailbox\n')
  assert.match(await askImap(restored, account), /^a1 NO /m)
  assert.equal((await api(restored, '/messages', account.token)).status, 401)
  await assertRestTablesEmpty(restored)
  await restored.end()
  const diagnosis = await run('doctor', 'mailbox', '--port-base=0', '--data', third.path, ...key)
  assert.match(diagnosis, /any free port for mailbox-imap/)
  assert.doesNotMatch(diagnosis, /problem|missing/i)
})
