import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../document/json.ts'
import { buildApi } from '../model/build.ts'
import { createRouter } from '../routing/router.ts'
import { createSchemas } from '../schema/schemas.ts'
import { createRequestCheck } from './check.ts'

const integer = { type: 'integer' }
const text = { type: 'string' }
const integers = { type: 'array', items: integer }
const texts = { type: 'array', items: text }
const color = {
  type: 'object',
  properties: { R: integer, G: integer, name: text },
  additionalProperties: false
}

interface Sent {
  path?: string
  query?: string
  header?: string
  cookie?: string
}

/** One parameter called `Color`, sent as given; what was read, or what was wrong with it. */
async function play(parameter: JsonObject, sent: Sent): Promise<unknown> {
  const place = String(parameter.in)
  const path = place === 'path' ? '/a/{Color}' : '/a/x'
  const document: JsonObject = {
    openapi: '3.1.0',
    paths: { [path]: { get: { parameters: [{ name: 'Color', ...parameter }], responses: {} } } },
    components: { schemas: { Integers: integers } }
  }
  const api = buildApi(document)
  const match = createRouter([{ api, label: 'a' }]).route('GET', `/a/${sent.path ?? 'x'}`)
  const { check } = createRequestCheck(match.operation, createSchemas(document))
  const headers = {
    ...(sent.header === undefined ? {} : { color: sent.header }),
    ...(sent.cookie === undefined ? {} : { cookie: sent.cookie })
  }
  const incoming = { method: 'GET', path: '', query: sent.query ?? '', headers, body: undefined }
  const { diagnostics, values } = await check(incoming, match.pathValues)
  const errors = diagnostics.filter(({ severity }) => severity === 'Error')
  if (errors.length > 0) return errors.map(({ code }) => code)
  const read = values[place as 'path' | 'query' | 'header' | 'cookie'].color
  return read === undefined ? 'absent' : JSON.parse(JSON.stringify(read))
}

type Row = [proves: string, parameter: JsonObject, sent: Sent, expected: unknown]

const PATH: Row[] = [
  ['simple', { schema: integer }, { path: '5' }, 5],
  ['simple, no number', { schema: integer }, { path: 'five' }, ['type']],
  ['simple, empty', { schema: text }, { path: '' }, ['required']],
  ['simple, decoded', { schema: text }, { path: 'a%20b%2F' }, 'a b/'],
  ['simple list', { schema: integers }, { path: '1,2,3' }, [1, 2, 3]],
  ['simple list of one', { schema: integers }, { path: '1' }, [1]],
  ['simple list, bad item', { schema: integers }, { path: '1,x' }, ['type']],
  ['simple list, encoded comma inside', { schema: texts }, { path: 'a%2Cb,c' }, ['a,b', 'c']],
  ['simple list, all commas encoded', { schema: texts }, { path: 'a%2Cb' }, ['a', 'b']],
  [
    'list behind a reference',
    { schema: { $ref: '#/components/schemas/Integers' } },
    { path: '1,2' },
    [1, 2]
  ],
  ['simple object', { schema: color }, { path: 'R,100,G,200' }, { R: 100, G: 200 }],
  ['simple object, odd', { schema: color }, { path: 'R,100,G' }, ['style']],
  ['simple object, unknown member', { schema: color }, { path: 'X,1' }, ['additionalProperties']],
  [
    'simple object, exploded',
    { schema: color, explode: true },
    { path: 'R=100,G=200' },
    { R: 100, G: 200 }
  ],
  [
    'simple object, exploded, no pairs',
    { schema: color, explode: true },
    { path: 'R,100' },
    ['style']
  ],
  [
    'spaces of version 2',
    { schema: integers, 'x-nonet-delimiter': ' ' },
    { path: '1%202' },
    [1, 2]
  ],
  ['pipes of version 2', { schema: integers, 'x-nonet-delimiter': '|' }, { path: '1|2' }, [1, 2]],
  ['tabs of version 2', { schema: integers, 'x-nonet-delimiter': '\t' }, { path: '1%092' }, [1, 2]],
  ['label', { schema: integer, style: 'label' }, { path: '.5' }, 5],
  ['label without dot', { schema: integer, style: 'label' }, { path: '5' }, ['style']],
  ['label, empty', { schema: integer, style: 'label' }, { path: '' }, ['required']],
  ['label, only a dot', { schema: integer, style: 'label' }, { path: '.' }, ['required']],
  ['label with a fraction', { schema: { type: 'number' }, style: 'label' }, { path: '.1.5' }, 1.5],
  ['label list', { schema: integers, style: 'label' }, { path: '.1,2' }, [1, 2]],
  ['label list by dots', { schema: integers, style: 'label' }, { path: '.1.2' }, [1, 2]],
  [
    'label list, exploded',
    { schema: integers, style: 'label', explode: true },
    { path: '.1.2' },
    [1, 2]
  ],
  ['label object', { schema: color, style: 'label' }, { path: '.R,1,G,2' }, { R: 1, G: 2 }],
  [
    'label object, exploded',
    { schema: color, style: 'label', explode: true },
    { path: '.R=1.G=2' },
    { R: 1, G: 2 }
  ],
  ['matrix', { schema: integer, style: 'matrix' }, { path: ';color=5' }, 5],
  ['matrix in capitals', { schema: integer, style: 'matrix' }, { path: ';Color=5' }, 5],
  ['matrix without semicolon', { schema: integer, style: 'matrix' }, { path: '5' }, ['style']],
  ['matrix of another name', { schema: integer, style: 'matrix' }, { path: ';x=5' }, ['style']],
  ['matrix, empty value', { schema: text, style: 'matrix' }, { path: ';color' }, ['required']],
  [
    'matrix given twice',
    { schema: integer, style: 'matrix' },
    { path: ';color=1;color=2' },
    ['style']
  ],
  ['matrix list', { schema: integers, style: 'matrix' }, { path: ';color=1,2' }, [1, 2]],
  [
    'matrix list, exploded',
    { schema: integers, style: 'matrix', explode: true },
    { path: ';color=1;color=2' },
    [1, 2]
  ],
  ['matrix object', { schema: color, style: 'matrix' }, { path: ';color=R,1,G,2' }, { R: 1, G: 2 }],
  [
    'matrix object, exploded',
    { schema: color, style: 'matrix', explode: true },
    { path: ';R=1;G=2' },
    { R: 1, G: 2 }
  ],
  ['content', { content: { 'application/json': { schema: integers } } }, { path: '[1,2]' }, [1, 2]],
  [
    'content that is no JSON',
    { content: { 'application/json': { schema: integers } } },
    { path: '[1' },
    ['style']
  ],
  [
    'content is not coerced',
    { content: { 'application/json': { schema: integers } } },
    { path: '["1"]' },
    ['type']
  ]
]

