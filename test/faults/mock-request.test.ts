/**
 * Hostile requests against the request side of the mock. The generator draws, with a fixed seed,
 * OPERATIONS operations: a path of 1 to 4 segments, each literal, a parameter or mixed; 0 to 5
 * parameters with an equal share of every place, style and schema below, a tenth of them with
 * `content`; three of four with a body of 1 or 2 equally drawn types; half of them with security.
 * Each gets REQUESTS_EACH requests: path, query, headers, cookies and body are made of the
 * document with an equal chance of a fitting, a bent and a random piece at every place; every third
 * request is made as a well-behaved client would, with the same styles written the other way:
 * none of its parameters may be refused. A case
 * is `clean` without findings, `refused` with findings, `unrouted` when no path or method fits.
 * Nothing but a Problem may ever be thrown; the time limit of the test bounds the whole.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Problem } from '../../src/services/mock/contract.ts'
import type { JsonObject } from '../../src/services/mock/document/json.ts'
import type { Diagnostic, Incoming } from '../../src/services/mock/message.ts'
import { buildApi } from '../../src/services/mock/model/build.ts'
import { createRequestCheck } from '../../src/services/mock/request/check.ts'
import { readPreferences } from '../../src/services/mock/request/preferences.ts'
import { parseQuery } from '../../src/services/mock/request/query-string.ts'
import { createRouter } from '../../src/services/mock/routing/router.ts'
import { createSchemas } from '../../src/services/mock/schema/schemas.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { createRandom, type Random } from '../support/random.ts'

const OPERATIONS = scaled(45, 75)
const REQUESTS_EACH = 60
const LIMIT_MS = 120_000 * EFFORT

type Sample = string | readonly string[] | Readonly<Record<string, string>>

/** Each with a value that fits it, as texts. */
const SCHEMAS: readonly [[JsonObject, Sample], ...[JsonObject, Sample][]] = [
  [{}, 'x'],
  [{ type: 'integer' }, '1'],
  [{ type: 'number', maximum: 10 }, '2.5'],
  [{ type: 'boolean' }, 'true'],
  [{ type: 'string', pattern: '^[a-z]+$' }, 'abc'],
  [{ type: ['string', 'null'] }, 'x'],
  [{ enum: ['a', 1, null] }, 'a'],
  [{ type: 'array', items: { type: 'integer' } }, ['1', '2']],
  [{ type: ['string', 'array'], items: { type: 'string' } }, 'a'],
  [
    { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'string' } } },
    { x: '1', y: 'b' }
  ],
  [{ type: 'object', additionalProperties: { type: 'integer' } }, { k: '1' }],
  [{ $ref: '#/components/schemas/Node' }, { label: 'n' }],
  [{ oneOf: [{ type: 'integer' }, { type: 'array', items: {} }] }, '1'],
  [
    {
      allOf: [{ $ref: '#/components/schemas/Node' }],
      properties: { ctor: {} },
      required: ['ctor']
    },
    { label: 'n', ctor: 'c' }
  ],
  [{ $ref: '#/components/schemas/Nowhere' }, 'x'],
  [
    {
      type: 'object',
      properties: JSON.parse('{"__proto__":{"type":"integer"},"z":{}}')
    },
    { z: '1' }
  ]
]

const COMPONENTS: JsonObject = {
  schemas: {
    Node: {
      type: 'object',
      xml: { name: 'node' },
      properties: {
        value: { type: 'integer', xml: { attribute: true } },
        label: { type: 'string' },
        children: { type: 'array', items: { $ref: '#/components/schemas/Node' } }
      }
    }
  },
  securitySchemes: {
    basic: { type: 'http', scheme: 'basic' },
    bearer: { type: 'http', scheme: 'bearer' },
    digest: { type: 'http', scheme: 'digest' },
    key: { type: 'apiKey', in: 'query', name: 'a' },
    cookie: { type: 'apiKey', in: 'cookie', name: 'a' },
    other: { type: 'mutualTLS' }
  }
}

