import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe } from 'node:test'
import { ImapFlow } from 'imapflow'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { ADMIN_TOKEN, type Sandbox, sandboxOf } from '../contract/mailbox-site.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from './dovecot.ts'
import { ENGINES, engineOptions } from './engines.ts'

/** A new account of the API, and its mail server without the API. */
export interface MailAccount extends AsyncDisposable {
  site: Sandbox
  /** Path of its routes. */
  path: string
  address: string
  token: string
  /** Asserts the status and resolves to the body. */
  call: <T = Record<string, unknown>>(
    request: { method?: string; path: string; body?: unknown },
    status?: number
  ) => Promise<T>
  /** Another client of the same mail server. */
  client: ImapFlow
  /** Stores a message by the other client and resolves to its id of the API. */
  add: (raw: string | Buffer, options?: { mailbox?: string; flags?: string[] }) => Promise<string>
  /** Flags by subject, as the other client sees them. */
  flagsIn: (mailbox: string) => Promise<Readonly<Record<string, string[]>>>
}

export type OpenAccount = () => Promise<MailAccount>

/** Tests that run on several mail servers. */
export type AccountTests = (open: OpenAccount) => void

/** Runs the tests with the sandbox on every engine. */
export function sandboxAccounts(
  title: string,
  play: AccountTests,
  options: object = {},
  engines: readonly Engine[] = ENGINES
): void {
  for (const engine of engines) {
    describe(`${title}, sandbox on ${engine}`, () => {
      let nonet: Nonet<'mailbox'>
      before(async () => {
        nonet = await startMailbox(options, engine)
      })
      after(() => nonet.stop())
      play(() => openSandboxAccount(sandboxOf(nonet)))
    })
  }
}

/** Only in files that `scripts/test.mjs` lists. */
export function dovecotAccounts(title: string, plays: readonly AccountTests[]): void {
  describe(`${title}, Dovecot`, () => {
    let nonet: Nonet<'mailbox'>
    let dovecot: Dovecot
    before(async () => {
      dovecot = await openDovecot()
      nonet = await startMailbox({}, 'sqlite')
    })
    after(async () => {
      await nonet.stop()
      await dovecot.close()
    })
    for (const play of plays) play(() => openDovecotAccount(sandboxOf(nonet), dovecot))
  })
}

function startMailbox(options: object, engine: Engine): Promise<Nonet<'mailbox'>> {
  return start({
    services: ['mailbox'],
    adminToken: ADMIN_TOKEN,
    ...options,
    ...engineOptions(engine)
  })
}

export async function openSandboxAccount(site: Sandbox): Promise<MailAccount> {
  const { account, token, address, imap } = await site.account()
  return accountOf(site, { account, token, address }, imap)
}

async function openDovecotAccount(site: Sandbox, dovecot: Dovecot): Promise<MailAccount> {
  const address = `${randomUUID().slice(0, 8)}@example.test`
  const imap = {
    ...{ host: dovecot.host, port: dovecot.imapPort, secure: false },
    auth: { user: address, pass: DOVECOT_PASSWORD }
  }
  const { account } = await site.json<{ account: string }>({
    method: 'POST',
    path: '/v1/account',
    token: ADMIN_TOKEN,
    body: { account: null, name: 'Test', email: address, imap }
  })
  return accountOf(site, { account, token: ADMIN_TOKEN, address }, imap)
}

async function accountOf(
  site: Sandbox,
  { account, token, address }: { account: string; token: string; address: string },
  server: { host: string; port: number; secure: boolean; auth: { user: string; pass: string } }
): Promise<MailAccount> {
  const client = new ImapFlow({ ...server, tls: { rejectUnauthorized: false }, logger: false })
  await client.connect()
  const path = `/v1/account/${account}`
  return {
    ...{ site, path, address, token, client },
    call: (request, status) =>
      site.json({ ...request, path: `${path}${request.path}`, token }, status),
    async add(raw, { mailbox = 'INBOX', flags = [] } = {}) {
      const content = typeof raw === 'string' ? Buffer.from(raw, 'latin1') : raw
      // Flags that the selected mailbox does not keep would be left out.
      await client.mailboxOpen(mailbox)
      const added = await client.append(mailbox, content, flags)
      assert.ok(added)
      const { messages } = await site.json<{ messages: { id: string; uid: number }[] }>({
        method: 'POST',
        path: `${path}/search?path=${encodeURIComponent(mailbox)}`,
        token,
        body: { search: { uid: String(added.uid) } }
      })
      return messages[0]?.id ?? assert.fail('the message is listed')
    },
    async flagsIn(mailbox) {
      const { exists } = await client.mailboxOpen(mailbox, { readOnly: true })
      const found: Record<string, string[]> = {}
      if (exists === 0) return found
      for await (const { flags, envelope } of client.fetch('1:*', {
        flags: true,
        envelope: true
      })) {
        const own = [...(flags ?? [])].filter((flag) => flag !== '\\Recent')
        found[envelope?.subject ?? ''] = own.sort()
      }
      return found
    },
    async [Symbol.asyncDispose]() {
      await client.logout()
    }
  }
}
