/** `nonet mock` and `nonet proxy` as somebody types them: the real launcher, files and signals. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type LaunchOptions,
  launchLoaded,
  launchLoadedNonet,
  ROOT,
  type Running,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'
import { freePortBase } from '../support/ports.ts'
import { sendRaw } from '../support/raw-socket.ts'

const GARDEN = join(ROOT, 'data/mock/garden.yaml')
const BEDS_URL = '/beds'

interface Mocking extends Running {
  url: string
  token: string | undefined
}

/** On a free port, ready when this resolves. */
async function launchMock(
  args: readonly string[],
  options: LaunchOptions = {},
  command: 'mock' | 'proxy' = 'mock'
): Promise<Mocking> {
  const running = await launchLoaded([command, '--json', '-p', '0', ...args], options)
  return { ...running, ...JSON.parse(running.line) }
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail(`waited in vain for ${what}`)
}

function documentOf(paths: object, more: object = {}): string {
  return JSON.stringify({ openapi: '3.1.0', info: { title: 't', version: '1' }, paths, ...more })
}

function answering(example: unknown): object {
  return {
    responses: { 200: { description: '', content: { 'application/json': { example } } } }
  }
}

describe('what cannot be meant ends with exit code 1 and a line that says why', () => {
  const folder = temporaryFolder()
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder.path, name), text)
    return join(folder.path, name)
  }
  const empty = file('empty.json', documentOf({}))
  const foreign = file('foreign.json', '{"hello":"world"}')
  const torn = file('torn.yaml', 'openapi: 3.1.0\npaths: {"/a": [')
  const rows: [string, string[], RegExp][] = [
    [
      'no document',
      ['mock'],
      /^Usage: nonet mock[\s\S]*Not enough arguments: missing document\n$/m
    ],
    [
      'unknown flag: one line with the nearest one',
      ['mock', GARDEN, '--prot', '4010'],
      /^nonet: Unknown flag --prot for mock; did you mean --port\? See nonet mock --help\n$/
    ],
    [
      'the beginning of a flag in camel case',
      ['mock', GARDEN, '--verbose'],
      /^nonet: Unknown flag --verbose for mock; did you mean --verboseLevel\? See .*\n$/
    ],
    ['unknown short flag', ['mock', GARDEN, '-x'], /^nonet: Unknown flag -x for mock\. See .*\n$/],
    [
      'a flag of the other command',
      ['proxy', GARDEN, 'http://a', '-d'],
      /^nonet: Unknown flag -d for proxy; it is a flag of nonet mock\. See .*\n$/
    ],
    ['a switch with a word', ['mock', GARDEN, '--cors=maybe'], /--cors must be true or false/],
    ['a level that is none', ['mock', GARDEN, '-v', 'loud'], /-v must be one of trace, debug/],
    ['a log style that is none', ['mock', GARDEN, '-p', '0', '--log=xml'], /--log must be text or/],
    ['a port that is none', ['mock', GARDEN, '-p', 'many'], /must be a whole number/],
    ['a base path that is none', ['mock', GARDEN, '-p', '0', '--base-path=up'], /base.path/i],
    ['no such file', ['mock', 'nowhere.yaml'], /nowhere\.yaml cannot be read: file not found/],
    [
      'a folder instead of a document',
      ['mock', folder.path],
      /^nonet: .* is a folder, not a file; it contains empty\.json, foreign\.json, torn\.yaml\n$/
    ],
    ['a torn file', ['mock', torn], /torn\.yaml/],
    ['something else than a document', ['mock', foreign], /foreign\.json/],
    ['no operations', ['mock', empty], /No operation to mock/],
    ['the same document twice', ['mock', GARDEN, GARDEN], /garden\.yaml/],
    [
      'no upstream',
      ['proxy', GARDEN],
      /Usage: nonet proxy[\s\S]*missing document and upstream URL/
    ],
    ['an upstream that is no address', ['proxy', GARDEN, 'nowhere'], /Invalid upstream URL: nowh/],
    ['an upstream of another kind', ['proxy', GARDEN, 'ftp://a/'], /is not an http or https URL/],
    ['a word too many', ['proxy', GARDEN, 'http://a', 'b'], /^nonet: Unexpected argument: b\./],
    ['a report of no known kind', ['mock', GARDEN, '-p', '0', '--report=a.pdf'], /must end in one/],
    ['a reason to fail that is none', ['mock', GARDEN, '-p', '0', '--fail-on=rain'], /not rain/]
  ]
  for (const [what, args, said] of rows) {
    test(what, async () => {
      const { code, stdout, stderr } = await runNonet(args, { cwd: folder.path })
      assert.equal(code, 1, stderr)
      assert.equal(stdout, '')
      assert.match(stderr, said)
    })
  }

  test('a port in use', async () => {
    await using first = await launchMock([GARDEN])
    const { port } = new URL(first.url)
    const { code, stderr } = await runNonet(['mock', GARDEN, '--port', port])
    assert.equal(code, 1)
    assert.equal(stderr, `nonet: Port ${port} for mock is in use: choose another with --port\n`)
  })
})