const STYLES = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple', 'nonsense'],
  cookie: ['form', 'simple']
} as const

const TYPES = [
  'application/json',
  'application/vnd.x+json',
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'application/xml',
  'text/plain',
  'application/octet-stream',
  '*/*'
] as const
const NAMES = ['a', 'B', 'list', '__proto__', 'constructor', 'name'] as const

const HOSTILE = [
  '',
  '%',
  '%ff',
  '%00',
  '%c0%af',
  '..',
  ',',
  ';',
  '=',
  '.',
  '|',
  '[',
  ']',
  '{}',
  '[]',
  '&&',
  ';a=',
  '.a.b',
  'a,b,c',
  'a=1,b',
  '__proto__',
  'constructor',
  'toString',
  '{"a":1}',
  '{"a":',
  '[[[[[[',
  '1e999',
  '-0',
  'null',
  'true',
  '\u{1f600}',
  '\u0000',
  '<a',
  '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
  '"',
  '\\'
] as const

function hostileText(random: Random): string {
  const count = 1 + random.below(4)
  return Array.from({ length: count }, () => random.pick(HOSTILE)).join('')
}

function fittingText(random: Random): string {
  return random.pick(['1', 'abc', 'true', '1,2,3', '.1.2', ';a=1', 'a,1,b,2', '5'])
}

function anyText(random: Random): string {
  const kind = random.below(3)
  if (kind === 0) return fittingText(random)
  if (kind === 1) return fittingText(random) + hostileText(random)
  return hostileText(random)
}

interface DrawnParameter {
  place: keyof typeof STYLES
  name: string
  style: string
  explode: boolean
  sample: Sample
  isContent: boolean
}

interface Drawn {
  document: JsonObject
  path: string
  types: readonly string[]
  parameters: readonly DrawnParameter[]
}

/** What a well-behaved client sends: RFC 6570, and the styles of OpenAPI beyond it. */
function serialise({ place, name, style, explode, sample, isContent }: DrawnParameter): string {
  if (isContent) {
    const json = JSON.stringify(sample, (_, value) =>
      /^[\d.]+$|^true$/.test(value) ? JSON.parse(value) : value
    )
    return place === 'path' || place === 'header'
      ? encodeHere(json, place)
      : `${name}=${encodeHere(json, place)}`
  }
  const isFields = place === 'query' || place === 'cookie'
  const between = place === 'query' ? '&' : '; '
  if (style === 'deepObject' && typeof sample === 'object') {
    return Object.entries(sample)
      .map(([key, value]) => `${name}[${key}]=${value}`)
      .join('&')
  }
  if (typeof sample === 'string') {
    if (isFields) return `${name}=${sample}`
    return style === 'label' ? `.${sample}` : style === 'matrix' ? `;${name}=${sample}` : sample
  }
  const isList = Array.isArray(sample)
  const entries = Object.entries(sample)
  const assigned = entries.map(([key, value]) => `${isList ? name : key}=${value}`)
  const flat = isList ? [...sample] : entries.flat()
  if (isFields) {
    const isJoined = style === 'spaceDelimited' || style === 'pipeDelimited' || !explode
    const delimiter = style === 'spaceDelimited' ? '%20' : style === 'pipeDelimited' ? '|' : ','
    if (!isJoined || (isList && explode)) return assigned.join(between)
    return `${name}=${flat.join(delimiter)}`
  }
  if (style === 'matrix')
    return explode ? assigned.map((one) => `;${one}`).join('') : `;${name}=${flat.join(',')}`
  const lone = explode && !isList ? assigned : flat
  return style === 'label' ? `.${lone.join(explode ? '.' : ',')}` : lone.join(',')
}

function encodeHere(text: string, place: string): string {
  return place === 'header' ? text : encodeURIComponent(text)
}

