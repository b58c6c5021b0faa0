/** What the webhook sees: signatures, and where its redirects lead the form. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { openWebhook } from '../support/webhook.ts'

const webhook = await openWebhook()
const foreignUrl = webhook.url.replace('127.0.0.1', 'localhost')
const leaving = await openWebhook({
  again: { status: 307, headers: { location: `${foreignUrl}kept` } },
  moves: { status: 302, headers: { location: `${foreignUrl}kept` } },
  twice: { status: 302, headers: { location: '/again' } }
})
after(() => Promise.all([webhook.close(), leaving.close()]))

const FORM = '{"email":"jane@example.org","fullName":"Jane Doe"}'
const SECRETS = ['0123456789abcdef01234567', 'x'.repeat(64)]
const WHSEC = SECRETS.map((secret) => `whsec_${Buffer.from(secret).toString('base64')}`)

describe('signatures', () => {
  test('follow Standard Webhooks, one per secret', async () => {
    await using nonet = await start({
      services: ['forms'],
      forms: { webhook: webhook.url, signingSecret: WHSEC.join(' ') }
    })
    webhook.take()
    const began = Date.now() / 1000
    await fetch(nonet.forms.url, { method: 'POST', body: FORM })
    await fetch(nonet.forms.url, { method: 'POST', body: FORM })
    const [first, second] = webhook.take()
    const { 'webhook-id': id, 'webhook-timestamp': timestamp } = first?.headers ?? {}
    assert.match(String(id), /^msg_[0-9a-f-]{36}$/)
    assert.notEqual(second?.headers['webhook-id'], id)
    assert.ok(Number(timestamp) > began - 1 && Number(timestamp) < Date.now() / 1000 + 1)
    const expected = SECRETS.map(
      (secret) =>
        `v1,${createHmac('sha256', secret).update(`${id}.${timestamp}.${FORM}`).digest('base64')}`
    )
    assert.equal(first?.headers['webhook-signature'], expected.join(' '))
    assert.equal(first?.body, FORM)
  })

  test('nothing is signed unless told', async () => {
    await using nonet = await start({ services: ['forms'], forms: { webhook: webhook.url } })
    webhook.take()
    await fetch(nonet.forms.url, { method: 'POST', body: FORM })
    const headers = webhook.take()[0]?.headers ?? {}
    assert.equal(headers['webhook-id'], undefined)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers.accept, 'application/json, text/plain, */*')
    assert.equal(headers['user-agent'], 'nonet-forms')
  })
})

describe('redirects of the webhook', () => {
  async function submit(path: string, options: object = {}) {
    await using nonet = await start({
      services: ['forms'],
      forms: { webhook: `${leaving.url}${path}`, signingSecret: WHSEC[0], ...options }
    })
    webhook.take()
    leaving.take()
    const response = await fetch(nonet.forms.url, { method: 'POST', body: FORM })
    return { status: response.status, text: await response.text() }
  }

  test('302 to another host is a GET without form and signature', async () => {
    assert.deepEqual(await submit('moves'), { status: 200, text: '{"status":"success"}' })
    assert.equal(typeof leaving.take()[0]?.headers['webhook-signature'], 'string')
    const [{ method, body, headers, path } = {}] = webhook.take()
    assert.deepEqual({ method, body, path }, { method: 'GET', body: '', path: '/kept' })
    assert.equal(headers?.['webhook-signature'], undefined)
    assert.equal(headers?.['webhook-id'], undefined)
    assert.equal(headers?.['content-type'], undefined)
  })

  test('307 to another host is not followed', async () => {
    const text = 'Error: Request failed with status code 307'
    assert.deepEqual(await submit('again'), { status: 500, text })
    assert.equal(webhook.take().length, 0)
  })

  test('307 to an allowed host carries the form but not the signature', async () => {
    const { host } = new URL(foreignUrl)
    assert.equal((await submit('again', { redirectHosts: [host] })).status, 200)
    const [{ method, body, headers } = {}] = webhook.take()
    assert.deepEqual({ method, body }, { method: 'POST', body: FORM })
    assert.equal(headers?.['webhook-signature'], undefined)
    assert.equal(headers?.['content-type'], 'application/json')
  })

  test('307 after 302 has no form left to protect', async () => {
    assert.equal((await submit('twice')).status, 200)
    assert.deepEqual(
      leaving.take().map(({ method }) => method),
      ['POST', 'GET']
    )
    assert.deepEqual(
      webhook.take().map(({ method }) => method),
      ['GET']
    )
  })
})