describe('what is asked for and ends by itself', () => {
  for (const command of ['mock', 'proxy']) {
    test(`${command} --help and --version end with 0`, async () => {
      const help = await runNonet([command, '--help'])
      assert.equal(help.code, 0)
      assert.match(help.stdout, new RegExp(`^Usage: nonet ${command} <document>`, 'm'))
      assert.match(help.stdout, /-p, --port <value>/)
      assert.match(help.stdout, /-h, --host <value>/)
      const version = await runNonet([command, '--version'])
      assert.equal(version.code, 0)
      assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/)
    })
  }

  test('--check ends with 0 for a sound document, with 1 for one that is not', async () => {
    using folder = temporaryFolder()
    const sound = await runNonet(['mock', '--check', GARDEN])
    assert.deepEqual([sound.code, sound.stderr], [0, ''])
    assert.equal(sound.stdout, `${GARDEN}: no problems found\n`)
    const bad = join(folder.path, 'bad.json')
    const schema = { type: 'strng', $ref: './gone.json' }
    const content = { 'application/json': { schema } }
    writeFileSync(bad, documentOf({ '/a': { get: { responses: { 200: { content } } } } }))
    const found = await runNonet(['mock', bad, GARDEN, '--check'])
    assert.equal(found.code, 1)
    assert.match(found.stdout, /^error: .*bad\.json#\/paths\/~1a\/get\/responses\/200\/content/m)
    assert.match(found.stdout, /^error: .*gone\.json: .*file not found/m)
    assert.match(found.stdout, /^.*garden\.yaml: no problems found$/m)
    const missing = await runNonet(['mock', '--check', 'nowhere.yaml'])
    assert.equal(missing.code, 1)
    assert.match(missing.stdout, /^error: nowhere\.yaml: .*file not found\n$/)
  })

  test('--check only warns of an example that violates its schema', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'example.json')
    const content = { 'application/json': { schema: { type: 'integer' }, example: 'one' } }
    const responses = { 200: { description: '', content } }
    writeFileSync(file, documentOf({ '/a': { get: { responses } } }))
    const { code, stdout } = await runNonet(['mock', '--check', file])
    assert.equal(code, 0)
    assert.match(stdout, /^warning: .*must be integer/m)
  })
})

test('for people: a URL for each operation, then where it listens and what to open', async () => {
  const port = await freePortBase()
  await using running = await launchLoaded(['mock', GARDEN, '-p', String(port), '-h', '127.0.0.1'])
  await until(() => running.stdout().includes('listening'), 'the ready line')
  const lines = running.stdout().trimEnd().split('\n')
  assert.equal(lines.length, 9)
  assert.match(lines[0] ?? '', new RegExp(`^GET +http://127\\.0\\.0\\.1:${port}/beds$`))
  assert.match(lines.at(-3) ?? '', /^Behind a proxy, set NONET_PUBLIC_URL=mock=<url>: /)
  assert.equal(lines.at(-2), `nonet is listening on http://127.0.0.1:${port}`)
  const plant = lines[3]?.split(/ +/)[1] ?? ''
  assert.equal((await fetch(plant)).status, 200)
})

