/** The documentation on the console. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { SERVICE_NAMES } from '../../src/host/service-names.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import { sendPlain } from '../support/plain-http.ts'

const MAX_PAGE_BYTES = 60_000

interface Received {
  status: number | undefined
  text: string
  location: string | undefined
  type: string | undefined
}

async function get(base: string, path: string, headers = {}): Promise<Received> {
  const { status, headers: received, body } = await sendPlain(base + path, { headers })
  const { location, 'content-type': type } = received
  return { status, text: body.toString(), location, type }
}

function linksOf(page: string): string[] {
  return [...page.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, href = '']) => href)
}

/** Without the style sheet and the script of all pages. */
function contentOf(page: string): string {
  return page.slice(page.indexOf('<main'))
}

describe('documentation on the console', () => {
  let nonet: Nonet<'reference' | 'boxes' | 'mailbox' | 'mock'>
  let base = ''
  before(async () => {
    nonet = await start({ services: ['reference', 'boxes', 'mailbox', 'mock'] })
    base = nonet.console?.url ?? ''
  })
  after(() => nonet.stop())

  test('the index lists all documents, from the tutorial to the background', async () => {
    const { status, text, type } = await get(base, '/docs/')
    assert.equal(status, 200)
    assert.match(type ?? '', /^text\/html/)
    const order = [
      '/docs/tutorial',
      '/docs/services/reference',
      '/docs/services/mock',
      '/docs/how-to/tests',
      '/docs/reference/cli',
      '/docs/explanation/storage',
      '/docs/decisions/own-port'
    ].map((path) => text.indexOf(`<a href="${path}">`))
    assert.ok(order.every((position) => position > 0))
    assert.deepEqual(
      order,
      [...order].sort((one, other) => one - other)
    )
    assert.match(text, /Storage for JSON records that are returned exactly as they were sent\./)
    assert.match(text, /Look up a setting\./)
  })

  test('every link between the pages leads to a page and a section of it', async () => {
    const pages = new Map<string, string>()
    const waiting = ['/docs/']
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      const { status, text } = await get(base, path)
      assert.equal(status, 200, path)
      pages.set(path, text)
      for (const link of linksOf(text)) {
        const [target = ''] = link.split('#')
        if (!target.startsWith('/docs/') || pages.has(target) || waiting.includes(target)) continue
        waiting.push(target)
      }
    }
    assert.ok(pages.size >= 20, `${pages.size} pages`)
    for (const [path, text] of pages) {
      assert.ok(text.length <= MAX_PAGE_BYTES, `${path} has ${text.length} characters`)
      assert.doesNotMatch(contentOf(text), / style=| onclick=/, path)
      assert.equal(text.split('<h1').length, 2, `${path} has one main heading`)
      for (const link of linksOf(contentOf(text))) {
        assert.match(link, /^(#|\/docs\/|https?:)/, path)
        if (link.startsWith('http')) continue
        const [target, fragment] = link.split('#')
        const page = pages.get(target || path) ?? ''
        if (fragment !== undefined)
          assert.ok(page.includes(` id="${fragment}"`), `${path}: ${link}`)
      }
    }
  })

  test('a long document has several pages, in reading order', async () => {
    const { text } = await get(base, '/docs/services/mock')
    assert.match(
      text,
      /<a class="next" href="\/docs\/services\/mock\/2" rel="next"><small>Next<\/small>mock, part 2 of \d/
    )
    const { text: second } = await get(base, '/docs/services/mock/2')
    assert.match(second, /<h1>mock, part 2 of \d<\/h1>/)
    assert.match(
      second,
      /<a href="\/docs\/services\/mock" rel="prev"><small>Previous<\/small>mock<\/a>/
    )
    assert.match(second, /<li><a href="\/docs\/services\/mock#doc-url">URL<\/a><\/li>/)
  })

  test('commands contain the URLs of running services; others stay', async () => {
    const { text } = await get(base, '/docs/tutorial')
    const shown = contentOf(text)
    assert.ok(shown.includes(`${nonet.reference.url}/api/people/?homeworld=5`))
    assert.ok(shown.includes(`>${base}/forms/</code>`))
    assert.ok(shown.includes(`smtp://127.0.0.1:${nonet.mailbox.ports.smtp?.port}`))
    assert.doesNotMatch(shown, /127\.0\.0\.1:(400[01]|4025)(?!\d)/)
    assert.match(shown, /http:\/\/127\.0\.0\.1:4005\//)
  })

  test('the tutorial shows a picture of each service', async () => {
    const { text } = await get(base, '/docs/tutorial')
    const shown = [...text.matchAll(/<img src="([^"]*)" alt="([^"]+)"/g)]
    const names = [...SERVICE_NAMES, 'console'].map((name) => `/docs/pictures/tutorial-${name}.png`)
    assert.deepEqual(shown.map(([, path]) => path).sort(), names.sort())
    let bytes = 0
    for (const path of names) {
      const { status, headers, body } = await sendPlain(base + path)
      assert.deepEqual([status, headers['content-type']], [200, 'image/png'], path)
      assert.equal(body.subarray(1, 4).toString(), 'PNG', path)
      bytes += body.length
    }
    assert.ok(bytes <= 500_000, `${bytes} bytes of pictures`)
  })

  test('URLs have the host that the reader uses, a proxy gets those of this machine', async () => {
    const { port } = new URL(base)
    const host = { host: `nonet.localhost:${port}` }
    const { port: boxesPort } = new URL(nonet.boxes.url)
    const { text } = await get(base, '/docs/services/boxes', host)
    assert.ok(text.includes(`http://nonet.localhost:${boxesPort}/docs-first`))
    const { text: proxies } = await get(base, '/docs/how-to/behind-a-proxy', host)
    assert.ok(proxies.includes(`${nonet.mock.url};`))
    assert.ok(proxies.includes(`reverse_proxy ${new URL(nonet.mock.url).host}`))
  })

  test('a file that is not a page is shown as its path', async () => {
    const { text } = await get(base, '/docs/how-to/mock-transformations')
    assert.match(text, /<code>todo\.yaml<\/code> \(<code>examples\/mock\/todo\.yaml<\/code>\)/)
  })

  test('other spellings of a path lead to the page', async () => {
    for (const [path, location] of [
      ['/docs', '/docs/'],
      ['/docs/services/boxes.md', '/docs/services/boxes'],
      ['/docs/services/boxes/', '/docs/services/boxes']
    ]) {
      const received = await get(base, path ?? '')
      assert.deepEqual([received.status, received.location], [302, location], path)
    }
  })

  test('unknown pages and files outside the folder are 404 in the console format', async () => {
    assert.equal(
      (await get(base, '/docs/nope')).text,
      '{"error":"DOCS_PAGE_UNKNOWN","message":"The documentation has no page /docs/nope; /docs/ lists all pages"}'
    )
    for (const path of [
      '/docs/README',
      '/docs/services',
      '/docs/services/mock/1',
      '/docs/services/mock/99',
      '/docs/../package.json',
      '/docs/%2e%2e/package.json',
      '/docs/..%2fREADME',
      '/docs/..%2f..%2fREADME.md',
      '/docs//etc/passwd',
      '/docs/%2Fetc%2Fpasswd',
      '/docs/tutorial%00',
      '/docs/pictures/none.png',
      '/docs/pictures/..%2f..%2fpackage.json',
      '/docs/pictures/',
      '/docs/constructor',
      '/docs/__proto__'
    ]) {
      const { status, text } = await get(base, path)
      assert.equal(status, 404, path)
      assert.match(text, /^\{"error":"(DOCS_PAGE_UNKNOWN|ROUTE_NOT_FOUND)"/, path)
    }
  })
})

test('public URLs are the ones in commands', async () => {
  await using nonet = await start({
    services: ['boxes'],
    publicUrl: { boxes: 'https://boxes.example/' },
    adminToken: 'token-of-the-operator'
  })
  const { text } = await get(nonet.console?.url ?? '', '/docs/services/boxes', {
    authorization: 'Bearer token-of-the-operator'
  })
  assert.match(text, /https:\/\/boxes\.example\/docs-first/)
})
