import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { normaliseDomain, parseEmailAddress } from './email-address.ts'
import { findByDomain, type Provider } from './providers.ts'

const FILE = new URL('../../../../../data/autoconfig/providers.json', import.meta.url)
const providers: readonly Provider[] = JSON.parse(readFileSync(FILE, 'utf8'))

test('the table has each domain and each exchanger once, and only encrypted servers', () => {
  for (const key of ['domains', 'mx'] as const) {
    const names = providers.flatMap((one) => one[key])
    assert.equal(new Set(names).size, names.length, key)
    for (const name of names) assert.equal(normaliseDomain(name), name)
  }
  for (const { provider, imap, smtp, domains, mx, instructions, appPassword } of providers) {
    assert.ok(domains.length + mx.length > 0, provider)
    assert.ok(appPassword !== true || instructions !== undefined, provider)
    assert.ok((imap !== false && smtp !== false) || instructions !== undefined, provider)
    for (const [server, secure, start] of [
      [imap, 993, 143],
      [smtp, 465, 587]
    ] as const) {
      if (server === false) continue
      assert.equal(normaliseDomain(server.host), server.host)
      assert.equal(server.port, server.secure ? secure : start, provider)
    }
  }
})

test('the user is the address or the part before the @', async () => {
  const userOf = async (address: string) => {
    const email = parseEmailAddress(address)
    const found = email && (await findByDomain(email))
    return found?.imap?.user
  }
  assert.equal(await userOf('Jo@GMX.de'), 'Jo@gmx.de')
  assert.equal(await userOf('jo@free.fr'), 'jo')
  assert.equal(await userOf('jo@proton.me'), undefined)
})
