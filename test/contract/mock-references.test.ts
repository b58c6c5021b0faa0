/** Where the references of a document may lead. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { mock } from '../../src/host/mock.ts'
import { checkDocuments, configure, fromObject } from '../../src/host/mock-tools.ts'
import { ROOT } from '../support/launcher.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const SCHEMA = '{"type":"string"}'
const DEADLINE_MS = 60_000

function documentWith($ref: string): string {
  const content = { 'application/json': { schema: { $ref } } }
  const responses = { 200: { description: 'ok', content } }
  const info = { title: 'references', version: '1' }
  return JSON.stringify({ openapi: '3.1.0', info, paths: { '/a': { get: { responses } } } })
}

/** The findings about a document, in one line each. */
async function check(document: string, settings: object = {}): Promise<string> {
  const given = fromObject({ mock: settings }, 'the test')
  const configuration = configure(given, { 'mock.documents': [document] })
  const [checked] = await checkDocuments(configuration)
  return (checked?.findings ?? []).map(({ text }) => text).join('\n')
}

const OUTSIDE = /outside the folder of the document and the working folder; .*--allow-refs-outside$/

describe('references of a local document', () => {
  const top = scratchFolder()
  const folder = join(top, 'api')
  before(() => {
    mkdirSync(join(folder, 'parts'), { recursive: true })
    writeFileSync(join(top, 'secret.json'), SCHEMA)
    writeFileSync(join(folder, 'parts', 'near.json'), SCHEMA)
    symlinkSync(join(top, 'secret.json'), join(folder, 'far.json'))
    symlinkSync(top, join(folder, 'up'))
    symlinkSync(join(folder, 'parts', 'near.json'), join(folder, 'near.json'))
  })

  const inside = pathToFileURL(join(ROOT, 'data/mock/garden.yaml'))
  const rows: [proves: string, reference: string, finding: RegExp][] = [
    ['may name a file below its folder', 'parts/near.json', /^$/],
    ['may name a link to such a file', 'near.json', /^$/],
    ['may name a file of the working folder', `${inside}#/components/schemas/Bed`, /^$/],
    ['do not leave its folder', '../secret.json', OUTSIDE],
    ['do not leave it in other spellings', 'parts/%2E%2e/.%2e/secret.json', OUTSIDE],
    ['do not leave it by an absolute path', String(pathToFileURL('/etc/hostname')), OUTSIDE],
    ['do not leave it by a link', 'far.json', OUTSIDE],
    ['do not leave it by a link to a folder', 'up/secret.json', OUTSIDE],
    ['do not name another machine', 'file://elsewhere/a.json', /not a file of this machine$/],
    ['do not name an unreadable path', 'a%2Fb.json', /not a file of this machine$/],
    ['do not name broken text', '%zz.json', /not a file of this machine$/],
    ['do not name a folder', 'parts', /parts is not a file$/]
  ]
  for (const [proves, reference, finding] of rows) {
    test(proves, async () => {
      const document = join(folder, 'openapi.json')
      writeFileSync(document, documentWith(reference))
      assert.match(await check(document), finding)
    })
  }

  test('lead anywhere with --allow-refs-outside', async () => {
    for (const reference of ['../secret.json', 'far.json', 'up/secret.json']) {
      const document = join(folder, 'openapi.json')
      writeFileSync(document, documentWith(reference))
      assert.equal(await check(document, { allowRefsOutside: true }), '')
    }
  })

  test('of an overlay stay below the folder of the overlay', async () => {
    const overlays = join(top, 'overlays')
    mkdirSync(overlays)
    writeFileSync(join(overlays, 'part.json'), SCHEMA)
    const schema = "$.paths['/a'].get.responses['200'].content['application/json'].schema"
    const actions = [{ target: schema, update: { $ref: 'part.json' } }]
    const info = { title: 'overlay', version: '1' }
    const overlay = join(overlays, 'overlay.json')
    writeFileSync(overlay, JSON.stringify({ overlay: '1.0.0', info, actions }))
    const document = join(folder, 'openapi.json')
    writeFileSync(document, documentWith('parts/near.json'))
    assert.equal(await check(document, { overlay: [overlay] }), '')
  })
})

