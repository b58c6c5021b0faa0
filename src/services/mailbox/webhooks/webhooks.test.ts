import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { chooseReceiver } from './choose-receiver.ts'
import { headerProblems, headerRecord, maskHeaders } from './custom-headers.ts'
import { deliveryHeaders } from './delivery-headers.ts'
import { deliveryBackoff } from './jobs.ts'
import { outcomeOf } from './outcome.ts'
import { maskUrl, splitUser, urlProblem } from './receiver-url.ts'

test('pauses double from 5 s, with a fifth more or less', () => {
  const pauses = [1, 2, 3, 9].map((attempt) => deliveryBackoff(attempt, () => 0.5))
  assert.deepEqual(pauses, [5_000, 10_000, 20_000, 1_280_000])
  assert.equal(
    deliveryBackoff(1, () => 0),
    4_000
  )
  assert.equal(
    deliveryBackoff(1, () => 1),
    6_000
  )
})

test('only 2xx is a success; redirects and blocked addresses are final', () => {
  const states = [200, 204, 299, 301, 304, 404, 410, 500, 'TIMEOUT', 'ADDRESS_REFUSED', 'EPIPE']
  assert.deepEqual(
    states.map((result) => outcomeOf(result).state),
    ['done', 'done', 'done', 'dead', 'dead', 'retry', 'retry', 'retry', 'retry', 'dead', 'retry']
  )
  const unknown = outcomeOf('constructor')
  assert.deepEqual(unknown, {
    state: 'retry',
    reason: 'The receiver cannot be reached (constructor)'
  })
})

test('the user of a URL is separated, decoded and masked', () => {
  const url = 'https://me%40x:p%3Aw%C3%A9@example.org/a?b=c'
  assert.deepEqual(splitUser(url), { url: 'https://example.org/a?b=c', user: 'me@x:p:wé' })
  assert.equal(maskUrl(url), 'https://******@example.org/a?b=c')
  assert.equal(maskUrl('http://only@h/'), 'http://******@h/')
  assert.deepEqual(splitUser('http://only@h/'), { url: 'http://h/', user: 'only:' })
  const plain = 'HTTPS://Example.org'
  assert.deepEqual([splitUser(plain).url, maskUrl(plain)], [plain, plain])
})

test('URLs that are no receivers are rejected, and masks too', () => {
  for (const url of [
    '',
    'x',
    'ftp://h/',
    'file:///etc/passwd',
    'https://%ff:x@h/',
    'javascript:1'
  ]) {
    assert.equal(urlProblem(url), 'must be an http or https URL', url)
  }
  for (const url of ['https://******@h/', 'https://u:******@h/', 'https://******:******@h/']) {
    assert.match(String(urlProblem(url)), /^is the mask/, url)
  }
  for (const url of ['https://h', 'http://10.0.0.1:81/x', 'https://u:p@[::1]/']) {
    assert.equal(urlProblem(url), undefined, url)
  }
})

test('headers that HTTP or the signatures do not allow are rejected', () => {
  const wrong: [key: string, value: string, path: string][] = [
    ['a b', 'x', '0.key'],
    ['Ä', 'x', '0.key'],
    ['x:', 'x', '0.key'],
    ['', 'x', '0.key'],
    ['Content-Length', '1', '0.key'],
    ['HOST', 'h', '0.key'],
    ['X-EE-Wh-Signature', 'x', '0.key'],
    ['Webhook-Id', 'x', '0.key'],
    ['X-A', 'a\r\nb: c', '0.value'],
    ['X-A', 'a\0', '0.value'],
    ['X-A', 'ключ', '0.value'],
    ['X-A', '******', '0.value']
  ]
  for (const [key, value, path] of wrong) {
    const problems = headerProblems('h', [{ key, value }])
    assert.deepEqual(
      problems.map((problem) => problem.key),
      [`h.${path}`],
      key
    )
  }
  const twice = headerProblems('h', [
    { key: 'X-A', value: '1' },
    { key: 'x-a', value: '2' }
  ])
  assert.deepEqual(
    twice.map(({ key }) => key),
    ['h.1.key']
  )
  const large = Array.from({ length: 3 }, (_, n) => ({ key: `x-${n}`, value: 'x'.repeat(8_000) }))
  assert.deepEqual(
    headerProblems('h', large).map(({ key }) => key),
    ['h']
  )
  const fine = [
    { key: 'Authorization', value: 'Bearer é' },
    { key: 'X-Empty', value: '' }
  ]
  assert.deepEqual(headerProblems('h', fine), [])
  assert.deepEqual(maskHeaders(fine), [
    { key: 'Authorization', value: '******' },
    { key: 'X-Empty', value: '******' }
  ])
  assert.deepEqual(headerRecord([...fine, { key: 'authorization', value: ' other ' }]), {
    authorization: 'other',
    'x-empty': ''
  })
})