const QUERY: Row[] = [
  ['form', { schema: integer }, { query: 'color=5' }, 5],
  ['another case', { schema: integer }, { query: 'COLOR=5' }, 5],
  ['absent', { schema: integer }, { query: 'x=1' }, 'absent'],
  ['absent but required', { schema: integer, required: true }, { query: '' }, ['required']],
  ['empty counts as absent', { schema: integer }, { query: 'color=' }, 'absent'],
  ['empty but required', { schema: text, required: true }, { query: 'color=' }, ['required']],
  ['a plus is a space', { schema: text }, { query: 'color=a+b%2B' }, 'a b+'],
  ['a bad encoding stays', { schema: text }, { query: 'color=%zz' }, '%zz'],
  ['boolean', { schema: { type: 'boolean' } }, { query: 'color=true' }, true],
  ['no boolean', { schema: { type: 'boolean' } }, { query: 'color=yes' }, ['type']],
  ['a number in another form', { schema: { type: 'number' } }, { query: 'color=1e3' }, 1000],
  ['text stays text', { schema: text }, { query: 'color=5' }, '5'],
  ['too large', { schema: { type: 'integer', maximum: 4 } }, { query: 'color=5' }, ['maximum']],
  [
    'not in the list',
    { schema: { type: 'string', enum: ['a', 'b'] } },
    { query: 'color=c' },
    ['enum']
  ],
  ['numbers of an enum', { schema: { enum: [1, 2] } }, { query: 'color=2' }, 2],
  ['sent twice', { schema: integer }, { query: 'color=1&color=2' }, ['type']],
  ['exploded list', { schema: integers }, { query: 'color=1&color=2' }, [1, 2]],
  ['exploded list of one', { schema: integers }, { query: 'color=1' }, [1]],
  ['exploded list is not split', { schema: texts }, { query: 'color=a,b' }, ['a,b']],
  ['joined list', { schema: integers, explode: false }, { query: 'color=1,2' }, [1, 2]],
  [
    'joined list, the last counts',
    { schema: integers, explode: false },
    { query: 'color=1&color=2,3' },
    [2, 3]
  ],
  ['joined list, encoded', { schema: integers, explode: false }, { query: 'color=1%2C2' }, [1, 2]],
  [
    'text or list: a text',
    { schema: { type: ['string', 'array'], items: text }, explode: false },
    { query: 'color=a' },
    'a'
  ],
  [
    'text or list: a list',
    { schema: { type: ['string', 'array'], items: text }, explode: false },
    { query: 'color=a,b' },
    ['a', 'b']
  ],
  ['exploded object', { schema: color }, { query: 'R=1&g=2&other=3' }, { R: 1, G: 2 }],
  ['exploded object, absent', { schema: color }, { query: 'other=3' }, 'absent'],
  ['exploded object as JSON', { schema: color }, { query: 'color=%7B%22R%22%3A1%7D' }, { R: 1 }],
  [
    'exploded open object',
    { schema: { type: 'object', additionalProperties: integer } },
    { query: 'a=1&__code=200' },
    { a: 1 }
  ],
  ['joined object', { schema: color, explode: false }, { query: 'color=R,1,G,2' }, { R: 1, G: 2 }],
  ['joined object, odd', { schema: color, explode: false }, { query: 'color=R' }, ['style']],
  [
    'by spaces',
    { schema: integers, style: 'spaceDelimited' },
    { query: 'color=1%202+3' },
    [1, 2, 3]
  ],
  [
    'by spaces, repeated',
    { schema: integers, style: 'spaceDelimited', explode: true },
    { query: 'color=1&color=2' },
    [1, 2]
  ],
  ['by pipes', { schema: integers, style: 'pipeDelimited' }, { query: 'color=1|2' }, [1, 2]],
  [
    'by pipes, encoded',
    { schema: integers, style: 'pipeDelimited' },
    { query: 'color=1%7C2' },
    [1, 2]
  ],
  [
    'by tabs',
    { schema: integers, explode: false, 'x-nonet-delimiter': '\t' },
    { query: 'color=1%092' },
    [1, 2]
  ],
  [
    'deep',
    { schema: color, style: 'deepObject' },
    { query: 'color[R]=1&color[G]=2' },
    { R: 1, G: 2 }
  ],
  [
    'deep, encoded brackets',
    { schema: color, style: 'deepObject' },
    { query: 'Color%5BR%5D=1' },
    { R: 1 }
  ],
  [
    'deep, unknown member',
    { schema: color, style: 'deepObject' },
    { query: 'color[X]=1' },
    ['additionalProperties']
  ],
  ['deep, bad brackets', { schema: color, style: 'deepObject' }, { query: 'color[R=1' }, ['style']],
  ['deep, absent', { schema: color, style: 'deepObject' }, { query: 'color=1' }, 'absent'],
  [
    'deep, nested',
    {
      schema: { type: 'object', properties: { a: { type: 'object', properties: { b: integer } } } },
      style: 'deepObject'
    },
    { query: 'color[a][b]=1' },
    { a: { b: 1 } }
  ],
  [
    'deep, a list inside',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][1]=2&color[a][0]=1' },
    { a: [1, 2] }
  ],
  [
    'deep, a list by empty brackets',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][]=1&color[a][]=2' },
    { a: [1, 2] }
  ],
  [
    'deep, a huge index',
    { schema: { type: 'object', properties: { a: integers } }, style: 'deepObject' },
    { query: 'color[a][999999999]=1' },
    { a: [1] }
  ],
  [
    'deep without end',
    { schema: color, style: 'deepObject' },
    { query: `color${'[a]'.repeat(5000)}=1` },
    ['style']
  ],
  [
    'content',
    { content: { 'application/json': { schema: color } } },
    { query: 'color=%7B%22R%22%3A1%7D' },
    { R: 1 }
  ],
  [
    'content that is no JSON',
    { content: { 'application/json': { schema: color } } },
    { query: 'color=%7B' },
    ['style']
  ],
  [
    'content, required',
    { content: { 'application/json': {} }, required: true },
    { query: '' },
    ['required']
  ],
  [
    'content that is a text',
    { content: { 'text/plain': { schema: { maxLength: 2 } } } },
    { query: 'color=abc' },
    ['maxLength']
  ]
]

