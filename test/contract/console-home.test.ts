/** The start page of the console, its figures, and the pages about each service. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Nonet, start } from '../../src/host/start.ts'
import { drawCode } from '../../src/kernel/qr-code.ts'
import { sendPlain } from '../support/plain-http.ts'

const NAMES = [
  'reference',
  'boxes',
  'countries',
  'scenarios',
  'forms',
  'mailbox',
  'statuses',
  'mock',
  'cards'
] as const
const TOKEN = 'a-token-of-the-operator'
const PAGE_LIMIT = 60_000

const run = promisify(execFile)

function plainText(text: string): string {
  return text
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')
}

/** Texts of the code blocks of a page by tab or heading. */
function snippetsIn(page: string): Map<string, string> {
  const found = page.matchAll(
    /<(?:label for="snippets-\d"|h2 class="panel-title")>([\w.]+)<\/.*?<pre[^>]*>(.*?)<\/pre>/gs
  )
  return new Map([...found].map(([, label = '', code = '']) => [label, plainText(code)]))
}

function cardOf(page: string, name: string): string {
  const card = new RegExp(`<section class="card ${name}".*?</section>`, 's').exec(page)
  return card?.[0] ?? assert.fail(`no card of ${name}`)
}

async function textAt(url: string): Promise<string> {
  const response = await fetch(url, { headers: { accept: 'text/html, */*' } })
  assert.equal(response.status, 200, url)
  return response.text()
}

