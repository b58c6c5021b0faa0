/** The page of forms on the console: each submission with its outcome, whatever the webhook is. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { openStream } from '../support/open-stream.ts'
import { sendPlain } from '../support/plain-http.ts'
import { openWebhook } from '../support/webhook.ts'

const OWN = 'https://www.example.org'
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const MAX_PAGE_BYTES = 60 * 1024

const webhook = await openWebhook({
  refuses: { status: 422, body: '{"errors":["no"]}' },
  resets: { reset: true }
})
let nonet: Nonet<'forms'>
before(async () => {
  nonet = await start({
    services: ['forms'],
    forms: {
      webhook: webhook.url,
      origins: [OWN],
      enforceOrigin: true,
      honeypot: 'website',
      acceptForms: true,
      redirectSuccess: '/thanks',
      signingSecret: `whsec_${Buffer.from('0123456789abcdef01234567').toString('base64')}`,
      maxBytes: 100_000
    }
  })
})
beforeEach(async () => {
  await nonet.reset('forms')
  webhook.take()
})
after(() => Promise.all([nonet.stop(), webhook.close()]))

function submit(body: unknown, headers: Record<string, string> = {}) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${nonet.forms.url}/contact?from=test`, { method: 'POST', headers, body: text })
}

function open(path = '', init: RequestInit = {}) {
  return fetch(`${nonet.console?.url}/forms/${path}`, { redirect: 'manual', ...init })
}

async function readPage(path = ''): Promise<string> {
  const response = await open(path)
  assert.equal(response.status, 200)
  return response.text()
}

/** The markup of the submissions on the page, newest first. */
async function items(path = ''): Promise<string[]> {
  return (await readPage(path))
    .split('<li id="s')
    .slice(1)
    .map((item) => item.split('</li>')[0] ?? '')
}

async function actionOf(path: string): Promise<string> {
  const page = await readPage()
  const action = new RegExp(`action="(/forms/${path}\\?form=[\\w-]{43})"`).exec(page)?.[1]
  assert.ok(action, `a form for ${path}`)
  return `${nonet.console?.url}${action}`
}

/** Posts a form of the page as a browser without JavaScript does; the target of the redirect. */
async function press(path: string, fields: Record<string, string> = {}): Promise<string> {
  const { status, headers } = await sendPlain(await actionOf(path), {
    method: 'POST',
    headers: { ...FORM_TYPE, 'user-agent': 'Mozilla/5.0 (Test)', 'accept-language': 'de' },
    body: String(new URLSearchParams(fields))
  })
  assert.equal(status, 303)
  return String(headers.location)
}