const HEADER: Row[] = [
  ['simple', { schema: integer }, { header: '5' }, 5],
  ['required', { schema: integer, required: true }, {}, ['required']],
  ['list', { schema: integers }, { header: '1, 2,3' }, [1, 2, 3]],
  ['object', { schema: color }, { header: 'R,1,G,2' }, { R: 1, G: 2 }],
  ['object, exploded', { schema: color, explode: true }, { header: 'R=1,G=2' }, { R: 1, G: 2 }],
  ['percent signs mean themselves', { schema: text }, { header: 'a%20b' }, 'a%20b'],
  [
    'content',
    { content: { 'application/json': { schema: color } } },
    { header: '{"R":1}' },
    { R: 1 }
  ]
]

const COOKIE: Row[] = [
  ['form', { schema: integer }, { cookie: 'a=b; color=5' }, 5],
  ['bad value', { schema: integer }, { cookie: 'color=x' }, ['type']],
  ['required', { schema: integer, required: true }, { cookie: 'a=b' }, ['required']],
  ['no cookies at all', { schema: integer, required: true }, {}, ['required']],
  ['quotes', { schema: text }, { cookie: 'color="a"' }, 'a'],
  ['exploded list', { schema: integers }, { cookie: 'color=1; color=2' }, [1, 2]],
  ['joined list', { schema: integers, explode: false }, { cookie: 'color=1,2' }, [1, 2]],
  ['joined object', { schema: color, explode: false }, { cookie: 'color=R,1,G,2' }, { R: 1, G: 2 }],
  ['exploded object', { schema: color }, { cookie: 'R=1; G=2' }, { R: 1, G: 2 }],
  ['a plus is a plus', { schema: texts, explode: false }, { cookie: 'color=a+b,c' }, ['a+b', 'c']]
]