describe('log lines', () => {
  test('one for each request, without the query; as text with --log text', async () => {
    await using json = await launchMock([GARDEN])
    await fetch(`${json.url}/plants?limit=3`)
    await fetch(`${json.url}/nothing`)
    await until(() => json.stdout().split('\n').length >= 4, 'two lines')
    const [, first = '', second = '', ...rest] = json.stdout().split('\n')
    assert.deepEqual(rest, [''])
    const { path, status, method, service } = JSON.parse(first)
    assert.deepEqual([service, method, path, status], ['mock', 'GET', '/plants', 200])
    assert.equal(JSON.parse(second).status, 404)
    await using text = await launchMock([GARDEN, '--log', 'text'])
    await fetch(`${text.url}${BEDS_URL}`)
    await until(() => text.stdout().split('\n').length >= 3, 'a line')
    assert.match(text.stdout(), /\n\d\d:\d\d:\d\d {2}mock +GET +\/beds {2}200 {2}[\d.]+ ms\n$/)
  })

  test('none with -v warn; one for each violation as well with --verboseLevel=debug', async () => {
    await using quiet = await launchMock([GARDEN, '-v', 'warn'])
    await fetch(`${quiet.url}${BEDS_URL}`)
    assert.equal((await quiet.end()).stdout.split('\n').length, 2)
    await using telling = await launchMock([GARDEN, '--verboseLevel=debug'])
    await fetch(`${telling.url}/plants?limit=99`)
    await until(() => telling.stderr().includes('Violation'), 'the violation')
    assert.match(telling.stderr(), /^mock: Violation: request\.query\.limit .*must be <= 50$/m)
  })
})

describe('flags', () => {
  test('NODE_ENV=production and -m change nothing', async () => {
    const production = { env: { NODE_ENV: 'production' } }
    for (const [args, options] of [
      [[GARDEN, '-m'], {}],
      [[GARDEN, '--multiprocess=false'], production],
      [[GARDEN], production]
    ] as const) {
      await using mocking = await launchMock(args, options)
      assert.equal((await fetch(`${mocking.url}/plants/1`)).status, 200)
    }
  })

  test('-d and --seed: same seed, same bytes, in another process too', async () => {
    const bodies: string[] = []
    for (const seed of ['a', 'a', 'b']) {
      await using mocking = await launchMock([GARDEN, '-d', '--seed', seed])
      bodies.push(await (await fetch(`${mocking.url}/plants`)).text())
    }
    assert.equal(bodies[0], bodies[1])
    assert.notEqual(bodies[0], bodies[2])
  })

  test('--ignoreExamples, --no-cors, --validate-request false, --base-path only', async () => {
    await using mocking = await launchMock([
      ...[GARDEN, '--ignore-examples', '--no-cors', '--validate-request', 'false'],
      '--base-path=only'
    ])
    const answer = await fetch(`${mocking.url}/v1/plants?limit=99`)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.match(await answer.text(), /"name":"string"/)
    assert.equal((await fetch(`${mocking.url}/plants`)).status, 404)
  })

  test('a file whose name has a comma', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'a,b.json')
    writeFileSync(file, documentOf({ '/a': { get: answering(1) } }))
    await using mocking = await launchMock([file])
    assert.equal(await (await fetch(`${mocking.url}/a`)).text(), '1')
  })

  test('a document from a URL, which is read again', async () => {
    const versions = [documentOf({ '/a': { get: answering('from afar') } })]
    const source = createServer((_request, response) => response.end(versions.at(-1)))
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = source.address() as AddressInfo
      await using mocking = await launchMock([`http://127.0.0.1:${port}/openapi.json`])
      const read = async () => (await fetch(`${mocking.url}/a`)).text()
      assert.equal(await read(), '"from afar"')
      versions.push('{"openapi":')
      await until(() => mocking.stderr().includes('still served'), 'the complaint')
      assert.equal(await read(), '"from afar"')
      versions.push(documentOf({ '/a': { get: answering('changed') } }))
      await until(async () => (await read()) === '"changed"', 'the new version')
    } finally {
      source.close()
    }
  })

  test('several documents: at the root by their base paths, and below a name', async () => {
    using folder = temporaryFolder()
    const shop = join(folder.path, 'shop.json')
    writeFileSync(
      shop,
      documentOf({ '/beds': { get: answering('sold out') } }, { servers: [{ url: '/shop' }] })
    )
    await using mocking = await launchMock([GARDEN, shop, `second=${shop}`])
    const read = async (path: string) => (await fetch(mocking.url + path)).text()
    assert.equal(await read('/shop/beds'), '"sold out"')
    assert.equal(await read('/second/beds'), '"sold out"')
    assert.match(await read('/v1/beds'), /Herb spiral/)
    const { operations } = (await (await fetch(`${mocking.url}/__nonet/operations`)).json()) as {
      operations: { document: string; url: string }[]
    }
    assert.deepEqual(
      [...new Set(operations.map(({ document }) => document))],
      [GARDEN, shop, `second=${shop}`]
    )
    for (const { url } of operations) {
      assert.notEqual((await fetch(url)).status, 404, url)
    }
  })
})

