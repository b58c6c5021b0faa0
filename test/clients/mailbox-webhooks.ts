/** Deliveries that verifiers of others accept: standardwebhooks 1.1.1, Python and openssl. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Webhook, WebhookVerificationError } from 'standardwebhooks'
import { type Nonet, start } from '../../src/host/start.ts'
import { sandboxOf } from '../contract/mailbox-site.ts'
import { until } from '../support/delivery-receiver.ts'
import {
  type EventDelivery,
  type EventReceiver,
  openEventReceiver
} from '../support/event-receiver.ts'

const SECRET = 'ключ of "this" test'

let nonet: Nonet<'mailbox'>
let receiver: EventReceiver
let delivery: EventDelivery

before(async () => {
  receiver = await openEventReceiver()
  nonet = await start({ services: ['mailbox'], ephemeral: true })
  const { json } = sandboxOf(nonet)
  const settings = { webhooksEnabled: true, webhooks: receiver.url, serviceSecret: SECRET }
  await json({ method: 'POST', path: '/v1/settings', body: settings })
  await json({ method: 'POST', path: '/v1/account', body: { account: 'Zażółć 💌', name: '' } })
  await until(() => receiver.deliveries.length === 1, 'the delivery')
  const [first] = receiver.deliveries
  assert.ok(first !== undefined)
  delivery = first
})
after(async () => {
  await nonet.stop()
  await receiver[Symbol.asyncDispose]()
})

const header = (name: string) => String(delivery.headers[name])

test('standardwebhooks verifies the timestamped signature, and no other', () => {
  const headers = Object.fromEntries(
    Object.entries(delivery.headers).map(([name, value]) => [name, String(value)])
  )
  const verifier = new Webhook(`whsec_${Buffer.from(SECRET).toString('base64')}`)
  assert.deepEqual(verifier.verify(delivery.text, headers), delivery.body)
  assert.equal(headers['webhook-id'], headers['x-ee-wh-event-id'])
  const rejected: [text: string, changed: Record<string, string>][] = [
    [`${delivery.text} `, {}],
    [delivery.text, { 'webhook-id': 'other' }],
    [delivery.text, { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) }]
  ]
  for (const [text, changed] of rejected) {
    assert.throws(() => verifier.verify(text, { ...headers, ...changed }), WebhookVerificationError)
  }
  const other = new Webhook(`whsec_${Buffer.from('other').toString('base64')}`)
  assert.throws(() => other.verify(delivery.text, headers), WebhookVerificationError)
})

test('Python verifies the signature of the raw bytes, and no other', () => {
  const script = join(import.meta.dirname, 'mailbox-webhooks.py')
  const verify = (input: string) =>
    spawnSync('python3', [script, SECRET, header('x-ee-wh-signature')], { input }).stdout.toString()
  assert.equal(verify(delivery.text), 'valid\n')
  assert.equal(verify(`${delivery.text}\n`), 'invalid\n')
})

test('openssl computes the same signature', () => {
  const { stdout } = spawnSync('openssl', ['dgst', '-sha256', '-hmac', SECRET, '-binary'], {
    input: delivery.text
  })
  assert.equal(stdout.toString('base64url'), header('x-ee-wh-signature'))
})
