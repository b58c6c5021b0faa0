/** Data of the REST API in all its tables, and what clients see of it. */
import assert from 'node:assert/strict'
import type { Launched } from './launcher.ts'

const OAUTH2 = {
  auth: { user: 'u' },
  refreshToken: 'r',
  clientSecret: 's',
  tokenUrl: 'https://login.example.org/token',
  clientId: 'c'
}

function clientOf({ ready }: Launched) {
  const base = ready.services.mailbox ?? ''
  return async (path: string, body?: object, method = body ? 'POST' : 'GET', status = 200) => {
    const response = await fetch(`${base}${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body)
      })
    })
    const text = await response.text()
    assert.equal(response.status, status, `${method} ${path}: ${text}`)
    return JSON.parse(text)
  }
}

export async function fillRestTables(nonet: Launched): Promise<void> {
  const post = clientOf(nonet)
  const auth = { user: 'u', pass: 'p' }
  await post('/v1/account', {
    ...{ account: 'real', name: 'Real', email: 'real@example.org', copy: false, oauth2: OAUTH2 },
    imap: { host: '127.0.0.1', port: 9, auth, disabled: true },
    smtp: { host: '127.0.0.1', port: 9, auth }
  })
  const to = { address: 'x@example.org' }
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  await post('/v1/account/real/submit', { to, subject: 'later', text: 't', sendAt })
  await post('/v1/settings', { deliveryAttempts: 3, serviceUrl: 'https://mail.example.org' })
  await post('/v1/tokens', { account: 'real', description: 'described', scopes: ['api'] })
}

/** `account` is one of the sandbox, whose ids of messages depend on numbers that are stored. */
export async function viewRestTables(nonet: Launched, account: string): Promise<object> {
  const get = clientOf(nonet)
  const { messages } = await get(`/v1/account/${account}/messages?path=INBOX`)
  assert.ok(messages.length > 0)
  const { imap, smtp, oauth2, name, email, copy } = await get('/v1/account/real')
  // The key opens the stored secrets.
  assert.deepEqual([imap.auth.pass, oauth2.clientSecret], ['******', '******'])
  const tokens: TokenEntry[] = (await get('/v1/tokens')).tokens
  return {
    messages,
    account: { imap, smtp, oauth2, name, email, copy },
    accounts: (await get('/v1/accounts')).accounts.map((one: { account: string }) => one.account),
    outbox: (await get('/v1/outbox')).messages,
    settings: await get('/v1/settings?deliveryAttempts=true&serviceUrl=true'),
    tokens: tokens.map(({ id, account: of, description }) => ({ id, of, description }))
  }
}

interface TokenEntry {
  id: string
  account: string
  description: string
}

/** After a reset. */
export async function assertRestTablesEmpty(nonet: Launched): Promise<void> {
  const get = clientOf(nonet)
  for (const path of ['/v1/accounts', '/v1/outbox', '/v1/tokens']) {
    assert.equal((await get(path)).total, 0, path)
  }
  assert.equal((await get('/v1/settings?deliveryAttempts=true')).deliveryAttempts, 10)
  assert.equal((await get('/v1/account', { account: 'real', name: 'Another' })).state, 'new')
}
