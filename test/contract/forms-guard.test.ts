/** Listening beyond loopback: where a webhook may lead, and where not. */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { openWebhook } from '../support/webhook.ts'

const FORM = '{"email":"jane@example.org","fullName":"Jane Doe"}'

const inside = await openWebhook()
const { port } = new URL(inside.url)

const TARGETS: Readonly<Record<string, string>> = {
  loopback: `http://127.0.0.2:${port}/`,
  'IPv6 loopback': `http://[::1]:${port}/`,
  'the unspecified address': `http://0.0.0.0:${port}/`,
  private: 'http://10.1.2.3/',
  'another private one': 'http://192.168.0.1/',
  'link-local': 'http://169.254.10.20/',
  'the metadata service': 'http://169.254.169.254/latest/meta-data/',
  'the metadata service in decimal': 'http://2852039166/',
  'the metadata service in hexadecimal': 'http://0xa9fea9fe/',
  'the metadata service in octal': 'http://0251.0376.0251.0376/',
  'IPv4-mapped IPv6': 'http://[::ffff:10.1.2.3]/',
  'IPv4-mapped loopback': `http://[::ffff:7f00:2]:${port}/`,
  NAT64: 'http://[64:ff9b::a9fe:a9fe]/',
  '6to4': 'http://[2002:a9fe:a9fe::1]/',
  'unique local': 'http://[fd00:ec2::254]/',
  'IPv6 link-local': 'http://[fe80::1]/'
}

const leading = await openWebhook(
  Object.fromEntries(
    Object.values(TARGETS).map((location, index) => [
      String(index),
      { status: 302, headers: { location } }
    ])
  )
)
after(() => Promise.all([inside.close(), leading.close()]))

describe('a redirect is refused when it leads to', () => {
  for (const [index, target] of Object.keys(TARGETS).entries()) {
    test(target, async () => {
      await using nonet = await start({
        services: ['forms'],
        host: ['0.0.0.0'],
        outboundAllow: ['127.0.0.1'],
        forms: { webhook: leading.url + index, rateLimit: 1000 }
      })
      leading.take()
      const response = await fetch(nonet.forms.url, { method: 'POST', body: FORM })
      assert.equal(await response.text(), 'Error: Webhook unreachable (ADDRESS_REFUSED)')
      assert.equal(response.status, 500)
      assert.equal(leading.take().length, 1)
      assert.equal(inside.take().length, 0)
    })
  }
})

test('a webhook whose name resolves to a private address is refused', async () => {
  await using nonet = await start({
    services: ['forms'],
    host: ['0.0.0.0'],
    forms: { webhook: `http://localhost:${port}/`, rateLimit: 1000 }
  })
  const response = await fetch(nonet.forms.url, { method: 'POST', body: FORM })
  assert.equal(await response.text(), 'Error: Webhook unreachable (ADDRESS_REFUSED)')
  assert.equal(inside.take().length, 0)
})

test('the catch endpoint works there all the same', async () => {
  await using nonet = await start({
    services: ['forms'],
    host: ['0.0.0.0'],
    forms: { rateLimit: 1000 }
  })
  const response = await fetch(nonet.forms.url, { method: 'POST', body: FORM })
  assert.equal(response.status, 200)
  assert.match(await response.text(), /^{"status":"success","id":"[0-9a-f-]{36}"}$/)
  const catchUrl = `${nonet.console?.url}/forms/catch.json`
  assert.equal((await fetch(catchUrl)).status, 401)
  const authorization = `Bearer ${nonet.console?.token}`
  const caught = await (await fetch(catchUrl, { headers: { authorization } })).json()
  assert.equal(caught[0].email, 'jane@example.org')
  assert.equal(caught[0].headers.authorization, undefined)
})