const SHARED = { key: 'X-Key', value: 'operator' }
const OWN = { key: 'X-Own', value: 'account' }
const settings = { webhooks: 'https://u:p@shared.example/', webhooksCustomHeaders: [SHARED] }

test('an account without a receiver has the one of the settings', () => {
  const shared = {
    isOwn: false,
    url: 'https://shared.example/',
    user: 'u:p',
    headers: [SHARED],
    egress: 'any',
    isForwarded: false
  }
  assert.deepEqual(chooseReceiver(settings, { settings: {}, secrets: {} }), shared)
  const secrets = { webhooksHeaders: [OWN] }
  const byToken = { webhooksHeadersEgress: 'public' } as const
  assert.deepEqual(chooseReceiver(settings, { settings: byToken, secrets }), shared)
  const byOperator = { webhooksHeadersEgress: 'any' } as const
  assert.deepEqual(chooseReceiver(settings, { settings: byOperator, secrets }), {
    ...shared,
    headers: [SHARED, OWN]
  })
  const none = { ...settings, webhooks: undefined }
  assert.equal(chooseReceiver(none, { settings: {}, secrets: {} }), undefined)
})

test('headers of the operator are not sent to a URL that the token of an account named', () => {
  const secrets = { webhooksHeaders: [OWN], webhooksUser: 'a:b' }
  const webhooks = 'https://******@own.example/x'
  const byToken = { webhooks, webhooksOrigin: { egress: 'public', isForwarded: true } } as const
  assert.deepEqual(chooseReceiver(settings, { settings: byToken, secrets }), {
    isOwn: true,
    url: 'https://own.example/x',
    user: 'a:b',
    headers: [OWN],
    egress: 'public',
    isForwarded: true
  })
  const byOperator = { webhooks, webhooksOrigin: { egress: 'any', isForwarded: false } } as const
  const headersTo = (webhooksHeadersEgress: 'any' | 'public') =>
    chooseReceiver(settings, { settings: { ...byOperator, webhooksHeadersEgress }, secrets })
      ?.headers
  assert.deepEqual(headersTo('any'), [SHARED, OWN])
  assert.deepEqual(headersTo('public'), [SHARED], 'nor those of a token to one of the operator')
})

test('the headers of an attempt sign the bytes of the body', () => {
  const body = '{"event":"messageNew","text":"Grüße 💌"}'
  const delivery = {
    event: 'e-1',
    job: 'j-1',
    attempt: 3,
    body,
    queuedAt: 1_000,
    now: 6_400,
    version: '1.2.3',
    serviceSecret: 'a secret'
  }
  const headers = [
    { key: 'User-Agent', value: 'mine' },
    { key: 'Authorization', value: 'Bearer x' }
  ]
  const sent = deliveryHeaders(delivery, { user: 'u:é', headers })
  const hmac = (text: string) => createHmac('sha256', 'a secret').update(text, 'utf8')
  assert.deepEqual(sent, {
    'user-agent': 'mine',
    authorization: 'Bearer x',
    'content-type': 'application/json',
    'x-ee-wh-id': 'j-1',
    'x-ee-wh-event-id': 'e-1',
    'x-ee-wh-attempts-made': '2',
    'x-ee-wh-queued-time': '5s',
    'x-ee-wh-signature': hmac(body).digest('base64url'),
    'webhook-id': 'e-1',
    'webhook-timestamp': '6',
    'webhook-signature': `v1,${hmac(`e-1.6.${body}`).digest('base64')}`
  })
  const { authorization, 'user-agent': agent } = deliveryHeaders(delivery, {
    user: 'u:é',
    headers: []
  })
  assert.deepEqual([authorization, agent], ['Basic dTrDqQ==', 'nonet/1.2.3'])
})