describe('a submission', () => {
  test('is shown with its fields, the dropped ones and the headers of its sender', async () => {
    await submit(
      { email: 'jane@example.org', fullName: '<b>Jane</b>', age: 7, note: 'x'.repeat(400) },
      { 'user-agent': 'Test/1', cookie: 'session=s3cret', authorization: 'Bearer s3cret' }
    )
    const [item = ''] = await items()
    assert.ok(item.includes('<b>&lt;b&gt;Jane&lt;/b&gt;</b> jane@example.org'))
    assert.ok(item.includes('2 dropped'))
    assert.match(item, /<code>age<\/code><\/dt>\s*<dd>7 <span class="chip">dropped<\/span>/)
    assert.match(item, /<code>email<\/code><\/dt>\s*<dd>jane@example.org<\/dd>/)
    assert.ok(item.includes(`${'x'.repeat(300)}… <span class="chip">dropped</span>`))
    assert.match(item, /^user-agent: Test\/1$/m)
    assert.match(item, /POST<\/span> <code>\/contact\?from=test<\/code>/)
    assert.match(item, /<time datetime="[^"]+Z" title="[^"]+Z" data-local>/)
    assert.doesNotMatch(item, /s3cret|cookie|authorization/i)
    assert.match(item, /The webhook responded with <span class="status s2">200<\/span>\./)
  })

  const outcomes: Record<string, [body: string, headers: Record<string, string>, shown: RegExp]> = {
    'that the webhook refuses': [
      '{"email":"refuses@example.org","fullName":"A"}',
      {},
      /responded with <span class="status s4">422<\/span>, which is not a success/
    ],
    'without a response of the webhook': [
      '{"email":"resets@example.org","fullName":"A"}',
      {},
      /Not forwarded: <span class="bad">Webhook unreachable \(\w+\)/
    ],
    'without a field': [
      '{"email":"a@example.org"}',
      {},
      /Rejected: <span class="bad">name parameter required/
    ],
    'that is not JSON': [
      '{"email":<i>',
      {},
      /Rejected: <span class="bad">SyntaxError: [\s\S]*<pre tabindex="0">\{&quot;email&quot;:&lt;i&gt;<\/pre>/
    ],
    'that is an array': ['["a"]', {}, /<pre tabindex="0">\[&quot;a&quot;\]<\/pre>/],
    'without a body': ['', {}, /Rejected: <span class="bad">Name and email are required\./],
    'that is too long': [
      'x'.repeat(100_001),
      {},
      /Request body too large[\s\S]*Too long to be kept/
    ],
    'of another origin': [
      '{"email":"a@example.org","fullName":"A"}',
      { origin: 'https://elsewhere.example' },
      /Rejected: <span class="bad">Origin not allowed/
    ],
    'of a bot': [
      '{"email":"bot@example.org","fullName":"B","website":"spam"}',
      {},
      /the honeypot field was filled[\s\S]*spam <span class="chip">honeypot<\/span>/
    ],
    'of an HTML form': [
      'email=a%40example.org&fullName=A&x=1',
      FORM_TYPE,
      /status s3">303<\/span>[\s\S]*<dd>1 <span class="chip">dropped/
    ]
  }
  for (const [name, [body, headers, shown]] of Object.entries(outcomes)) {
    test(`${name} is shown with its outcome`, async () => {
      await submit(body, headers)
      const [item = ''] = await items()
      assert.match(item, shown)
    })
  }

  test('over the rate limit is shown', async () => {
    await using limited = await start({
      services: ['forms'],
      forms: { webhook: webhook.url, rateLimit: 1 }
    })
    const form = { method: 'POST', body: '{"email":"a","fullName":"b"}' }
    for (const _ of [1, 2]) await fetch(limited.forms.url, form)
    const page = await (await fetch(`${limited.console?.url}/forms/`)).text()
    assert.match(page, /Rejected: <span class="bad">Too many requests/)
    assert.match(page, />Send anyway</)
  })

  test('is neither a preflight request nor a browser that opens the URL', async () => {
    const headers = { origin: OWN, 'access-control-request-method': 'POST' }
    await fetch(nonet.forms.url, { method: 'OPTIONS', headers })
    await fetch(nonet.forms.url)
    const page = await readPage()
    assert.match(page, /No submissions yet/)
    assert.match(page, /Send the form “Try it”/)
    assert.doesNotMatch(page, />Clear</)
  })
})

describe('the list', () => {
  test('keeps the last hundred, ten on a page that stays small', async () => {
    const headers = Object.fromEntries(
      Array.from({ length: 14 }, (_, n) => [`x-header-of-a-browser-${n}`, 'v'.repeat(50)])
    )
    for (let count = 1; count <= 101; count++) {
      await submit(
        { email: `${count}@example.org`, fullName: 'Jane Doe', message: 'Hello' },
        headers
      )
    }
    const page = await readPage()
    assert.ok(page.length < MAX_PAGE_BYTES, `${page.length} bytes`)
    assert.match(page, /100 submissions[\s\S]*page 1 of 10/)
    const [first = ''] = await items()
    assert.ok(first.includes('101@example.org'))
    const last = await items('?page=10')
    assert.equal(last.length, 10)
    assert.ok(last[9]?.includes(' 2@example.org'))
    assert.equal((await items('?page=99')).length, 10)
    assert.equal((await items('?page=x')).length, 10)
  })

  test('is emptied by Clear, which asks first, and by reset', async () => {
    await submit({ email: 'jane@example.org', fullName: 'Jane Doe' })
    assert.match(await readPage(), /<details class="ask"><summary>Clear<\/summary>/)
    assert.equal(await press('catch/clear'), '/forms/')
    assert.deepEqual(await items(), [])
    await submit({ email: 'jane@example.org', fullName: 'Jane Doe' })
    await nonet.reset('forms')
    assert.deepEqual(await items(), [])
  })
})

describe('sending again', () => {
  test('posts the two fields to the webhook and shows the outcome', async () => {
    await submit({ email: 'refuses@example.org', fullName: 'Jane', other: 1 })
    const [item = ''] = await items()
    const id = Number.parseInt(item, 10)
    webhook.take()
    const location = await press(`submissions/${id}/send`)
    assert.equal(location, `/forms/?shown=${id}#s${id}`)
    const [{ method, body } = {}] = webhook.take()
    assert.equal(method, 'POST')
    assert.equal(body, '{"email":"refuses@example.org","fullName":"Jane"}')
    const [again = ''] = await items(`?shown=${id}`)
    assert.match(again, /<details open>/)
    assert.match(
      again,
      /<dt>Sent again<\/dt><dd><time [^>]*>[^<]*<\/time>: The webhook responded with <span class="status s4">422/
    )
    assert.equal((await items()).length, 1)
  })

  test('is not offered if a field is missing', async () => {
    await submit({ email: 'a@example.org' })
    const [item = ''] = await items()
    assert.doesNotMatch(item, /<form/)
  })

  test('of a submission that is gone says so', async () => {
    await submit({ email: 'jane@example.org', fullName: 'Jane' })
    const action = await actionOf('submissions/\\d+/send')
    await nonet.reset('forms')
    webhook.take()
    const { status, headers } = await sendPlain(action, { method: 'POST', headers: FORM_TYPE })
    assert.equal(status, 303)
    const path = String(headers.location).replace(/^\/forms\/|#.*$/g, '')
    assert.match(await readPage(path), /role="alert">This submission is no longer in the inbox/)
    assert.deepEqual(webhook.take(), [])
  })
})

describe('the form to try', () => {
  const fields = { email: 'try@example.org', fullName: 'Try', message: 'Hi' }

  test('is sent as JSON with the headers of the browser, and the response is shown', async () => {
    const location = await press('try', { ...fields, as: 'json' })
    assert.match(location, /^\/forms\/\?tried=\d+#tried$/)
    const [{ body } = {}] = webhook.take()
    assert.equal(body, '{"email":"try@example.org","fullName":"Try"}')
    const page = await readPage(location.replace('/forms/', '').replace('#tried', ''))
    assert.match(page, /id="tried"[^>]*><h3>Response <span class="status s2">200/)
    const [item = ''] = await items()
    assert.match(item, /^user-agent: Mozilla\/5\.0 \(Test\)$/m)
    assert.match(item, /^accept-language: de$/m)
    assert.match(item, /^content-type: application\/json$/m)
    assert.match(item, new RegExp(`^origin: ${OWN}$`, 'm'))
    assert.match(item, /<code>message<\/code><\/dt>\s*<dd>Hi <span class="chip">dropped/)
    assert.doesNotMatch(item, /^via:/im)
  })

  test('is sent as an HTML form, whose redirect is shown', async () => {
    const location = await press('try', { ...fields, as: 'form' })
    const page = await readPage(location.replace('/forms/', '').replace('#tried', ''))
    assert.match(page, /Response <span class="status s3">303[\s\S]*Location: \/thanks/)
  })

  test('shows an error as the client gets it', async () => {
    const location = await press('try')
    const page = await readPage(location.replace('/forms/', '').replace('#tried', ''))
    assert.match(page, /Response <span class="status s5">500[\s\S]*email parameter required/)
    assert.doesNotMatch(await readPage('?tried=999'), /Response <span/)
  })

  test('needs the token of the page', async () => {
    const request = { method: 'POST', headers: FORM_TYPE, body: 'email=a&fullName=b' }
    for (const path of ['try', 'submissions/1/send', 'catch/clear']) {
      const { status } = await sendPlain(`${nonet.console?.url}/forms/${path}`, request)
      assert.equal(status, 403, path)
    }
    assert.deepEqual(webhook.take(), [])
  })
})

test('the switches are shown with their flags, without secrets', async () => {
  const page = await readPage()
  const { host } = new URL(webhook.url)
  for (const text of [
    `<code>http://${host}/…`,
    '<code>--forms-origins</code></th>\n<td><code>https://www.example.org</code>',
    '<code>--forms-enforce-origin</code></th>\n<td><b>on</b>',
    '<code>--forms-honeypot</code></th>\n<td><code>website</code>',
    '<code>--forms-rate-limit</code></th>\n<td><code>0</code>',
    '<code>--forms-signing-secret</code></th>\n<td>set',
    '<code>--forms-redirect-error</code></th>\n<td><span class="soft">not set</span>',
    `action=&quot;${nonet.forms.url}/&quot;`,
    `fetch(<span class="hl-text">&#39;${nonet.forms.url}/&#39;</span>`
  ]) {
    assert.ok(page.includes(text), text)
  }
  assert.doesNotMatch(page, /whsec_/)
})

test('the URL of the webhook is masked', async () => {
  await using masked = await start({
    services: ['forms'],
    forms: { webhook: `${webhook.url}hooks/s3cretpath` }
  })
  const page = await (await fetch(`${masked.console?.url}/forms/`)).text()
  assert.match(page, /<code>http:\/\/127\.0\.0\.1:\d+\/…path<\/code>/)
  assert.doesNotMatch(page, /s3cret/)
})

test('the event stream tells of each change and ends with nonet', async () => {
  await using other = await start({ services: ['forms'], forms: { webhook: webhook.url } })
  using stream = await openStream(`${other.console?.url}/forms/events`)
  const { headers } = stream.response
  assert.equal(headers['content-type'], 'text/event-stream; charset=utf-8')
  assert.equal(headers['x-content-type-options'], 'nosniff')
  assert.equal((await stream.next())?.event, 'change')
  await fetch(other.forms.url, { method: 'POST', body: '{"email":"a","fullName":"b"}' })
  assert.deepEqual(await stream.next(), { event: 'change', data: '' })
  const stopped = other.stop()
  assert.equal(await stream.next(), undefined)
  assert.ok(stream.ended())
  await stopped
})

test('the script of the page is served with an entity tag', async () => {
  assert.match(await readPage(), /<script type="module" src="\/forms\/live-inbox\.js">/)
  const script = await open('live-inbox.js')
  assert.equal(script.headers.get('content-type'), 'text/javascript; charset=utf-8')
  const etag = script.headers.get('etag') ?? ''
  const again = await open('live-inbox.js', { headers: { 'if-none-match': etag } })
  assert.equal(again.status, 304)
})