describe('examples in other files', () => {
  const folder = scratchFolder()
  const PICTURE = Buffer.from('89504e470d0a1a0aff00fe', 'hex')
  const files: Record<string, string | Buffer> = {
    'list.json': '[{"id":9007199254740993}]',
    'pet.yaml': 'name: Rex\nfriends: [{ $ref: "parts/friend.json#/one" }]\n',
    'parts/friend.json': '{"one":{"name":"Ann"}}',
    'page.xml': '<a>\n  b: c\n</a>\n',
    'parts/responses.yaml': `Far:
  description: ''
  content:
    image/png: { examples: { far: { externalValue: ../picture.png } } }
`,
    'picture.png': PICTURE,
    'large.json': '{\n  "id": 9007199254740993 }',
    'round.json': '{ "$ref": "round.json" }'
  }
  const json = (media: object) => ({ 'application/json': media })
  const responses: Record<string, object> = {
    '/list': { description: '', content: json({ example: { $ref: 'list.json' } }) },
    '/pet': {
      description: '',
      content: json({ examples: { rex: { value: { $ref: './pet.yaml' } } } })
    },
    '/inner': {
      description: '',
      content: json({ example: { pets: [{ $ref: '#/components/examples/Cat' }], more: 1 } })
    },
    '/schema': {
      description: '',
      content: json({ schema: { type: 'object', example: { $ref: 'parts/friend.json#/one' } } })
    },
    '/xml': {
      description: '',
      content: { 'application/xml': { schema: {}, example: { $ref: 'page.xml' } } }
    },
    '/lost': { description: '', content: json({ example: { $ref: 'lost.json' } }) },
    '/lost-part': { description: '', content: json({ example: { $ref: '#/nowhere' } }) },
    '/round': { description: '', content: json({ example: { $ref: 'round.json' } }) },
    '/data': { description: '', content: json({ example: { $ref: 'list.json', more: true } }) },
    '/outside': { description: '', content: json({ example: { $ref: '../../secret.json' } }) },
    '/far': { $ref: 'parts/responses.yaml#/Far' },
    '/far-json': {
      description: '',
      content: json({
        schema: { type: 'object', required: ['id'] },
        examples: { large: { externalValue: 'large.json' } }
      })
    },
    '/far-lost': {
      description: '',
      content: json({
        schema: { type: 'integer' },
        examples: { lost: { externalValue: 'no.json' }, remote: { externalValue: 'http://a.b/c' } }
      })
    }
  }
  const document = join(folder, 'openapi.json')
  before(() => {
    mkdirSync(join(folder, 'parts'))
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), content)
    }
    const paths = Object.entries(responses).map(([path, response]) => {
      return [path, { get: { responses: { 200: response } } }]
    })
    writeFileSync(
      document,
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'examples', version: '1' },
        paths: Object.fromEntries(paths),
        components: { examples: { Cat: { summary: 'a cat', value: { name: 'Tom' } } } }
      })
    )
  })

  async function read(url: string): Promise<Buffer> {
    const response = await fetch(url)
    assert.equal(response.status, 200, url)
    assert.equal(response.headers.get('sl-violations'), null, url)
    return Buffer.from(await response.arrayBuffer())
  }

  test('are served, and those without a target as written', async () => {
    await using api = await mock(document)
    const expected: Record<string, string> = {
      '/list': '[{"id":9007199254740993}]',
      '/pet': '{"name":"Rex","friends":[{"name":"Ann"}]}',
      '/inner': '{"pets":[{"name":"Tom"}],"more":1}',
      '/schema': '{"name":"Ann"}',
      '/xml': '<a>\n  b: c\n</a>\n',
      '/lost': '{"$ref":"lost.json"}',
      '/lost-part': '{"$ref":"#/nowhere"}',
      '/round': '{"$ref":"round.json"}',
      '/data': '{"$ref":"list.json","more":true}',
      '/outside': '{"$ref":"../../secret.json"}',
      '/far-json': '{\n  "id": 9007199254740993 }',
      '/far-lost': '0'
    }
    for (const [path, text] of Object.entries(expected)) {
      assert.equal(String(await read(api.url + path)), text, path)
    }
    assert.deepEqual(await read(`${api.url}/far`), PICTURE)
    const { headers } = await fetch(`${api.url}/far`)
    assert.equal(headers.get('content-type'), 'image/png')
    assert.equal(headers.get('content-length'), String(PICTURE.length))
    const named = await fetch(`${api.url}/far-json`, { headers: { prefer: 'example=large' } })
    assert.equal(named.status, 200)
  })

  test('are warned of if they are missing, at the start and by a check', async () => {
    const given = fromObject({ mock: {} }, 'the test')
    const configuration = configure(given, { 'mock.documents': [document] })
    const [checked] = await checkDocuments(configuration)
    const found = (checked?.findings ?? []).map(({ level, text }) => `${level} ${text}`)
    const expected = [
      /^warning .*lost\.json cannot be read: file not found; the example .* as written$/,
      /^warning .*secret\.json is outside the folder .*--allow-refs-outside; the example/,
      /^warning #\/nowhere has no target; the example is served as written$/,
      /^warning round\.json refers to itself; the example is served as written$/,
      /^warning .*no\.json cannot be read: file not found; the body .* is generated$/,
      /^warning http:\/\/a\.b\/c has another origin .*--allow-remote-refs; the body/
    ]
    for (const form of expected) {
      assert.equal(
        found.filter((text) => form.test(text)).length,
        1,
        `${form}\n${found.join('\n')}`
      )
    }
    assert.equal(found.length, expected.length, found.join('\n'))
    await using api = await mock(document)
    const shown = await fetch(`${api.url}/__nonet/documents`)
    const { findings } = (await shown.json()) as { findings: { level: string; text: string }[] }
    assert.deepEqual(
      findings.map(({ level, text }) => `${level} ${text}`),
      found
    )
  })

  test('are read again when they change, and when they appear', async () => {
    await using api = await mock(document, { reload: true })
    const until = performance.now() + DEADLINE_MS
    async function expectSoon(path: string, text: string): Promise<void> {
      while (String(await read(api.url + path)) !== text) {
        assert.ok(performance.now() < until, `${path} is not ${text}`)
        await wait(20)
      }
    }
    writeFileSync(join(folder, 'parts/friend.json'), '{"one":{"name":"Bea"}}')
    writeFileSync(join(folder, 'lost.json'), '"found"')
    await expectSoon('/pet', '{"name":"Rex","friends":[{"name":"Bea"}]}')
    await expectSoon('/lost', '"found"')
    writeFileSync(join(folder, 'large.json'), '{"id":2}')
    writeFileSync(join(folder, 'no.json'), '7')
    await expectSoon('/far-json', '{"id":2}')
    await expectSoon('/far-lost', '7')
  })
})