describe('reload', () => {
  test('of the document and of every file it reaches; a broken save changes nothing', async () => {
    using folder = temporaryFolder()
    const main = join(folder.path, 'main.yaml')
    const part = join(folder.path, 'part.yaml')
    const deep = join(folder.path, 'deep.json')
    const mainText = (extra: string) =>
      `openapi: 3.1.0\npaths:\n  /a: { $ref: './part.yaml#/a' }\n${extra}`
    const partText = "a: { get: { responses: { '200': { $ref: './deep.json' } } } }\n"
    const deepText = (example: string) =>
      JSON.stringify({ description: '', content: { 'application/json': { example } } })
    writeFileSync(main, mainText(''))
    writeFileSync(part, partText)
    writeFileSync(deep, deepText('one'))
    await using mocking = await launchMock([main])
    const read = async () => (await fetch(`${mocking.url}/a`)).text()
    const becomes = (text: string) => until(async () => (await read()) === text, text)
    const says = (word: RegExp) => until(() => word.test(mocking.stderr()), String(word))
    assert.equal(await read(), '"one"')

    writeFileSync(deep, deepText('two'))
    await becomes('"two"')
    await says(/reloaded: 1 operations/)

    writeFileSync(main, mainText('  /b: { $ref: "./part.yaml#/a" }\n'))
    await until(async () => (await fetch(`${mocking.url}/b`)).status === 200, 'a new path')

    writeFileSync(deep, '{"description": "", "content": {"appl')
    await says(/deep\.json.*the last good document is still served/)
    assert.equal(await read(), '"two"')

    writeFileSync(deep, deepText('three'))
    await becomes('"three"')

    writeFileSync(main, 'openapi: 3.1.0\npaths: {"/a": [')
    await says(/main\.yaml.*the last good document is still served/)
    assert.equal(await read(), '"three"')
    writeFileSync(main, 'openapi: 3.1.0\npaths: {}\n')
    await says(/No operation to mock.*the last good document is still served/)
    assert.equal(await read(), '"three"')
    writeFileSync(main, mainText(''))
    writeFileSync(deep, deepText('four'))
    await becomes('"four"')
    assert.equal((await fetch(`${mocking.url}/b`)).status, 404)
    assert.equal((await mocking.end()).code, 0)
  })

  test('not with --no-reload', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'a.json')
    writeFileSync(file, documentOf({ '/a': { get: answering(1) } }))
    await using still = await launchMock([file, '--no-reload'])
    await using moving = await launchMock([file])
    writeFileSync(file, documentOf({ '/a': { get: answering(2) } }))
    const read = async ({ url }: Mocking) => (await fetch(`${url}/a`)).text()
    await until(async () => (await read(moving)) === '2', 'the reload of the other')
    assert.equal(await read(still), '1')
  })
})

