/** Overlays and patches as somebody names them: order, several documents, reload, checks, convert. */
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import {
  type LaunchOptions,
  launchLoaded,
  launchLoadedNonet,
  ROOT,
  runNonet,
  temporaryFolder
} from '../support/launcher.ts'

const GARDEN = join(ROOT, 'data/mock/garden.yaml')
const INFO = { title: 't', version: '1' }

async function launchMock(args: readonly string[], options: LaunchOptions = {}) {
  const [command, ...rest] = args[0] === 'proxy' ? args : ['mock', ...args]
  const running = await launchLoaded([command ?? '', '--json', '-p', '0', ...rest], options)
  const { url }: { url: string } = JSON.parse(running.line)
  return {
    ...running,
    url,
    read: async (path: string) => (await fetch(url + path)).text()
  }
}

async function until(holds: () => boolean | Promise<boolean>, what: string): Promise<void> {
  for (let waited = 0; waited < 15_000; waited += 50) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.fail(`waited in vain for ${what}`)
}

/** A document whose one operation answers with a text. */
function answering(example: string, more: object = {}): object {
  const content = { 'application/json': { example } }
  const paths = { '/a': { get: { responses: { 200: { description: '', content } } } } }
  return { openapi: '3.1.0', info: INFO, paths, ...more }
}
const EXAMPLE = "$.paths['/a'].get.responses['200'].content['application/json']"
const POINTER = '/paths/~1a/get/responses/200/content/application~1json/example'

function overlayOf(example: unknown, more: object = {}): object {
  const actions = [{ target: EXAMPLE, update: { example } }]
  return { overlay: '1.0.0', info: INFO, actions, ...more }
}

function workshop() {
  const folder = temporaryFolder()
  return {
    path: folder.path,
    file(name: string, value: unknown): string {
      const path = join(folder.path, name)
      writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
      return path
    },
    [Symbol.dispose]: () => folder[Symbol.dispose]()
  }
}