for (const [place, rows] of Object.entries({
  path: PATH,
  query: QUERY,
  header: HEADER,
  cookie: COOKIE
})) {
  describe(place, () => {
    for (const [proves, parameter, sent, expected] of rows) {
      test(proves, async () => {
        const required = place === 'path' ? { required: true } : {}
        assert.deepEqual(await play({ in: place, ...required, ...parameter }, sent), expected)
      })
    }
  })
}

async function findings(parameters: Json[], query: string) {
  const document: JsonObject = { openapi: '3.1.0', paths: { '/a': { get: { parameters } } } }
  const [operation] = buildApi(document).operations
  assert.ok(operation)
  const { check } = createRequestCheck(operation, createSchemas(document))
  const incoming = { method: 'GET', path: '/a', query, headers: {}, body: undefined }
  return (await check(incoming, new Map())).diagnostics
}

test('findings have the location, code and words that clients know', async () => {
  const parameters = [
    { in: 'query', name: 'Limit', schema: { type: 'integer' } },
    { in: 'query', name: 'sort', schema: { enum: ['a', 'b'] } },
    { in: 'query', name: 'q', required: true, schema: {} },
    { in: 'query', name: 'old', deprecated: true, schema: {} },
    { in: 'query', name: 'list', schema: { type: 'array', items: { type: 'integer' } } }
  ]
  const error = { severity: 'Error' }
  assert.deepEqual(await findings(parameters, 'LIMIT=x&sort=c&old=1&list=1&list=x'), [
    {
      location: ['query', 'old'],
      severity: 'Warning',
      code: 'deprecated',
      message: 'Query param old is deprecated'
    },
    {
      location: ['query'],
      ...error,
      code: 'required',
      message: "Request query must have required property 'q'"
    },
    {
      location: ['query', 'limit'],
      ...error,
      code: 'type',
      message: 'Request query parameter limit must be integer'
    },
    {
      location: ['query', 'sort'],
      ...error,
      code: 'enum',
      message: 'Request query parameter sort must be equal to one of the allowed values: a, b'
    },
    {
      location: ['query', 'list', '1'],
      ...error,
      code: 'type',
      message: 'Request query parameter list.1 must be integer'
    }
  ])
})

test('a deprecated parameter that is not sent is not mentioned', async () => {
  assert.deepEqual(await findings([{ in: 'query', name: 'old', deprecated: true }], ''), [])
})

test('names of a prototype are names like any other', async () => {
  const parameters = ['constructor', '__proto__', 'toString'].map((name) => ({
    in: 'query',
    name,
    required: true,
    schema: { type: 'integer' }
  }))
  assert.deepEqual(await findings(parameters, 'constructor=1&__proto__=2&tostring=3'), [])
  const missing = await findings(parameters, '')
  assert.deepEqual(
    missing.map(({ code }) => code),
    ['required', 'required', 'required']
  )
})

test('a schema that cannot be used leaves its neighbours checked', async () => {
  const parameters = [
    { in: 'query', name: 'bad', schema: { $ref: '#/components/schemas/Nowhere' } },
    { in: 'query', name: 'n', schema: { type: 'integer' } }
  ]
  const found = await findings(parameters, 'bad=1&n=x')
  assert.deepEqual(
    found.map(({ location }) => location),
    [['query', 'n']]
  )
})