describe('reports and verdicts', () => {
  test('--report, given three times, writes what was called in three formats', async () => {
    using folder = temporaryFolder()
    const files = ['json', 'xml', 'html'].map((kind) => join(folder.path, `a, b.${kind}`))
    await using mocking = await launchMock([GARDEN, ...files.flatMap((file) => ['--report', file])])
    await fetch(`${mocking.url}/plants?limit=99`)
    await fetch(`${mocking.url}${BEDS_URL}`)
    await fetch(`${mocking.url}/nothing`)
    assert.ok(!files.some((file) => existsSync(file)))
    assert.equal((await mocking.end()).code, 0)
    const [json = '', xml = '', html = ''] = files.map((file) => readFileSync(file, 'utf8'))
    const { operations, covered, calls, violations, strays, byOperation } = JSON.parse(json)
    assert.deepEqual([operations, covered, calls, violations, strays], [6, 2, 2, 1, 1])
    assert.deepEqual(byOperation[0].statuses, { 200: 1 })
    assert.match(xml, /<testsuite name="nonet mock" tests="7" failures="2" skipped="4">/)
    assert.match(xml, /name="GET \/plants"><failure message="1 violation">/)
    assert.match(html, /Operations called: 2 of 6/)
    assert.doesNotMatch(html, /(src|href)="https?:/)
  })

  const verdicts: [string, string[], string[], RegExp | undefined][] = [
    [
      'a violation, asked about violations',
      ['--fail-on', 'violation'],
      ['/plants?limit=99'],
      /1 violation /
    ],
    [
      'a request to nowhere counts as one',
      ['--fail-on=violation'],
      ['/nothing'],
      /1 request without a matching/
    ],
    ['none, asked about violations', ['--fail-on=violation'], ['/plants'], undefined],
    ['a violation, not asked', [], ['/plants?limit=99'], undefined],
    [
      'not all called, asked about it',
      ['--fail-on=violation,uncovered'],
      ['/plants'],
      /5 of 6 operations/
    ]
  ]
  for (const [what, flags, paths, reason] of verdicts) {
    test(`${what}: exit code ${reason ? 1 : 0}`, async () => {
      await using mocking = await launchMock([GARDEN, ...flags])
      for (const path of paths) await fetch(mocking.url + path)
      const { code, stderr } = await mocking.end('SIGTERM')
      assert.equal(code, reason ? 1 : 0)
      if (reason) assert.match(stderr, reason)
      else assert.doesNotMatch(stderr, /failed/)
    })
  }

  test('all called: 0', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'one.json')
    writeFileSync(file, documentOf({ '/a': { get: answering(1) } }))
    await using mocking = await launchMock([file, '--failOn', 'uncovered'])
    await fetch(`${mocking.url}/a`)
    assert.equal((await mocking.end('SIGINT')).code, 0)
  })
})

