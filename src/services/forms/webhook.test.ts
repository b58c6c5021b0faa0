import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SendRequest, SendResponse } from './config.ts'
import { callWebhook } from './webhook.ts'

/**
 * Sends a form with prepared responses by URL and checks the requests. Redirects between TLS hosts
 * cannot be tested locally.
 */
async function check(responses: Record<string, ResponseInit>, expected: readonly string[]) {
  const requested: string[] = []
  const send = async (url: string, { method }: SendRequest): Promise<SendResponse> => {
    requested.push(`${method} ${url}`)
    return new Response(null, responses[url] ?? { status: 200 })
  }
  const config = { webhook: 'https://hooks.example/a', redirectHosts: ['other.example'] }
  const reply = await callWebhook('{}', config, { send })
  assert.deepEqual(requested, expected)
  return reply.status
}

function to(location: string, status = 302): ResponseInit {
  return { status, headers: { location } }
}

test('a redirect from https to http is not followed', async () => {
  const start = 'https://hooks.example/a'
  assert.equal(await check({ [start]: to('http://hooks.example/b') }, [`POST ${start}`]), 302)
  assert.equal(await check({ [start]: to('http://other.example/b', 307) }, [`POST ${start}`]), 307)
})

test('a redirect from https to another https host is followed', async () => {
  const expected = ['POST https://hooks.example/a', 'GET https://else.example/b']
  assert.equal(
    await check({ 'https://hooks.example/a': to('https://else.example/b') }, expected),
    200
  )
})

test('an allowed host is allowed at its standard port only', async () => {
  const start = 'https://hooks.example/a'
  const expected = [`POST ${start}`, 'POST https://other.example/b']
  assert.equal(await check({ [start]: to('https://other.example/b', 308) }, expected), 200)
  assert.equal(
    await check({ [start]: to('https://other.example:8443/b', 308) }, [`POST ${start}`]),
    308
  )
})

test('a redirect to a URL with a user name is not followed', async () => {
  const start = 'https://hooks.example/a'
  for (const location of ['https://user@hooks.example/', 'https://:pass@hooks.example/']) {
    assert.equal(await check({ [start]: to(location) }, [`POST ${start}`]), 302)
  }
})

test('the time budget is one for all hops', async () => {
  const budgets: number[] = []
  const send = async (url: string, { timeoutMs }: SendRequest): Promise<SendResponse> => {
    budgets.push(timeoutMs)
    await new Promise((resolve) => setTimeout(resolve, 30))
    return new Response(null, url.endsWith('/a') ? to('/b') : { status: 200 })
  }
  await callWebhook('{}', { webhook: 'https://hooks.example/a', timeoutMs: 60_000 }, { send })
  const [first = 0, second = 0] = budgets
  assert.ok(first > 59_000 && first <= 60_000, String(first))
  assert.ok(second <= first - 29, `${first} → ${second}`)
})

test('the error of a request contains its code and nothing else', async () => {
  const secret = 'https://hooks.example/s3cret'
  const rows: readonly [error: unknown, text: string][] = [
    [Object.assign(new Error(secret), { code: 'ENOTFOUND' }), 'ENOTFOUND'],
    [Object.assign(new TypeError(secret), { cause: { code: 'ECONNRESET' } }), 'ECONNRESET'],
    [Object.assign(new Error(secret), { code: 'ConnectionRefused' }), 'ConnectionRefused'],
    [Object.assign(new Error(secret), { code: secret }), 'NETWORK'],
    [Object.assign(new Error(secret), { code: 7 }), 'NETWORK'],
    [new TypeError(secret), 'NETWORK'],
    [undefined, 'NETWORK']
  ]
  for (const [error, code] of rows) {
    const call = callWebhook('{}', { webhook: secret }, { send: () => Promise.reject(error) })
    await assert.rejects(call, (error) => String(error) === `Error: Webhook unreachable (${code})`)
  }
})

test('a webhook that cannot be called is not configured', async () => {
  for (const webhook of [
    undefined,
    '',
    'nonsense',
    'ftp://a/',
    'https://user@a/',
    'https://:p@a/'
  ]) {
    const call = callWebhook('{}', { webhook }, {})
    await assert.rejects(call, (error) => String(error) === 'Error: Webhook is not configured')
  }
})