describe('start page of the console', () => {
  let nonet: Nonet
  let base: string
  before(async () => {
    // In another order than that of the tiles.
    nonet = await start({ services: [...NAMES].reverse() })
    base = nonet.console?.url ?? ''
  })
  after(() => nonet.stop())

  test('it has a card for each service in the order of the tiles', async () => {
    const page = await textAt(`${base}/`)
    const names = [...page.matchAll(/<section class="card (\w+)"/g)].map(([, name]) => name)
    assert.deepEqual(names, NAMES)
    assert.ok(Buffer.byteLength(page) <= PAGE_LIMIT, `${Buffer.byteLength(page)} bytes`)
    assert.match(page, /<h1>Nine services, running here<\/h1>/)
  })

  test('a card has the state, the base URL and four links', async () => {
    const page = await textAt(`${base}/`)
    for (const name of NAMES) {
      const card = cardOf(page, name)
      assert.match(card, /<span class="pill">running<\/span>/)
      assert.ok(card.includes(`<code>${nonet[name].url}</code>`), name)
      for (const path of [`/api/${name}`, `/snippets/${name}`, `/docs/services/${name}`]) {
        assert.ok(card.includes(`href="${path}"`), `${name} links to ${path}`)
      }
    }
    assert.ok(cardOf(page, 'forms').includes(`href="${base}/forms/">Open<`))
    assert.ok(cardOf(page, 'mock').includes(`href="${nonet.mock.url}/__nonet/">Open<`))
  })

  test('URLs have the host of the reader', async () => {
    const { body } = await sendPlain(`${base}/`, { headers: { host: 'localhost:1' } })
    assert.ok(body.includes(`<code>${nonet.boxes.url.replace('127.0.0.1', 'localhost')}</code>`))
  })

  test('the figures count requests of services, failed ones and the current minute', async () => {
    const statusOf = async () => JSON.parse(await textAt(`${base}/status.json`))
    const earlier = await statusOf()
    await fetch(`${nonet.reference.url}/api/people/1/`)
    await fetch(`${nonet.reference.url}/api/people/0/`)
    // Forms responds to a request without a form with 500.
    await fetch(nonet.forms.url)
    const status = await statusOf()
    assert.equal(status.running, NAMES.length)
    assert.equal(status.requests, earlier.requests + 3)
    assert.equal(status.failed, earlier.failed + 1)
    assert.ok(status.dataBytes > 0)
    assert.ok(Date.parse(status.startedAt) <= Date.now())
    const reference = status.services.find(({ name }: { name: string }) => name === 'reference')
    assert.equal(reference.minutes.length, 15)
    const sum = reference.minutes.reduce((total: number, count: number) => total + count)
    assert.equal(sum, reference.requests)
    assert.deepEqual([reference.state, reference.reason], ['running', null])
    const page = await textAt(`${base}/`)
    assert.match(cardOf(page, 'reference'), new RegExp(`<title>${sum} requests in the last 15`))
  })

  test('the figures are not stored', async () => {
    const { headers } = await fetch(`${base}/status.json`)
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('the scripts of the page are served, with their types removed', async () => {
    const script = await textAt(`${base}/assets/home.js`)
    assert.doesNotMatch(script, /interface |: string/)
    const [, imported = ''] = /from '\.\/([^']+)'/.exec(script) ?? []
    assert.match(await textAt(`${base}/assets/${imported}`), /export function linePoints/)
    assert.equal((await fetch(`${base}/assets/nope.js`)).status, 404)
  })

  test('.env has the URL of every service and of its other ports', async () => {
    const snippets = snippetsIn(await textAt(`${base}/`))
    assert.deepEqual([...snippets.keys()], ['.env', 'curl', 'fetch', 'Playwright', 'Vitest'])
    const lines = NAMES.flatMap((name) => {
      const { url, ports } = nonet[name]
      const variable = `NONET_${name.toUpperCase()}`
      return [
        `${variable}_URL=${url}`,
        ...Object.entries(ports).map(
          ([scheme, { host, port }]) =>
            `${variable}_${scheme.toUpperCase()}_URL=${scheme}://${host}:${port}`
        )
      ]
    })
    assert.equal(lines.length, NAMES.length + 2)
    assert.equal(snippets.get('.env'), lines.join('\n'))
  })

  for (const name of NAMES) {
    test(`the snippets of ${name} work`, async () => {
      const page = await textAt(`${base}/snippets/${name}`)
      assert.ok(Buffer.byteLength(page) <= PAGE_LIMIT)
      const snippets = snippetsIn(page)
      const { stdout } = await run('sh', ['-c', `${snippets.get('curl')} -fsS`])
      assert.notEqual(stdout, '')
      const script = `${snippets.get('fetch')}\nexport default ${name}Body`
      const source = Buffer.from(script).toString('base64')
      const result = await import(`data:text/javascript;base64,${source}`)
      assert.equal(typeof result.default, 'object')
      assert.ok(snippets.get('Playwright')?.includes(`url: '${base}/readyz'`))
      assert.ok(snippets.get('Vitest')?.includes(`start({ services: ['${name}'] })`))
    })

    test(`the API page of ${name} lists every operation`, async () => {
      const bytes = await textAt(`${base}/openapi/${name}.json`)
      const document = JSON.parse(bytes)
      const page = await textAt(`${base}/api/${name}`)
      const methods = /^(?:get|head|post|put|patch|delete|options|trace)$/
      const wanted = Object.entries<object>(document.paths).flatMap(([path, item]) =>
        Object.keys(item)
          .filter((key) => methods.test(key))
          .map((method) => `${method.toUpperCase()} ${path}`)
      )
      const rows = page.matchAll(
        /<summary[^>]*><span class="method \w+">(\w+)<\/span> <code[^>]*>([^<]+)</g
      )
      const listed = [...rows].map(([, method, path = '']) => `${method} ${plainText(path)}`)
      assert.deepEqual(listed.sort(), wanted.sort())
      const anchors = [...page.matchAll(/<div class="operation-body" id="([^"]+)">/g)].map(
        ([, id]) => id
      )
      assert.equal(new Set(anchors).size, wanted.length)
      assert.ok(page.includes(`href="/openapi/${name}.json" download`))
      const [, shown = ''] = /Show the OpenAPI document.*?<pre[^>]*>(.*?)<\/pre>/s.exec(page) ?? []
      assert.equal(plainText(shown), JSON.stringify(document, null, 2))
      assert.equal(JSON.stringify(document), bytes)
    })
  }

  test('a schema that is not OpenAPI is linked from the API page', async () => {
    const page = await textAt(`${base}/api/countries`)
    assert.ok(page.includes(`<a href="${nonet.countries.url}/schema.graphql">Schema<`))
  })

  test('pages about a service that is not running are 404', async () => {
    for (const path of ['/api/nope', '/snippets/nope']) {
      const response = await fetch(base + path)
      assert.equal(response.status, 404)
      assert.match(await response.text(), /Service nope is not running/)
    }
  })

  test('every page of the console has the same navigation', async () => {
    for (const path of ['/', '/api/boxes', '/snippets/boxes', '/scenarios/workspaces']) {
      const page = await textAt(base + path)
      const [nav = ''] = /<nav class="sections".*?<\/nav>/s.exec(page) ?? []
      assert.match(nav, /<a href="\/" aria-current="true">Services</, path)
      assert.match(nav, /<a href="\/docs\/">Docs</, path)
    }
    assert.doesNotMatch(await textAt(`${nonet.boxes.url}/`), /class="sections"/)
  })

  test('it says that only this machine can reach it, and how to change that', async () => {
    const page = await textAt(`${base}/`)
    const [network = ''] = /<section class="panel" id="network">.*?<\/section>/s.exec(page) ?? []
    assert.match(network, /this machine only.*nonet up --lan/s)
    assert.doesNotMatch(page, /Admin token/)
  })
})