describe('/__nonet/', () => {
  test('health, operations, and nothing else; other host names are refused', async () => {
    await using mocking = await launchMock([GARDEN])
    const get = (path: string, headers: Record<string, string> = {}) =>
      fetch(mocking.url + path, { headers })
    assert.deepEqual(await (await get('/__nonet/healthz')).json(), { status: 'ok' })
    assert.deepEqual(await (await get('/__nonet/readyz')).json(), { status: 'ready' })
    const { operations } = (await (await get('/__nonet/operations')).json()) as {
      operations: { method: string; path: string; url: string }[]
    }
    assert.equal(operations.length, 6)
    assert.equal(operations[0]?.url, `${mocking.url}/beds`)
    const unknown = await get('/__nonet/nope')
    assert.equal(unknown.status, 404)
    assert.equal(unknown.headers.get('content-type'), 'application/problem+json')
    assert.equal(((await unknown.json()) as { code: string }).code, 'ROUTE_NOT_FOUND')
    const { status, body } = await askAs('evil.example', `${mocking.url}/__nonet/operations`)
    assert.equal(status, 421)
    assert.match(body, /"code":"FOREIGN_HOST"/)
    assert.equal((await askAs('evil.example', `${mocking.url}/beds`)).status, 200)
  })

  test('beyond loopback the operations need the token that was printed', async () => {
    await using mocking = await launchMock([GARDEN, '-h', '0.0.0.0'])
    const { port } = new URL(mocking.url)
    const url = `http://127.0.0.1:${port}/__nonet/operations`
    assert.equal((await fetch(`http://127.0.0.1:${port}/__nonet/healthz`)).status, 200)
    const refused = await fetch(url)
    assert.equal(refused.status, 401)
    assert.equal(((await refused.json()) as { code: string }).code, 'TOKEN_MISSING')
    const opened = await fetch(url, { headers: { authorization: `Bearer ${mocking.token}` } })
    assert.equal(opened.status, 200)
    const home = `http://127.0.0.1:${port}/__nonet/`
    const link = await fetch(`${home}?token=${mocking.token}`, { redirect: 'manual' })
    assert.deepEqual([link.status, link.headers.get('location')], [303, '/__nonet/'])
    const [cookie = ''] = (link.headers.get('set-cookie') ?? '').split(';')
    assert.equal((await fetch(home, { headers: { cookie, accept: 'text/html' } })).status, 200)
    await using people = await launchLoaded(['mock', GARDEN, '-p', '0', '-h', '0.0.0.0'])
    await until(() => people.stdout().includes('listening'), 'the ready line')
    assert.match(people.stdout(), /^Admin token for \/__nonet\/: \S{20,}$/m)
  })
})

test('--no-admin leaves /__nonet/ to the document', async () => {
  await using mocking = await launchMock([GARDEN, '--no-admin'])
  const answer = await fetch(`${mocking.url}/__nonet/healthz`)
  assert.equal(((await answer.json()) as { code: string }).code, 'NO_PATH_MATCHED_ERROR')
})

describe('proxy', () => {
  test('forwards, and reports what violates the document', async () => {
    const upstream = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('[{"id":"one"}]')
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = upstream.address() as AddressInfo
      const words = [GARDEN, `http://127.0.0.1:${port}`]
      await using lenient = await launchMock([...words, '--fail-on=violation'], {}, 'proxy')
      const passed = await fetch(`${lenient.url}/beds`)
      assert.equal(await passed.text(), '[{"id":"one"}]')
      assert.match(passed.headers.get('sl-violations') ?? '', /must be integer/)
      assert.equal((await lenient.end()).code, 1)
      await using strict = await launchMock([...words, '--errors'], {}, 'proxy')
      const refused = await fetch(`${strict.url}/beds`)
      assert.equal(refused.status, 500)
      assert.equal(((await refused.json()) as { code: string }).code, 'VIOLATIONS')
    } finally {
      upstream.close()
    }
  })
})