function drawOperation(random: Random, tally: Map<string, number>): Drawn {
  const count = (what: string) => tally.set(what, (tally.get(what) ?? 0) + 1)
  const segments = Array.from({ length: 1 + random.below(4) }, (_, index) => {
    const kind = random.pick(['literal', 'whole', 'mixed'] as const)
    count(`segment ${kind}`)
    if (kind === 'literal') return random.pick(['pets', 'a b', '__proto__', 'x%2Fy'])
    return kind === 'whole' ? `{p${index}}` : `v{p${index}}-{q${index}}.json`
  })
  const path = `/${segments.join('/')}`
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
    drawParameter(random, count, 'path', name)
  )
  const others = Array.from({ length: random.below(6) }, () =>
    drawParameter(random, count, random.pick(['query', 'header', 'cookie']), random.pick(NAMES))
  )
  const all = [...inPath, ...distinct(others)]
  const types = Array.from({ length: random.below(4) === 0 ? 0 : 1 + random.below(2) }, () =>
    random.pick(TYPES)
  )
  for (const type of types) count(`body ${type}`)
  const content = Object.fromEntries(
    types.map((type) => [
      type,
      { schema: random.pick(SCHEMAS)[0], encoding: { a: { explode: false } } }
    ])
  )
  const names = ['basic', 'bearer', 'digest', 'key', 'cookie', 'other'] as const
  const security = Array.from({ length: random.below(2) * (1 + random.below(3)) }, () => ({
    [random.pick(names)]: []
  }))
  if (security.length > 0) count('security')
  const operation: JsonObject = {
    parameters: all.map(({ node }) => node),
    security,
    ...(types.length === 0 ? {} : { requestBody: { required: random.below(2) === 0, content } })
  }
  const document = {
    openapi: '3.1.0',
    components: COMPONENTS,
    paths: { [path]: { post: operation } }
  }
  const parameters = all.map(({ drawn }) => drawn)
  return { document, path, types, parameters }
}

function drawParameter(
  random: Random,
  count: (what: string) => unknown,
  place: keyof typeof STYLES,
  name: string
): { node: JsonObject; drawn: DrawnParameter } {
  const style = random.pick(STYLES[place])
  const [schema, sample] = random.pick(SCHEMAS)
  count(`${place} ${style}`)
  const explode = random.below(2) === 0
  const isContent = random.below(10) === 0
  if (isContent) count('content')
  const described = isContent ? { content: { 'application/json': { schema } } } : { style, schema }
  const node = { in: place, name, required: random.below(2) === 0, explode, ...described }
  return { node, drawn: { place, name, style, explode, sample, isContent } }
}

/** No name twice in one place, and at most one object whose properties are fields there. */
function distinct<T extends { drawn: DrawnParameter }>(parameters: readonly T[]): T[] {
  const taken = new Set<string>()
  return parameters.filter(({ drawn: { place, name, explode, sample } }) => {
    const isObject = typeof sample === 'object' && !Array.isArray(sample)
    const keys = [
      `${place} ${name.toLowerCase()}`,
      ...(explode && isObject ? [`${place} spread`] : [])
    ]
    const isFree = keys.every((key) => !taken.has(key))
    if (isFree) for (const key of keys) taken.add(key)
    return isFree
  })
}

/** Everything as described: no parameter of these may be refused. */
function drawFitting(random: Random, { path, types, parameters }: Drawn): Incoming {
  const of = (place: string) => parameters.filter((parameter) => parameter.place === place)
  const named = (name: string) => of('path').find((parameter) => parameter.name === name)
  const [type = ''] = types
  const cookies = of('cookie')
  const cookie = cookies.some(({ name }) => name === 'a') ? [] : ['a=1']
  const headers = Object.fromEntries([
    ['authorization', random.pick(['Basic YTpi', 'Bearer x'])],
    ['cookie', [...cookie, ...cookies.map(serialise)].join('; ')],
    ...(types.length === 0 ? [] : [['content-type', `${type}; boundary=b`]]),
    ...of('header').map((parameter) => [parameter.name.toLowerCase(), serialise(parameter)])
  ])
  const sample = random.pick(FITTING_BODIES[type] ?? ['x'])
  return {
    method: 'POST',
    path: path
      .replace(/\{(\w+)\}/g, (_, name) => {
        const parameter = named(name)
        return parameter === undefined ? 'x' : serialise(parameter)
      })
      .replaceAll(' ', '%20'),
    query: of('query').map(serialise).join('&'),
    headers,
    body: types.length === 0 ? undefined : Buffer.from(sample)
  }
}