describe('start page with some services', () => {
  test('services that were not started are named, not shown as cards', async () => {
    await using nonet = await start({ services: ['boxes', 'forms'] })
    const page = await textAt(`${nonet.console?.url}/`)
    assert.match(page, /<h1>Two services, running here<\/h1>/)
    assert.doesNotMatch(page, /class="card mock"/)
    assert.match(
      plainText(page),
      /Not started: reference, countries, scenarios, mailbox, statuses, mock, cards\. .*nonet up boxes/
    )
  })

  test('a mock without admin pages has no link to them, in cards and in the switcher', async () => {
    await using nonet = await start({ services: ['mock', 'reference'], mock: { admin: false } })
    const page = await textAt(`${nonet.console?.url}/`)
    assert.doesNotMatch(page, /__nonet/)
    assert.match(cardOf(page, 'mock'), /href="\/api\/mock"/)
    assert.doesNotMatch(await textAt(`${nonet.reference.url}/api/people/1/`), /__nonet/)
    const snippets = snippetsIn(await textAt(`${nonet.console?.url}/snippets/mock`))
    assert.equal(snippets.get('curl'), `curl ${nonet.mock.url}/beds`)
  })
})

describe('start page under --lan', () => {
  let nonet: Nonet<'boxes'>
  let base: string
  const authorised = { authorization: `Bearer ${TOKEN}` }
  before(async () => {
    nonet = await start({ services: ['boxes'], lan: true, adminToken: TOKEN })
    base = nonet.console?.url ?? ''
  })
  after(() => nonet.stop())

  test('only an authorised reader gets the pages, the figures and the token', async () => {
    for (const path of ['/', '/status.json', '/api/boxes', '/snippets/boxes', '/assets/home.js']) {
      const response = await fetch(base + path)
      assert.equal(response.status, 401, path)
      assert.ok(!(await response.text()).includes(TOKEN))
    }
  })

  test('the network panel has URLs, the token and a QR code that signs in', async () => {
    const page = await (await fetch(`${base}/`, { headers: authorised })).text()
    const [network = ''] = /<section class="panel" id="network">.*?<\/section>/s.exec(page) ?? []
    if (network.includes('no network IP address')) return
    const [, console = ''] = /<dt>console<\/dt>.*?<code>([^<]+)<\/code>/s.exec(network) ?? []
    assert.equal(new URL(console).port, new URL(base).port)
    assert.match(network, new RegExp(`<dt>boxes</dt>.*?:${new URL(nonet.boxes.url).port}<`, 's'))
    assert.ok(network.includes(`<code>${TOKEN}</code>`))
    assert.ok(network.includes(drawCode(`${console}/?token=${TOKEN}`).markup))
    const { status } = await fetch(`${base}/?token=${TOKEN}`, { redirect: 'manual' })
    assert.equal(status, 303)
  })
})