describe('nonet mock', () => {
  test('overlays and patches apply in the order they are given', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('document'))
    const overlay = shop.file('a,b.overlay.json', overlayOf('overlay'))
    const patch = shop.file('p.json', [{ op: 'replace', path: POINTER, value: 'patch' }])
    const merge = shop.file('m.yaml', 'paths: {/a: {put: {responses: {}}, get: {summary: merged}}}')
    for (const [flags, answer] of [
      [['--overlay', overlay, '--patch', patch], '"patch"'],
      [['--patch', patch, `--overlay=${overlay}`], '"overlay"'],
      [['--patch', patch, '--overlay', overlay, '--patch', patch, '--patch', merge], '"patch"']
    ] as const) {
      await using mocking = await launchMock([document, ...flags])
      assert.equal(await mocking.read('/a'), answer)
      const put = await fetch(`${mocking.url}/a`, { method: 'PUT' })
      assert.equal(put.status === 405, !flags.includes(merge))
    }
  })

  test('in front of a server, too', async () => {
    using shop = workshop()
    const upstream = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json').end('1')
    })
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve))
    try {
      const { port } = upstream.address() as AddressInfo
      const document = shop.file('api.json', answering('x'))
      const required = { name: 'q', in: 'query', required: true, schema: { type: 'integer' } }
      const actions = [{ target: "$.paths['/a'].get", update: { parameters: [required] } }]
      const overlay = shop.file('o.json', { ...overlayOf(''), actions })
      const proxied = ['proxy', document, `http://127.0.0.1:${port}`, '--errors']
      await using proxy = await launchMock([...proxied, '--overlay', overlay])
      assert.equal((await fetch(`${proxy.url}/a`)).status, 422)
      assert.equal((await fetch(`${proxy.url}/a?q=1`)).status, 200)
    } finally {
      upstream.close()
    }
  })

  test('extends chooses among several documents; a name does, too', async () => {
    using shop = workshop()
    const one = shop.file('one.json', answering('one', { servers: [{ url: '/one' }] }))
    const two = shop.file('two.json', answering('two', { servers: [{ url: '/two' }] }))
    const forTwo = shop.file('for-two.json', overlayOf('changed', { extends: './two.json' }))
    const forAll = shop.file('for-all.json', overlayOf('everywhere'))
    const patch = shop.file('p.json', [{ op: 'replace', path: POINTER, value: 'patched' }])
    const read = async (args: readonly string[]) => {
      await using mocking = await launchMock(args)
      const answers = await Promise.all([mocking.read('/one/a'), mocking.read('/two/a')])
      return [...answers, (await mocking.end()).stderr]
    }
    const at = (name: string) => `${name}=${name === 'one' ? one : two}`
    assert.deepEqual(await read([one, two, '--overlay', forTwo]), ['"one"', '"changed"', ''])
    assert.deepEqual(await read([one, two, '--overlay', forAll]), [
      '"everywhere"',
      '"everywhere"',
      ''
    ])
    assert.deepEqual(await read([at('one'), at('two'), '--patch', `one=${patch}`]), [
      '"patched"',
      '"two"',
      ''
    ])
    const unknown = await runNonet(['mock', one, '--overlay', `two=${forAll}`])
    assert.equal(unknown.code, 1)
    assert.match(unknown.stderr, /there is no document named two/)
  })

  test('an overlay made for another document applies, with a warning', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('x'))
    const overlay = shop.file('o.json', overlayOf('y', { extends: 'other.json' }))
    await using mocking = await launchMock([document, '--overlay', overlay])
    assert.equal(await mocking.read('/a'), '"y"')
    assert.match(
      mocking.stderr(),
      /warning: .*o\.json#\/extends: The overlay extends another document: .*other\.json/
    )
  })

  test('what selects nothing in any document is a warning', async () => {
    using shop = workshop()
    const one = shop.file('one.json', answering('one', { servers: [{ url: '/one' }] }))
    const two = shop.file('two.json', answering('two', { 'x-two': {}, servers: [{ url: '/two' }] }))
    const actions = [
      { target: "$['x-two']", update: { a: 1 } },
      { target: '$.nope', remove: true }
    ]
    const overlay = shop.file('o.json', { ...overlayOf(''), actions })
    await using mocking = await launchMock([one, two, '--overlay', overlay])
    const { stderr } = await mocking.end()
    assert.match(stderr, /o\.json#\/actions\/1: The target \$\.nope has no match/)
    assert.doesNotMatch(stderr, /actions\/0/)
  })

  test('an overlay from an address, and parts beside it', async () => {
    const served = new Map<string, object>([
      ['/api/openapi.json', answering('document')],
      [
        '/overlays/o.json',
        {
          ...overlayOf(''),
          actions: [
            { target: "$.paths['/a'].get.responses", remove: true },
            { target: "$.paths['/a'].get", update: { responses: { 200: { $ref: 'part.json' } } } }
          ]
        }
      ],
      [
        '/overlays/part.json',
        { description: '', content: { 'application/json': { example: 'beside' } } }
      ]
    ])
    const source = createServer((request, response) => {
      response.end(JSON.stringify(served.get(request.url ?? '')))
    })
    await new Promise<void>((resolve) => source.listen(0, '127.0.0.1', resolve))
    try {
      const base = `http://127.0.0.1:${(source.address() as AddressInfo).port}`
      const overlay = `${base}/overlays/o.json`
      await using mocking = await launchMock([`${base}/api/openapi.json`, '--overlay', overlay])
      assert.equal(await mocking.read('/a'), '"beside"')
    } finally {
      source.close()
    }
  })

  test('what YAML shares is changed in one place only', async () => {
    using shop = workshop()
    const document = shop.file(
      'api.yaml',
      `openapi: 3.1.0
paths:
  /a: { get: { responses: { '200': &ok { description: '', content: { application/json: { example: shared } } } } } }
  /b: { get: { responses: { '200': *ok } } }
`
    )
    const overlay = shop.file('o.json', overlayOf('own'))
    await using mocking = await launchMock([document, '--overlay', overlay])
    assert.deepEqual([await mocking.read('/a'), await mocking.read('/b')], ['"own"', '"shared"'])
  })

  test('changed overlays are read again; a broken save changes nothing', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('document'))
    const overlay = shop.file('o.json', overlayOf('one'))
    const patch = shop.file('p.json', { 'x-patched': true })
    await using mocking = await launchMock([document, '--overlay', overlay, '--patch', patch])
    const becomes = (text: string) => until(async () => (await mocking.read('/a')) === text, text)
    const says = (word: RegExp) => until(() => word.test(mocking.stderr()), String(word))
    assert.equal(await mocking.read('/a'), '"one"')
    shop.file('o.json', overlayOf('two'))
    await becomes('"two"')
    shop.file('o.json', { ...overlayOf(''), actions: [{ target: '$.a[', remove: true }] })
    await says(/o\.json#\/actions\/0 .* is not a JSONPath.*the last good document is still served/)
    assert.equal(await mocking.read('/a'), '"two"')
    shop.file('o.json', overlayOf('three'))
    await becomes('"three"')
    shop.file('p.json', [{ op: 'replace', path: POINTER, value: 'patched' }])
    await becomes('"patched"')
    shop.file('p.json', [{ op: 'test', path: POINTER, value: 'patched' }])
    await says(/p\.json#\/0 tests for another value/)
    assert.equal(await mocking.read('/a'), '"patched"')
  })

  test('--check looks at overlays', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('x'))
    const fine = shop.file('fine.json', overlayOf('y'))
    const sound = await runNonet(['mock', document, '--check', '--overlay', fine])
    assert.deepEqual([sound.code, sound.stdout], [0, `${document}: no problems found\n`])
    const actions = [{ target: '$.nope', remove: true }]
    const idle = shop.file('idle.json', { ...overlayOf(''), actions })
    const warned = await runNonet(['mock', document, '--check', '--overlay', idle])
    assert.equal(warned.code, 0)
    assert.match(
      warned.stdout,
      /^warning: .*idle\.json#\/actions\/0: The target \$\.nope has no match/m
    )
    const schema = { target: EXAMPLE, update: { schema: { type: 'strng' } } }
    const bad = shop.file('bad.json', { ...overlayOf(''), actions: [schema] })
    const failed = await runNonet(['mock', document, '--check', '--overlay', bad])
    assert.equal(failed.code, 1)
    assert.match(failed.stdout, /^error: .*strng/m)
    const primitive = { target: '$.info.title', update: 'mine' }
    const wrong = shop.file('wrong.json', { ...overlayOf(''), actions: [primitive, primitive] })
    const refused = await runNonet(['mock', document, '--check', '--overlay', wrong])
    assert.match(refused.stdout, /^error: .*wrong\.json#\/actions\/0 selects "t"/m)
    assert.doesNotMatch(refused.stdout, /has no match/, 'what was never tried')
    const torn = shop.file('torn.json', '{')
    for (const flag of ['--overlay', '--patch']) {
      const { code, stdout, stderr } = await runNonet(['mock', document, '--check', flag, torn])
      assert.equal(code, 1)
      assert.match(stdout + stderr, /torn\.json cannot be read/)
    }
  })

  test('a start that cannot happen names the file', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('x'))
    const overlay = shop.file('o.json', overlayOf('y'))
    const patch = shop.file('p.json', [{ op: 'remove', path: '/nope' }])
    const number = shop.file('n.json', '5')
    for (const [flags, said] of [
      [['--overlay', 'gone.yaml'], /gone\.yaml cannot be read: file not found/],
      [['--overlay', document], /api\.json is not an overlay: it has no member overlay/],
      [['--patch', overlay], /o\.json is an overlay: pass it with --overlay/],
      [['--patch', patch], /p\.json#\/0 points to a missing value: #\/nope/],
      [['--patch', number], /n\.json is not a patch/]
    ] as const) {
      const { code, stderr } = await runNonet(['mock', document, '-p', '0', ...flags])
      assert.equal(code, 1)
      assert.match(stderr, said)
    }
  })
})