const FITTING_BODIES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'application/json': ['{"ctor":1}', '1', '[1]', '"a"'],
  'application/vnd.x+json': ['{"ctor":1}', '1', '[1]', '"a"'],
  'application/x-www-form-urlencoded': ['ctor=c', 'name=n&ctor=c'],
  'multipart/form-data': [
    '--b\r\nContent-Disposition: form-data; name="ctor"\r\n\r\n1\r\n--b--\r\n'
  ],
  'application/xml': ['<node><ctor>c</ctor></node>', '<node>1</node>']
}

function drawPath(random: Random, { path }: Drawn): string {
  if (random.below(10) === 0) return `/${hostileText(random)}`
  const filled = path.replace(/\{\w+\}/g, () => encodeLoosely(anyText(random), random))
  return filled.replaceAll(' ', '%20')
}

/** A client that encodes, one that does not, and one that does it halfway. */
function encodeLoosely(text: string, random: Random): string {
  const how = random.below(3)
  if (how === 0) return encodeURIComponent(text)
  return how === 1 ? text : text.replaceAll('/', '%2F')
}

function drawQuery(random: Random): string {
  const pairs = Array.from({ length: random.below(6) }, () => {
    const name = random.pick([...NAMES, 'a[b][c]', 'B[0]', 'list[]', '__code', '__server'] as const)
    return `${encodeLoosely(name, random)}${random.pick(['=', '==', ''])}${encodeLoosely(anyText(random), random)}`
  })
  return pairs.join(random.pick(['&', '&&', ';']))
}

function drawHeaders(random: Random, type: string): Incoming['headers'] {
  const headers: Record<string, string> = {}
  for (const name of ['a', 'b', 'list', 'constructor', 'name']) {
    if (random.below(3) === 0) headers[name] = anyText(random)
  }
  if (random.below(8) > 0) headers['content-type'] = type
  if (random.below(2) === 0) headers.cookie = `a=${anyText(random)}; ${hostileText(random)}`
  if (random.below(2) === 0) {
    headers.authorization = `${random.pick(['Basic', 'bearer', 'DIGEST', ''])} ${anyText(random)}`
  }
  if (random.below(8) === 0) headers.prefer = `code=${anyText(random)}, ${hostileText(random)}`
  return headers
}

const BODIES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  json: ['{"a":1,"name":"x"}', '[1,2]', '5', 'null', '{"__proto__":{"a":1}}', '"a"'],
  form: ['a=1&name=x', 'a[b]=1&list=1&list=2', '__proto__=1', '%zz=%'],
  multipart: [
    '--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--b--\r\n',
    '--b\r\nContent-Disposition: form-data; name="a"; filename="x"\r\n\r\n\u0000\r\n--b--\r\n',
    '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{\r\n--b--\r\n',
    '--b\r\n\r\n\r\n--b--',
    '--b'
  ],
  xml: [
    '<node value="1"><name>x</name></node>',
    '<a><__proto__/></a>',
    '<a',
    '<a:b/>',
    '<a>&x;</a>'
  ],
  text: ['abc', '', '\u0000', '\ufeff']
}

function drawBody(random: Random): Uint8Array | undefined {
  const kind = random.below(8)
  if (kind === 0) return undefined
  if (kind === 1) return random.bytes(random.below(200))
  const bytes = Buffer.from(
    random.pick(BODIES[random.pick(['json', 'form', 'multipart', 'xml', 'text'])] ?? [''])
  )
  if (kind < 5 || bytes.length === 0) return bytes
  if (kind === 5) return bytes.subarray(0, random.below(bytes.length))
  bytes[random.below(bytes.length)] = random.below(256)
  return bytes
}

