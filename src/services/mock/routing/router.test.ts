import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UserError } from '../../../kernel/errors.ts'
import { Problem } from '../contract.ts'
import type { JsonObject } from '../document/json.ts'
import { buildApi } from '../model/build.ts'
import type { BasePath, Mount } from './mount.ts'
import { createRouter, parseBasePath } from './router.ts'

/** `GET /pets` lines become operations, in that order. */
function apiOf(lines: readonly string[], more: JsonObject = {}) {
  const paths: Record<string, JsonObject> = {}
  for (const line of lines) {
    const [method = '', path = ''] = line.split(' ')
    paths[path] = { ...paths[path], [method.toLowerCase()]: { responses: {} } }
  }
  return buildApi({ openapi: '3.1.0', paths, ...more })
}

function mountOf(lines: readonly string[], more?: JsonObject, label = 'a.yaml'): Mount {
  return { api: apiOf(lines, more), label }
}

interface Outcome {
  to?: string
  values?: Record<string, string>
  basePath?: string
  problem?: string
  allow?: string
}

function play(
  mounts: readonly Mount[],
  request: string,
  basePath: BasePath = 'both',
  server?: string
): Outcome {
  const [method = '', path = ''] = request.split(' ')
  try {
    const match = createRouter(mounts, basePath).route(method, path, server)
    return {
      to: `${match.operation.method} ${match.operation.path}`,
      values: Object.fromEntries(match.pathValues),
      basePath: match.basePath
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { allow } = error.headers
    return { problem: error.code, ...(allow === undefined ? {} : { allow }) }
  }
}

function check(paths: readonly string[], request: string, expected: Outcome) {
  const outcome = play([mountOf(paths)], request)
  if (expected.basePath === undefined) delete outcome.basePath
  if (expected.to !== undefined) expected.values ??= {}
  assert.deepEqual(outcome, expected)
}

test('a query in a documented path is not part of the path', () => {
  const path = '/pets/{id}/age?unit={unit}&round=true'
  check([`GET ${path}`], 'GET /pets/7/age', { to: `GET ${path}`, values: { id: '7' } })
  check(['GET /pets/{which?}'], 'GET /pets/7', {
    to: 'GET /pets/{which?}',
    values: { 'which?': '7' }
  })
})

const PETS = ['GET /pets', 'GET /pets/{id}', 'DELETE /pets/{id}']

describe('one document', () => {
  const rows: [string, readonly string[], string, Outcome][] = [
    ['a literal path', PETS, 'GET /pets', { to: 'GET /pets' }],
    ['a parameter', PETS, 'GET /pets/5', { to: 'GET /pets/{id}', values: { id: '5' } }],
    ['a method in lower case', PETS, 'get /pets', { to: 'GET /pets' }],
    [
      'an empty parameter matches',
      PETS,
      'GET /pets/',
      { to: 'GET /pets/{id}', values: { id: '' } }
    ],
    ['another number of segments', PETS, 'GET /pets/5/6', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['another case', PETS, 'GET /Pets', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['a trailing slash', ['GET /tr'], 'GET /tr/', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['a documented trailing slash', ['GET /tr', 'GET /tr/'], 'GET /tr/', { to: 'GET /tr/' }],
    ['the root', ['GET /'], 'GET /', { to: 'GET /' }],
    [
      'another method, with the allowed ones',
      PETS,
      'PATCH /pets/5',
      { problem: 'NO_METHOD_MATCHED_ERROR', allow: 'DELETE, GET, HEAD' }
    ],
    ['HEAD for a GET', PETS, 'HEAD /pets', { to: 'GET /pets' }],
    ['a documented HEAD', ['HEAD /a', 'GET /a'], 'HEAD /a', { to: 'HEAD /a' }],
    ['a documented OPTIONS', ['OPTIONS /a'], 'OPTIONS /a', { to: 'OPTIONS /a' }],
    ['no method', PETS, 'BREW /pets', { problem: 'NO_METHOD_MATCHED_ERROR', allow: 'GET, HEAD' }],
    ['no operations at all', [], 'GET /', { problem: 'NO_RESOURCE_PROVIDED_ERROR' }],
    [
      'a parameter inside a segment',
      ['GET /c{x}d'],
      'GET /c5d',
      { to: 'GET /c{x}d', values: { x: '5' } }
    ],
    ['nothing before it', ['GET /c{x}d'], 'GET /zzc5d', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['nothing behind it', ['GET /c{x}d'], 'GET /c5dzz', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['overlapping texts', ['GET /aa{x}aa'], 'GET /aaa', { problem: 'NO_PATH_MATCHED_ERROR' }],
    [
      'a colon in front',
      ['GET /test:{rpc}'],
      'GET /test:run',
      { to: 'GET /test:{rpc}', values: { rpc: 'run' } }
    ],
    [
      'an ending',
      ['GET /{id}.json'],
      'GET /a.b.json',
      { to: 'GET /{id}.json', values: { id: 'a.b' } }
    ],
    [
      'several parameters, the first takes most',
      ['GET /{a}-{b}'],
      'GET /x-y-z',
      { to: 'GET /{a}-{b}', values: { a: 'x-y', b: 'z' } }
    ],
    [
      'three parameters',
      ['GET /{x},{y};{z}'],
      'GET /1,2;3',
      { to: 'GET /{x},{y};{z}', values: { x: '1', y: '2', z: '3' } }
    ],
    [
      'a literal path before a parameter, in any order',
      ['GET /a/mine', 'GET /a/{id}'],
      'GET /a/mine',
      { to: 'GET /a/mine' }
    ],
    [
      'more literal segments win',
      ['GET /a/b/{z}', 'GET /a/{y}/{z}'],
      'GET /a/b/c',
      { to: 'GET /a/b/{z}', values: { z: 'c' } }
    ],
    [
      'the later path wins a tie',
      ['GET /a/{x}', 'GET /{y}/b'],
      'GET /a/b',
      { to: 'GET /{y}/b', values: { y: 'a' } }
    ],
    [
      'the later path wins a tie, the other way round',
      ['GET /{y}/b', 'GET /a/{x}'],
      'GET /a/b',
      { to: 'GET /a/{x}', values: { x: 'b' } }
    ],
    [
      'the method decides between literal and parameter',
      ['GET /a/mine', 'DELETE /a/{id}'],
      'DELETE /a/mine',
      { to: 'DELETE /a/{id}', values: { id: 'mine' } }
    ],
    [
      'the allowed methods of all paths that fit',
      ['GET /a/mine', 'DELETE /a/{id}'],
      'PUT /a/mine',
      { problem: 'NO_METHOD_MATCHED_ERROR', allow: 'DELETE, GET, HEAD' }
    ],
    ['an encoded literal', ['GET /ä'], 'GET /%C3%A4', { to: 'GET /ä' }],
    ['a literal encoded in the document', ['GET /a%20b'], 'GET /a%20b', { to: 'GET /a%20b' }],
    [
      'an encoded slash is not a separator',
      ['GET /a/b'],
      'GET /a%2Fb',
      { problem: 'NO_PATH_MATCHED_ERROR' }
    ],
    [
      'a value stays encoded',
      PETS,
      'GET /pets/a%2Fb%2C',
      { to: 'GET /pets/{id}', values: { id: 'a%2Fb%2C' } }
    ],
    ['a bad encoding', PETS, 'GET /pets/%zz', { problem: 'MALFORMED_REQUEST' }],
    ['half a character', PETS, 'GET /pets/%c3', { problem: 'MALFORMED_REQUEST' }],
    ['two slashes', ['GET /x'], 'GET //x', { problem: 'NO_PATH_MATCHED_ERROR' }],
    [
      'two slashes and parameters',
      ['GET /{a}/{b}'],
      'GET //x',
      { to: 'GET /{a}/{b}', values: { a: '', b: 'x' } }
    ],
    ['no path', PETS, 'GET *', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['names of a prototype', PETS, 'GET /constructor', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['__proto__ as a path', ['GET /__proto__'], 'GET /__proto__', { to: 'GET /__proto__' }],
    ['toString as a segment', PETS, 'GET /toString/valueOf', { problem: 'NO_PATH_MATCHED_ERROR' }]
  ]
  for (const [proves, paths, request, expected] of rows) {
    test(proves, () => check(paths, request, expected))
  }

  test('a parameter called __proto__ has a value like any other', () => {
    const router = createRouter([mountOf(['GET /{__proto__}'])])
    assert.equal(router.route('GET', '/5').pathValues.get('__proto__'), '5')
  })
})

const V1 = { servers: [{ url: 'https://api.example.com/v1' }] }

describe('base path', () => {
  const rows: [string, JsonObject, readonly string[], BasePath, string, Outcome][] = [
    ['without it', V1, ['GET /a'], 'both', 'GET /a', { to: 'GET /a', basePath: '' }],
    ['with it', V1, ['GET /a'], 'both', 'GET /v1/a', { to: 'GET /a', basePath: '/v1' }],
    ['off', V1, ['GET /a'], 'off', 'GET /v1/a', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['only', V1, ['GET /a'], 'only', 'GET /v1/a', { to: 'GET /a', basePath: '/v1' }],
    ['only: not without', V1, ['GET /a'], 'only', 'GET /a', { problem: 'NO_PATH_MATCHED_ERROR' }],
    ['only, without servers', {}, ['GET /a'], 'only', 'GET /a', { to: 'GET /a', basePath: '' }],
    ['a given one', V1, ['GET /a'], '/api/x', 'GET /api/x/a', { to: 'GET /a', basePath: '/api/x' }],
    [
      'a given one: not v1',
      V1,
      ['GET /a'],
      '/x',
      'GET /v1/a',
      { problem: 'NO_PATH_MATCHED_ERROR' }
    ],
    [
      'the documented path wins',
      V1,
      ['GET /v1/a', 'GET /a'],
      'both',
      'GET /v1/a',
      { to: 'GET /v1/a', basePath: '' }
    ],
    [
      'the documented path wins even with parameters',
      V1,
      ['GET /{x}/{y}', 'GET /a'],
      'both',
      'GET /v1/a',
      { to: 'GET /{x}/{y}', values: { x: 'v1', y: 'a' }, basePath: '' }
    ],
    [
      'another method is looked for behind the base path',
      V1,
      ['GET /v1/a', 'POST /a'],
      'both',
      'POST /v1/a',
      { to: 'POST /a', basePath: '/v1' }
    ],
    [
      'every server counts, relative ones too',
      { servers: [{ url: '/' }, { url: 'v2/' }, { url: '//h/v3' }] },
      ['GET /a'],
      'both',
      'GET /v3/a',
      { to: 'GET /a', basePath: '/v3' }
    ],
    [
      'variables with listed values',
      {
        servers: [{ url: 'https://x/{v}', variables: { v: { default: 'v1', enum: ['v1', 'v2'] } } }]
      },
      ['GET /a'],
      'both',
      'GET /v2/a',
      { to: 'GET /a', basePath: '/v2' }
    ],
    [
      'variables without listed values have their default',
      { servers: [{ url: 'https://{h}:{p}/{v}', variables: { v: { default: 'v7' } } }] },
      ['GET /a'],
      'both',
      'GET /v7/a',
      { problem: 'NO_PATH_MATCHED_ERROR' }
    ],
    [
      'default of a variable in the path',
      { servers: [{ url: 'https://x/{v}', variables: { v: { default: 'v7/b' } } }] },
      ['GET /a'],
      'both',
      'GET /v7/b/a',
      { to: 'GET /a', basePath: '/v7/b' }
    ]
  ]
  for (const [proves, more, paths, basePath, request, expected] of rows) {
    test(proves, () => {
      if (expected.to !== undefined) expected.values ??= {}
      assert.deepEqual(play([mountOf(paths, more)], request, basePath), expected)
    })
  }

  test('the flag takes a word or a path', () => {
    assert.equal(parseBasePath('only'), 'only')
    assert.equal(parseBasePath('/v1/'), '/v1')
    assert.throws(() => parseBasePath('v1'), UserError)
    assert.throws(() => parseBasePath('/a?b'), UserError)
  })
})

describe('several documents', () => {
  const v1 = mountOf(['GET /a'], V1)
  const v2 = mountOf(['GET /a'], { servers: [{ url: '/v2' }] }, 'b.yaml')

  test('each responds at its base path', () => {
    const router = createRouter([v1, v2])
    assert.equal(router.route('GET', '/v1/a').mount, v1)
    assert.equal(router.route('GET', '/v2/a').mount, v2)
    assert.equal(play([v1, v2], 'GET /a').problem, 'NO_PATH_MATCHED_ERROR')
  })

  test('a name is a prefix, with and without the base path', () => {
    const named = { ...v2, name: 'pets' }
    const router = createRouter([v1, named])
    assert.equal(router.route('GET', '/pets/a').mount, named)
    assert.equal(router.route('GET', '/pets/v2/a').basePath, '/pets/v2')
  })

  test('two operations at one URL are a start error that names both', () => {
    const other = mountOf(['GET /{x}'], V1, 'b.yaml')
    const same = mountOf(['GET /{y}'], V1)
    assert.throws(
      () => createRouter([same, other]),
      (error: Error) =>
        error instanceof UserError &&
        /GET \/\{y\} of a\.yaml and GET \/\{x\} of b\.yaml/.test(error.message)
    )
  })

  test('a literal and a parameter do not collide', () => {
    const plain = mountOf(['GET /{x}'], {}, 'b.yaml')
    const literal = mountOf(['GET /a'])
    assert.equal(createRouter([literal, plain]).route('GET', '/a').mount, literal)
    assert.equal(createRouter([literal, plain]).route('GET', '/b').mount, plain)
  })
})

describe('__server', () => {
  const servers = [
    { url: 'https://api.example.com/v1' },
    {
      url: '{scheme}://{host}.example.com',
      variables: { scheme: { default: 'https', enum: ['http', 'https'] }, host: { default: 'x' } }
    }
  ]
  const rows: [string, JsonObject, string, Outcome][] = [
    ['the exact URL', { servers }, 'https://api.example.com/v1', { to: 'GET /a' }],
    ['a listed value and any string', { servers }, 'http://any.example.com', { to: 'GET /a' }],
    [
      'a value not listed',
      { servers },
      'ftp://any.example.com',
      { problem: 'NO_SERVER_MATCHED_ERROR' }
    ],
    [
      'only a part',
      { servers },
      'https://api.example.com/v',
      { problem: 'NO_SERVER_MATCHED_ERROR' }
    ],
    [
      'an undefined variable matches any string',
      { servers: [{ url: 'http://{x}/' }] },
      'http://q/',
      { to: 'GET /a' }
    ],
    [
      'no servers',
      {},
      'https://api.example.com',
      { problem: 'NO_SERVER_CONFIGURATION_PROVIDED_ERROR' }
    ]
  ]
  for (const [proves, more, server, expected] of rows) {
    test(proves, () => {
      const { to, problem } = play([mountOf(['GET /a'], more)], 'GET /a', 'both', server)
      assert.deepEqual(to === undefined ? { problem } : { to }, expected)
    })
  }

  test('path and method are checked before the server', () => {
    const mounts = [mountOf(['GET /a'])]
    assert.equal(play(mounts, 'GET /b', 'both', 'x').problem, 'NO_PATH_MATCHED_ERROR')
    assert.equal(play(mounts, 'PUT /a', 'both', 'x').problem, 'NO_METHOD_MATCHED_ERROR')
  })

  test('a literal path of a templated server beats a parameter of a concrete one', () => {
    const api = apiOf(['GET /a', 'GET /{x}'])
    const operations = api.operations.map((operation, index) => ({
      ...operation,
      servers: [
        index === 0
          ? { url: 'http://{h}', variables: new Map() }
          : { url: 'http://x', variables: new Map() }
      ]
    }))
    const mount = { api: { ...api, operations }, label: 'a.yaml' }
    assert.equal(play([mount], 'GET /a', 'both', 'http://x').to, 'GET /a')
    assert.equal(play([mount], 'GET /b', 'both', 'http://x').to, 'GET /{x}')
    assert.equal(play([mount], 'GET /b', 'both', 'http://y').problem, 'NO_SERVER_MATCHED_ERROR')
  })
})