test('nonet up takes them from its file and from flags, patches after overlays', async () => {
  using shop = workshop()
  const document = shop.file('api.json', answering('document'))
  const overlay = shop.file('o.json', overlayOf('overlay'))
  const patch = shop.file('p.json', [{ op: 'replace', path: POINTER, value: 'patch' }])
  shop.file('nonet.config.json', {
    mock: { documents: [document], overlay: [`patch:${patch}`, overlay] }
  })
  const up = ['mock', '--port-base', '0', '--ephemeral', '--no-console']
  for (const [flags, answer] of [
    [[], '"overlay"'],
    [['--mock-patch', patch], '"patch"'],
    [['--mock-overlay', overlay], '"overlay"']
  ] as const) {
    await using running = await launchLoadedNonet([...up, ...flags], { cwd: shop.path })
    assert.equal(await (await fetch(`${running.ready.services.mock}/a`)).text(), answer)
  }
})

describe('nonet convert', () => {
  test('prints JSON for JSON and YAML for YAML, or what the name of the file says', async () => {
    using shop = workshop()
    const json = shop.file('api.json', answering('x'))
    const printed = await runNonet(['convert', json])
    assert.deepEqual([printed.code, printed.stderr], [0, ''])
    assert.deepEqual(JSON.parse(printed.stdout), answering('x'))
    const yaml = await runNonet(['convert', GARDEN, '--to', '3.0'])
    assert.match(yaml.stdout, /^openapi: 3\.0\.4$/m)
    const out = join(shop.path, 'out.yml')
    const written = await runNonet(['convert', json, '--to=3.0', '-o', out])
    assert.deepEqual([written.code, written.stdout], [0, ''])
    assert.equal(parse(readFileSync(out, 'utf8')).openapi, '3.0.4')
  })

  test('applies overlays and patches in the order given', async () => {
    using shop = workshop()
    const document = shop.file('api.json', answering('x'))
    const overlay = shop.file('o.json', overlayOf('overlay'))
    const patch = shop.file('p.json', [{ op: 'replace', path: POINTER, value: 'patch' }])
    const last = async (...flags: string[]) =>
      (await runNonet(['convert', document, ...flags])).stdout.match(/"(patch|overlay)"/)?.[1]
    assert.equal(await last('--overlay', overlay, '--patch', patch), 'patch')
    assert.equal(await last('--patch', patch, '--overlay', overlay), 'overlay')
  })

  test('references to files stay right from where the text goes, or come in', async () => {
    using shop = workshop()
    for (const name of ['api', 'out', 'parts']) mkdirSync(join(shop.path, name))
    shop.file(
      'parts/pet.yaml',
      'Pet: { type: object, nullable: true }\nList: { get: { responses: {} } }'
    )
    const document = shop.file(
      'api/openapi.yaml',
      `openapi: 3.0.0
info: { title: t, version: '1' }
paths: { /pets: { $ref: '../parts/pet.yaml#/List' } }
components: { schemas: { Own: { type: string, nullable: true }, Pet: { $ref: '../parts/pet.yaml#/Pet' } } }
`
    )
    const beside = await runNonet(['convert', document])
    assert.equal(beside.code, 0)
    assert.match(beside.stderr, /openapi\.yaml: Referenced files are not converted; use --bundle/)
    const { components, paths } = parse(beside.stdout)
    assert.deepEqual(components.schemas, {
      Own: { type: ['string', 'null'] },
      Pet: { $ref: '../parts/pet.yaml#/Pet' }
    })
    assert.deepEqual(paths['/pets'], { $ref: '../parts/pet.yaml#/List' })
    const file = join(shop.path, 'openapi.json')
    await runNonet(['convert', document, '-o', file])
    const moved = JSON.parse(readFileSync(file, 'utf8'))
    assert.deepEqual(moved.components.schemas.Pet, { $ref: './parts/pet.yaml#/Pet' })
    const whole = await runNonet(['convert', document, '--bundle'], { cwd: shop.path })
    assert.deepEqual([whole.code, whole.stderr], [0, ''])
    const bundled = parse(whole.stdout)
    assert.deepEqual(bundled.paths['/pets'], { get: { responses: {} } })
    assert.doesNotMatch(whole.stdout, /parts\/pet/)
    assert.match(JSON.stringify(bundled.components.schemas), /"type":\["object","null"\]/)
  })

  test('tells what 3.0 cannot say, with its place', async () => {
    using shop = workshop()
    const schema = { type: 'object', propertyNames: { pattern: '^x' } }
    const document = shop.file(
      'api.json',
      answering('x', { components: { schemas: { Named: schema } }, webhooks: {} })
    )
    const { code, stdout, stderr } = await runNonet(['convert', document, '--to', '3.0'])
    assert.equal(code, 0)
    assert.deepEqual(JSON.parse(stdout).components.schemas.Named, { type: 'object' })
    assert.match(
      stderr,
      /api\.json#\/components\/schemas\/Named: OpenAPI 3\.0 has no propertyNames$/m
    )
    assert.match(stderr, /api\.json#\/webhooks: OpenAPI 3\.0 has no webhooks/)
  })

  test('what cannot be done writes nothing', async () => {
    using shop = workshop()
    const out = join(shop.path, 'out.json')
    const lost = shop.file('lost.json', {
      ...answering('x'),
      'x-a': 1,
      components: { schemas: { A: { $ref: 'gone.json' } } }
    })
    for (const [args, code, said] of [
      [[], 2, /Missing document\./],
      [[lost, '--to', '2.0'], 2, /--to must be 3\.0 or 3\.1, not 2\.0/],
      [[lost, lost], 2, /Unexpected argument: /],
      [['gone.json'], 1, /gone\.json cannot be read/],
      [[lost, '--bundle', '-o', out], 1, /^error: .*gone\.json: .*file not found/m]
    ] as const) {
      const { code: found, stderr, stdout } = await runNonet(['convert', ...args])
      assert.deepEqual([found, stdout], [code, ''], stderr)
      assert.match(stderr, said)
    }
    assert.throws(() => readFileSync(out), { code: 'ENOENT' })
  })
})