function drawType(random: Random, { types }: Drawn): string {
  const [first] = types
  const type = first !== undefined && random.below(3) > 0 ? first : random.pick(TYPES)
  if (type === 'multipart/form-data') return random.below(5) === 0 ? type : `${type}; boundary=b`
  return random.pick([
    type,
    type,
    `${type}; charset=${random.pick(['utf-8', 'utf-16le', 'x'])}`,
    ';;',
    '*/*'
  ])
}

const isAboutParameters = ({ location }: Diagnostic) =>
  Object.keys(STYLES).includes(location[0] ?? '')

type Outcome = 'clean' | 'refused' | 'unrouted' | 'bad preference'

async function play(
  incoming: Incoming,
  router: ReturnType<typeof createRouter>,
  check: ReturnType<typeof createRequestCheck>,
  isFitting = false
): Promise<Outcome> {
  try {
    const query = parseQuery(incoming.query)
    readPreferences(incoming.headers, query)
    const { pathValues } = router.route(incoming.method, incoming.path)
    const result = await check.check(incoming, pathValues, { query })
    JSON.stringify(result.values)
    if (isFitting) assert.deepEqual(result.diagnostics.filter(isAboutParameters), [])
    return result.diagnostics.length === 0 ? 'clean' : 'refused'
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    assert.ok(error.status < 500, `${error.code}: ${error.message}`)
    return error.code === 'UNPROCESSABLE_ENTITY' ? 'bad preference' : 'unrouted'
  }
}

test('random requests are answered or refused, never more', { timeout: LIMIT_MS }, async (t) => {
  const random = createRandom(20_261_115)
  const drawn = new Map<string, number>()
  const outcomes = new Map<Outcome, number>()
  for (let index = 0; index < OPERATIONS; index++) {
    const operation = drawOperation(random, drawn)
    const api = buildApi(operation.document)
    const [built] = api.operations
    assert.ok(built)
    const router = createRouter([{ api, label: 'drawn' }])
    const check = createRequestCheck(built, createSchemas(operation.document))
    for (let request = 0; request < REQUESTS_EACH; request++) {
      const hostile: Incoming = {
        method: random.below(20) === 0 ? 'BREW' : 'POST',
        path: drawPath(random, operation),
        query: drawQuery(random),
        headers: drawHeaders(random, drawType(random, operation)),
        body: drawBody(random)
      }
      const isFitting = request % 3 === 0
      const incoming = isFitting ? drawFitting(random, operation) : hostile
      const outcome = await play(incoming, router, check, isFitting).catch((error) => {
        const shown = {
          ...incoming,
          body: incoming.body && Buffer.from(incoming.body).toString('latin1')
        }
        throw new Error(`${JSON.stringify(operation.document.paths)} ${JSON.stringify(shown)}`, {
          cause: error
        })
      })
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(outcomes)))
  t.diagnostic(JSON.stringify(Object.fromEntries(drawn)))
  const total = OPERATIONS * REQUESTS_EACH
  for (const outcome of ['clean', 'refused', 'unrouted'] as const) {
    assert.ok((outcomes.get(outcome) ?? 0) > total / 50, `too few cases are ${outcome}`)
  }
  for (const place of Object.keys(STYLES) as (keyof typeof STYLES)[]) {
    for (const style of STYLES[place]) {
      assert.ok(
        (drawn.get(`${place} ${style}`) ?? 0) > OPERATIONS / 20,
        `too few ${place} ${style}`
      )
    }
  }
  for (const type of TYPES) assert.ok((drawn.get(`body ${type}`) ?? 0) > OPERATIONS / 20, type)
})