describe('inside nonet up', () => {
  test('a sample until a document is named, and a line for it on the console', async () => {
    await using nonet = await launchLoadedNonet(['mock', '--ephemeral'])
    const url = nonet.ready.services.mock ?? ''
    assert.match(await (await fetch(`${url}/plants/1`)).text(), /"name":"Basil"/)
    const page = await (await fetch(nonet.ready.console ?? '')).text()
    assert.ok(page.includes(`href="${url}/__nonet/"`))
    assert.equal((await fetch(`${url}/__nonet/operations`)).status, 200)
    const { code } = await nonet.end()
    assert.equal(code, 0)
  })

  test('--mock names documents, and the settings of the mock are flags with its name', async () => {
    using folder = temporaryFolder()
    const file = join(folder.path, 'own.json')
    writeFileSync(file, documentOf({ '/a': { get: answering(1) } }))
    await using nonet = await launchLoadedNonet([
      ...['mock', '--ephemeral', '--mock', file, '--mock', `garden=${GARDEN}`],
      ...['--no-mock-cors', '--mock-fail-on=uncovered']
    ])
    const url = nonet.ready.services.mock ?? ''
    const answer = await fetch(`${url}/a`)
    assert.equal(await answer.text(), '1')
    assert.equal(answer.headers.get('access-control-allow-origin'), null)
    assert.equal((await fetch(`${url}/garden/beds`)).status, 200)
    assert.equal((await nonet.end()).code, 1)
  })

  test('the verdict counts after a command that succeeded, and not after one that failed', async () => {
    const up = ['up', 'mock', '--ephemeral', '--quiet', '--port-base=0', '--mock-fail-on=violation']
    const call = (path: string, code: number) =>
      `await fetch(process.env.NONET_MOCK_URL + '${path}'); process.exit(${code})`
    for (const [path, code, expected] of [
      ['/beds', 0, 0],
      ['/plants?limit=99', 0, 1],
      ['/plants?limit=99', 7, 7]
    ] as const) {
      const command = [process.execPath, '--input-type=module', '-e', call(path, code)]
      assert.equal((await runNonet([...up, '--', ...command])).code, expected, path)
    }
  })

  test('a document that cannot be read ends the start', async () => {
    const { code, stderr } = await runNonet(['up', 'mock', '--ephemeral', '--mock=nowhere.yaml'])
    assert.equal(code, 1)
    assert.match(stderr, /^nonet: .*nowhere\.yaml cannot be read: file not found\n$/)
  })
})

async function askAs(host: string, url: string): Promise<{ status: number; body: string }> {
  const { hostname, port, pathname } = new URL(url)
  const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
  const { statuses, text } = await sendRaw(`http://${hostname}:${port}`, [request], 5000, 30_000)
  return { status: statuses[0] ?? 0, body: text }
}

describe('state', () => {
  test('the start lines name the collections', async () => {
    await using running = await launchLoaded(['mock', GARDEN, '-p', '0', '--state'])
    await until(() => running.stdout().includes('nonet is listening'), 'the last line')
    assert.match(running.stdout(), /^state {3}\/plants: list, create, read, patch, remove$/m)
  })

  test('so does --check, and says when there are none', async () => {
    using folder = temporaryFolder()
    const plain = join(folder.path, 'plain.json')
    writeFileSync(plain, documentOf({ '/a': { get: answering([1]) } }))
    const found = await runNonet(['mock', '--check', '--state', GARDEN])
    assert.equal(found.code, 0)
    assert.match(found.stdout, /\nstate {3}\/plants: list, create, read, patch, remove\n$/)
    const none = await runNonet(['mock', '--check', '--state', plain])
    assert.match(none.stdout, /\nstate {3}no collections: /)
  })

  test('a wrong seed ends the start and --check with file and pointer', async () => {
    using folder = temporaryFolder()
    const seed = join(folder.path, 'seed.yaml')
    writeFileSync(seed, '/plants:\n  - { id: 1, name: 5 }\n')
    for (const more of [[], ['--check']]) {
      const words = ['mock', GARDEN, '-p', '0', '--state', '--seed-data', seed, ...more]
      const { code, stderr } = await runNonet(words)
      assert.equal(code, 1)
      assert.match(stderr, /seed\.yaml#\/~1plants\/0\/name must be string/)
    }
  })

  test('a seed without --state ends both, too', async () => {
    for (const more of [[], ['--check']]) {
      const words = ['mock', GARDEN, '-p', '0', '--seed-data', 'seed.yaml', ...more]
      const { code, stderr } = await runNonet(words)
      assert.equal(code, 1)
      assert.match(stderr, /--seed-data requires --state/)
    }
  })
})
