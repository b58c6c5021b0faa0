import assert from 'node:assert/strict'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { ENGINES } from './engine-names.ts'

export interface SandboxLogin {
  account: string
  address: string
  token: string
  user: string
  password: string
}

export interface Sandbox extends AsyncDisposable {
  url: string
  imapPort: number
  smtpPort: number
  addAccount: () => Promise<SandboxLogin>
}

/** The mailbox service alone, in this process. */
export async function openSandbox(settings: object = {}, engine: Engine = 'sqlite') {
  // Imported here, because the module creates a database for the test file.
  const host = ENGINES.includes('postgres')
    ? (await import('./engines.ts')).engineOptions(engine)
    : {}
  const nonet: Nonet<'mailbox'> = await start({
    services: ['mailbox'],
    mailbox: settings,
    ...host
  })
  return sandboxAt(nonet)
}

function sandboxAt(nonet: Nonet<'mailbox'>): Sandbox {
  const { url, ports } = nonet.mailbox
  return {
    url,
    imapPort: ports.imap?.port ?? 0,
    smtpPort: ports.smtp?.port ?? 0,
    addAccount: () => addAccount(url),
    [Symbol.asyncDispose]: () => nonet.stop()
  }
}

export async function addAccount(url: string): Promise<SandboxLogin> {
  const response = await fetch(`${url}/v1/sandbox/accounts`, { method: 'POST' })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  const { account, address, token, imap } = JSON.parse(text)
  return { account, address, token, user: imap.auth.user, password: imap.auth.pass }
}