describe('references of a remote document', () => {
  let own: Server
  let other: Server
  before(async () => {
    own = await serve('0.0.0.0')
    other = await serve('127.0.0.1')
  })
  after(() => {
    own.close()
    other.close()
  })

  /** `/document?<reference>` is a document, `/to?<location>` a redirect, all else a schema. */
  async function serve(host: string): Promise<Server> {
    const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
      const [path, query = ''] = (request.url ?? '').split('?')
      const text = decodeURIComponent(query)
      if (path === '/to') response.writeHead(302, { location: text }).end()
      else response.end(path === '/document' ? documentWith(text) : SCHEMA)
    })
    await once(server.listen(0, host), 'listening')
    return server
  }

  function url(server: Server, path: string, query = '', host = '127.0.0.1'): string {
    const { port } = server.address() as AddressInfo
    return `http://${host}:${port}${path}${query === '' ? '' : `?${encodeURIComponent(query)}`}`
  }

  const ORIGIN = /has another origin than the document; .*--allow-remote-refs$/
  const rows: [proves: string, reference: () => string, finding: RegExp, allowed: RegExp][] = [
    ['may name their own origin', () => '/schema', /^$/, /^$/],
    ['may be redirected there', () => '/to?%2Fschema', /^$/, /^$/],
    ['name other origins by a flag', () => url(other, '/schema'), ORIGIN, /^$/],
    [
      'are redirected to other origins by a flag',
      () => url(own, '/to', url(other, '/schema')),
      ORIGIN,
      /^$/
    ],
    [
      'are redirected there and back by a flag',
      () => url(own, '/to', url(other, '/to', url(own, '/schema'))),
      ORIGIN,
      /^$/
    ],
    [
      'are not redirected to a file',
      () => '/to?file:///etc/hostname',
      /is a file, which a remote document must not refer to$/,
      /is a file/
    ],
    [
      'are not redirected to another scheme',
      () => '/to?ftp://127.0.0.1/',
      /is neither a file nor an http or https URL$/,
      /neither/
    ],
    [
      'are not redirected to a private IP address',
      () => '/to?http://169.254.169.254/',
      ORIGIN,
      /cannot be fetched: it leads to a private IP address$/
    ],
    ['are not redirected for ever', () => `/to?${'/to?'.repeat(9)}`, /redirects too often$/, /too/]
  ]
  for (const [proves, reference, finding, allowed] of rows) {
    test(proves, async () => {
      const document = url(own, '/document', reference())
      assert.match(await check(document), finding)
      assert.match(await check(document, { allowRemoteRefs: true }), allowed)
    })
  }

  test('of another machine do not lead to servers of this one', async () => {
    // 0.0.0.0 reaches this machine and is not a loopback address.
    const document = url(own, '/document', url(other, '/schema'), '0.0.0.0')
    const refused = /cannot be fetched: it leads to a private IP address$/
    assert.match(await check(document, { allowRemoteRefs: true }), refused)
    const redirected = url(own, '/document', `/to?${url(other, '/schema')}`, '0.0.0.0')
    assert.match(await check(redirected, { allowRemoteRefs: true }), refused)
  })

  test('lead to external examples, of other origins by a flag', async () => {
    const document = join(scratchFolder(), 'far.json')
    const content = { 'text/plain': { examples: { far: { externalValue: url(other, '/text') } } } }
    const responses = { 200: { description: '', content } }
    const info = { title: 'far', version: '1' }
    const paths = { '/a': { get: { responses } } }
    writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info, paths }))
    await using api = await mock(document, { allowRemoteRefs: true })
    assert.equal(await (await fetch(`${api.url}/a`)).text(), SCHEMA)
    assert.match(await check(document), /another origin .*; the body .* is generated$/)
  })

  test('hold no connection after they were read', async () => {
    await using api = await mock(url(own, '/document', '/schema'))
    assert.equal((await fetch(`${api.url}/a`)).status, 200)
    const until = performance.now() + DEADLINE_MS
    const count = () =>
      new Promise((resolve) => own.getConnections((_, open) => setTimeout(resolve, 20, open)))
    while ((await count()) !== 0) assert.ok(performance.now() < until, 'a connection is open')
  })
})