describe('large requests take no more than their size', () => {
  const SIZE = 1_000_000
  const long = (piece: string) => piece.repeat(Math.ceil(SIZE / piece.length))
  const anything = {
    type: 'object',
    properties: { a: { type: 'array' }, n: { $ref: '#/components/schemas/Node' } }
  }
  const bodies: [string, string, string][] = [
    ['brackets', 'application/json', long('[')],
    [
      'closed brackets',
      'application/json',
      long('[').slice(0, SIZE / 2) + long(']').slice(0, SIZE / 2)
    ],
    ['nodes', 'application/json', `${long('{"n":').slice(0, 500_000)}1`],
    ['ampersands', 'application/x-www-form-urlencoded', long('&')],
    ['fields', 'application/x-www-form-urlencoded', long('a=1&')],
    [
      'different fields',
      'application/x-www-form-urlencoded',
      Array.from({ length: 100_000 }, (_, n) => `f${n}=1`).join('&')
    ],
    ['deep fields', 'application/x-www-form-urlencoded', `n${long('[a]')}=1`],
    ['percent signs', 'application/x-www-form-urlencoded', `a=${long('%')}`],
    ['boundaries', 'multipart/form-data; boundary=b', long('--b\r\n')],
    [
      'parts',
      'multipart/form-data; boundary=b',
      `${long('--b\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n')}--b--`
    ],
    ['almost boundaries', 'multipart/form-data; boundary=b', long('\r\n--')],
    ['headers of a part', 'multipart/form-data; boundary=b', `--b\r\n${long('a: b\r\n')}`],
    ['open tags', 'application/xml', long('<a>')],
    ['siblings', 'application/xml', `<a>${long('<b/>')}</a>`],
    [
      'attributes',
      'application/xml',
      `<a ${Array.from({ length: 50_000 }, (_, n) => `x${n}="1"`).join(' ')}/>`
    ],
    ['entities', 'application/xml', `<a>${long('&lt;')}</a>`],
    ['angle brackets', 'application/xml', long('<')]
  ]
  const document: JsonObject = {
    openapi: '3.1.0',
    components: COMPONENTS,
    paths: {
      '/{p}-{q}-{r}.json': {
        post: {
          parameters: [
            { in: 'path', name: 'p', required: true, schema: { type: 'array', items: {} } },
            { in: 'query', name: 'a', style: 'deepObject', schema: { type: 'object' } },
            { in: 'header', name: 'a', schema: { type: 'array', items: { type: 'integer' } } }
          ],
          requestBody: {
            content: Object.fromEntries(TYPES.map((type) => [type, { schema: anything }]))
          }
        }
      }
    }
  }
  const api = buildApi(document)
  const router = createRouter([{ api, label: 'large' }])
  const [operation] = api.operations
  assert.ok(operation)
  const check = createRequestCheck(operation, createSchemas(document))
  const plain: Incoming = {
    method: 'POST',
    path: '/1-2-3.json',
    query: '',
    headers: {},
    body: undefined
  }

  for (const [name, type, body] of bodies) {
    test(`body: ${name}`, { timeout: 20_000 }, async () => {
      const headers = { 'content-type': type }
      await play({ ...plain, headers, body: Buffer.from(body) }, router, check)
    })
  }
  const rest: [string, Partial<Incoming>][] = [
    ['path of dashes', { path: `/${long('-')}` }],
    ['path of slashes', { path: long('/') }],
    ['path of commas', { path: `/${long(',')}-2-3.json` }],
    ['query of brackets', { query: `a${long('[')}` }],
    ['query of deep names', { query: `a${long('[x]')}=1` }],
    ['query of fields', { query: long('a[x]=1&') }],
    ['header of commas', { headers: { a: long(',') } }],
    [
      'content type of semicolons',
      { headers: { 'content-type': `a/b${long(';a')}` }, body: Buffer.from('x') }
    ],
    ['content type of letters', { headers: { 'content-type': long('a') }, body: Buffer.from('x') }],
    ['cookies', { headers: { cookie: long('a=b;') } }],
    ['preferences', { headers: { prefer: long('a="b", ') } }],
    ['basic token', { headers: { authorization: `Basic ${long('=')}` } }]
  ]
  for (const [name, part] of rest) {
    test(name, { timeout: 20_000 }, async () => {
      await play({ ...plain, ...part }, router, check)
    })
  }
})
