import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sites } from './cards-site.ts'

const HTML = { accept: 'text/html' }
const PROXIED = { ...HTML, 'x-forwarded-for': '203.0.113.9' }
const QUERY = 'expiration=1day&scope=read,write&response_type=token&key=abc&name=My%20app'

/** URL of the form of a page. */
function actionOf(page: string): string {
  return /<form class="filter" action="([^"]+)"/.exec(page)?.[1]?.replaceAll('&amp;', '&') ?? ''
}

function secretOf(page: string): string {
  return /<code>([0-9a-f]{64})<\/code>/.exec(page)?.[1] ?? ''
}

sites('The page that makes tokens', {}, (site) => {
  test('the operator sees what the app asks for, and gets a token that does only that', async () => {
    const page = await site().ask(`/1/authorize?${QUERY}`, { headers: HTML })
    assert.equal(page.status, 200)
    for (const text of ['My app', 'read all boards', 'change them', '1 day'])
      assert.ok(page.text.includes(text))
    const body = new URLSearchParams({ name: 'My app', scope: 'read', expiration: '1hour' })
    const made = await site().ask(actionOf(page.text), { method: 'POST', headers: HTML, body })
    assert.equal(made.status, 200)
    assert.equal(made.headers.get('cache-control'), 'max-age=0, no-cache, no-store')
    const token = secretOf(made.text)
    const facts = await site().json(`/tokens/${token}`, { token })
    assert.equal(facts.identifier, 'My app')
    const lifetime = Date.parse(facts.dateExpires) - Date.parse(facts.dateCreated)
    // The token is made some milliseconds after its end is computed.
    assert.equal(Math.round(lifetime / 60_000), 60)
    const denied = await site().api('/boards', { method: 'POST', token, body: { name: 'a' } })
    assert.equal(denied.status, 401)
  })

  test('a page of this machine gets the token in the fragment, others never', async () => {
    const page = await site().ask('/1/authorize?scope=read', { headers: HTML })
    const returning = (url: string) =>
      site().ask(actionOf(page.text), {
        method: 'POST',
        headers: HTML,
        body: new URLSearchParams({ scope: 'read', expiration: 'never', return_url: url })
      })
    const own = await returning('http://localhost:3000/app?a=1')
    const token = secretOf(own.text)
    assert.ok(own.text.includes(`href="http://localhost:3000/app?a=1#token=${token}"`))
    for (const url of ['https://example.com/', 'javascript:alert(1)', '//example.com', 'x']) {
      const { status, text } = await returning(url)
      assert.deepEqual(
        [status, text],
        [400, 'return_url must be a page of this machine or of this site']
      )
    }
  })

  test('who is not the operator gets 401 and no token', async () => {
    const plain = await site().ask(`/1/authorize?${QUERY}`, {
      headers: { 'x-forwarded-for': '203.0.113.9' }
    })
    assert.deepEqual([plain.status, plain.text], [401, 'unauthorized permission requested'])
    const page = await site().ask(`/1/authorize?${QUERY}`, { headers: PROXIED })
    assert.equal(page.status, 401)
    assert.match(page.text, /type="password"/)
    for (const admin of [undefined, 'wrong']) {
      const body = new URLSearchParams({ scope: 'read', ...(admin && { admin_token: admin }) })
      const { status, text } = await site().ask(actionOf(page.text), {
        method: 'POST',
        headers: PROXIED,
        body
      })
      assert.equal(status, 401)
      assert.equal(secretOf(text), '')
    }
  })

  test('forms of other pages are rejected', async () => {
    const page = await site().ask('/1/authorize?scope=read', { headers: HTML })
    const post = (path: string, headers: Record<string, string>) =>
      site().ask(path, { method: 'POST', headers, body: new URLSearchParams({ scope: 'read' }) })
    const foreign = await post(actionOf(page.text), { ...HTML, origin: 'https://example.com' })
    assert.equal(foreign.status, 403)
    const without = await post('/1/authorize', { ...HTML, origin: site().url })
    assert.equal(without.status, 403)
    const host = await site().ask('/1/authorize?scope=delete', { headers: HTML })
    assert.equal(host.status, 400)
  })
})
