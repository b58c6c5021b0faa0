/** I-4: what the seed shows, and what clients of the public service rely on. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { contract, type Expected, type Row, type Sent } from '../support/contract.ts'

const subject = { service: 'scenarios' } as const
const JSON_BODY = { 'content-type': 'application/json' }
const FORM_BODY = { 'content-type': 'application/x-www-form-urlencoded' }
const TIME = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`

function post(path: string, body: string, headers: Record<string, string> = JSON_BODY): Sent {
  return { method: 'POST', path, headers, body }
}

const TOO_LARGE = `{"email":"eve.holt@reqres.in","password":"${'x'.repeat(2 * 1024 * 1024)}"}`

/** What goes wrong with a login or register, in every form a body can have. */
const REFUSED: { body: string; headers?: Record<string, string>; error: string; code: string }[] = [
  { body: '', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '{}', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '[]', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '3', error: 'Missing email or username', code: 'missing_identifier' },
  { body: 'null', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '"eve.holt@reqres.in"', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '{"email":""}', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '{"password":"x"}', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '{"email":{}}', error: 'Missing email or username', code: 'missing_identifier' },
  { body: '{"email":"eve.holt@reqres.in"}', error: 'Missing password', code: 'missing_password' },
  { body: '{"username":"sydney@fife"}', error: 'Missing password', code: 'missing_password' },
  { body: '{"email":"a@b","password":""}', error: 'Missing password', code: 'missing_password' },
  { body: '{"email":"eve.holt@', error: 'Invalid JSON', code: 'invalid_json' },
  { body: '{"email" "x"}', error: 'Invalid JSON', code: 'invalid_json' },
  {
    body: `${'['.repeat(500)}${']'.repeat(500)}`,
    error: 'JSON nested too deeply',
    code: 'json_too_deep'
  },
  { body: TOO_LARGE, error: 'Body too large', code: 'body_too_large' },
  {
    body: 'email=eve.holt%40reqres.in',
    headers: FORM_BODY,
    error: 'Missing password',
    code: 'missing_password'
  },
  { body: 'x', headers: FORM_BODY, error: 'Missing email or username', code: 'missing_identifier' },
  {
    body: '{"email":"eve.holt@reqres.in","password":"x"}',
    headers: { 'content-type': 'text/plain' },
    error: 'Missing email or username',
    code: 'missing_identifier'
  },
  {
    body: '<email>eve.holt@reqres.in</email>',
    headers: { 'content-type': 'application/xml' },
    error: 'Missing email or username',
    code: 'missing_identifier'
  }
]

const SUCCESS: { proves: string; send: Sent; json: unknown }[] = [
  {
    proves: 'a successful login carries a token of the sample user',
    send: post('/api/login', '{"email":"eve.holt@reqres.in","password":"cityslicka"}'),
    json: { token: 'QpwL5tke4Pnpja7X4' }
  },
  {
    proves: 'a successful register carries a token of the sample user',
    send: post('/api/register', '{"email":"eve.holt@reqres.in","password":"pistol"}'),
    json: { id: 4, token: 'QpwL5tke4Pnpja7X4' }
  },
  {
    proves: 'another user has another token',
    send: post('/api/login', '{"email":"rachel.howell@reqres.in","password":"x"}'),
    json: { token: 'QpwL5tke4Pnpja7X12' }
  }
]

contract('I-4, what the seed shows', subject, [
  ...SUCCESS.map(({ proves, send, json }) => ({ proves, send, expect: { status: 200, json } })),
  {
    proves: 'an unsuccessful login is 403',
    send: post('/api/login', '{"email":"peter@klaven","password":"x"}'),
    expect: { status: 403, text: '{"error":"user not found"}' }
  },
  {
    proves: 'an unsuccessful register is 403',
    send: post('/api/register', '{"email":"sydney@fife","password":"x"}'),
    expect: { status: 403, text: '{"error":"Note: Only defined users succeed registration"}' }
  },
  ...['login', 'register'].flatMap((path): Row[] =>
    REFUSED.map(({ body, headers = JSON_BODY, error, code }) => ({
      proves: `${path} is 403 for ${headers['content-type']} ${body.slice(0, 50)}`,
      send: post(`/api/${path}`, body, headers),
      expect: {
        status: 403,
        type: 'application/json; charset=utf-8',
        text: JSON.stringify({ error }),
        headers: { 'x-error-code': code, 'access-control-allow-origin': '*' }
      }
    }))
  ),
  {
    proves: 'a scenario nobody knows is no exception',
    send: post('/api/login?scenario=nonsense', '{"email":"eve.holt@reqres.in","password":"x"}'),
    expect: { status: 403, text: /^\{"error":"Unknown scenario"/ }
  },
  {
    proves: 'a workspace that cannot be named is no exception',
    send: {
      ...post('/api/register', '{"email":"eve.holt@reqres.in","password":"x"}'),
      headers: { ...JSON_BODY, 'x-workspace': 'a b' }
    },
    expect: { status: 403, headers: { 'x-error-code': 'invalid_workspace' } }
  }
])

const NAMES =
  'George Bluth,Janet Weaver,Emma Wong,Eve Holt,Charles Morris,Tracey Ramos,Michael Lawson,' +
  'Lindsay Ferguson,Tobias Funke,Byron Fields,George Edwards,Rachel Howell'

contract(
  'I-4, the twelve sample users',
  subject,
  NAMES.split(',').flatMap((name, index): Row[] => {
    const [first_name = '', last_name = ''] = name.split(' ')
    const id = index + 1
    const email = `${first_name}.${last_name}@reqres.in`.toLowerCase()
    const token = `QpwL5tke4Pnpja7X${id}`
    return [
      {
        proves: `${name} is number ${id}`,
        send: { path: `/api/users/${id}` },
        expect: {
          status: 200,
          check(answer) {
            const { avatar: _, ...user } = JSON.parse(answer.text).data
            assert.deepEqual(user, { id, email, first_name, last_name })
          }
        }
      },
      {
        proves: `${name} logs in with any password`,
        send: post('/api/login', JSON.stringify({ email, password: `any ${id}` })),
        expect: { status: 200, json: { token } }
      },
      {
        proves: `the token of ${name} says who it is`,
        send: { path: '/api/me', headers: { authorization: `Bearer ${token}` } },
        expect: {
          status: 200,
          check(answer) {
            const { data } = JSON.parse(answer.text)
            const role = id === 1 ? 'admin' : id <= 3 ? 'editor' : 'user'
            assert.deepEqual([data.id, data.email, data.role], [id, email, role])
          }
        }
      }
    ]
  })
)

const COLOURS =
  'cerulean #98B2D1 15-4020,fuchsia rose #C74375 17-2031,true red #BF1932 19-1664,' +
  'aqua sky #7BC4C4 14-4811,tigerlily #E2583E 17-1456,blue turquoise #53B0AE 15-5217,' +
  'sand dollar #DECDBE 13-1106,chili pepper #9B1B30 19-1557,blue iris #5A5B9F 18-3943,' +
  'mimosa #F0C05A 14-0848,turquoise #45B5AA 15-5519,honeysuckle #D94F70 18-2120'

contract('I-4, the twelve colours', subject, [
  {
    proves: 'each has its name, year and numbers',
    send: { path: '/api/unknown?per_page=12' },
    expect: {
      status: 200,
      check(answer) {
        const wanted = COLOURS.split(',').map((line, index) => {
          const [, name, color, pantone_value] = /^(.+) (#\w+) (\S+)$/.exec(line) ?? []
          return { id: index + 1, name, year: 2000 + index, color, pantone_value }
        })
        assert.deepEqual(JSON.parse(answer.text).data, wanted)
      }
    }
  }
])

const GEORGE = '"id":1,"email":"george.bluth@reqres.in","first_name":"George","last_name":"Bluth"'

function listOf(answer: { text: string }) {
  return JSON.parse(answer.text)
}

/** `page`, `per_page`, `total_pages`, ids. */
function page(path: string, wanted: [number, number, number, number[]]): Row {
  return {
    proves: `GET ${path}`,
    send: { path },
    expect: {
      status: 200,
      check(answer) {
        const list = listOf(answer)
        const keys = ['page', 'per_page', 'total', 'total_pages', 'data', 'support']
        assert.deepEqual(Object.keys(list), keys)
        assert.deepEqual(Object.keys(list.support), ['url', 'text'])
        const ids = list.data.map(({ id }: { id: number }) => id)
        assert.deepEqual([list.page, list.per_page, list.total_pages, ids], wanted)
        assert.equal(list.total, 12)
      }
    }
  }
}

const SIX = [1, 2, 3, 4, 5, 6]
const OTHER_SIX = [7, 8, 9, 10, 11, 12]
const ALL = [...SIX, ...OTHER_SIX]

contract('I-4, lists of the public service', subject, [
  page('/api/users', [1, 6, 2, SIX]),
  page('/api/users/', [1, 6, 2, SIX]),
  page('/api/users?page=2', [2, 6, 2, OTHER_SIX]),
  page('/api/users?page=100', [100, 6, 2, []]),
  page('/api/users?page=0', [1, 6, 2, SIX]),
  page('/api/users?page=-1', [1, 6, 2, SIX]),
  page('/api/users?page=x', [1, 6, 2, SIX]),
  page('/api/users?page=1.5', [1, 6, 2, SIX]),
  page('/api/users?per_page=12', [1, 12, 1, ALL]),
  page('/api/users?per_page=5&page=3', [3, 5, 3, [11, 12]]),
  page('/api/users?per_page=0', [1, 6, 2, SIX]),
  page('/api/users?per_page=many', [1, 6, 2, SIX]),
  page('/api/users?per_page=1000', [1, 100, 1, ALL]),
  page('/api/unknown', [1, 6, 2, SIX]),
  page('/api/products?page=2', [2, 6, 2, OTHER_SIX]),
  page('/api/login', [1, 6, 2, SIX])
])

function same(proves: string, send: Sent, expect: Expected): Row {
  return { proves, send, expect }
}

const IDS_TO_CHANGE = ['/api/users/2', '/api/users/999', '/api/unknown/404', '/api/users/2/']
const COLLECTIONS = ['/api/users', '/api/unknown', '/api/users/']

contract('I-4, records and writes of the public service', subject, [
  same(
    'a user has these keys in this order',
    { path: '/api/users/1' },
    {
      status: 200,
      type: 'application/json; charset=utf-8',
      text: new RegExp(
        `^{"data":{${GEORGE},"avatar":"http://[^"]+/img/faces/1-image.jpg"},"support":{"url":"[^"]+","text":"[^"]+"}}$`
      ),
      headers: { 'access-control-allow-origin': '*', etag: /^W\/"/, 'x-powered-by': null }
    }
  ),
  same(
    'an avatar has the number of its user and our host',
    { path: '/api/users?per_page=12' },
    {
      status: 200,
      check(answer) {
        for (const user of listOf(answer).data) {
          assert.match(
            user.avatar,
            new RegExp(`^http://127.0.0.1:\\d+/img/faces/${user.id}-image.jpg$`)
          )
          assert.match(user.email, /@reqres\.in$/)
        }
      }
    }
  ),
  same(
    'every other name is the list of colours',
    { path: '/api/unknown/2' },
    {
      status: 200,
      text: /^\{"data":\{"id":2,"name":"fuchsia rose","year":2001,"color":"#C74375","pantone_value":"17-2031"\},"support":\{/
    }
  ),
  same('an unknown user is 404 {}', { path: '/api/users/23' }, { status: 404, text: '{}' }),
  same('an unknown colour is 404 {}', { path: '/api/unknown/23' }, { status: 404, text: '{}' }),
  same('what is no number is 404 {}', { path: '/api/users/2x' }, { status: 404, text: '{}' }),
  same('a deeper path is 404 {}', { path: '/api/users/2/posts' }, { status: 404, text: '{}' }),
  same(
    'create echoes, then id and createdAt',
    post('/api/users', '{"name":"morpheus","job":"leader"}'),
    {
      status: 201,
      text: new RegExp(
        `^{"name":"morpheus","job":"leader","id":"[1-9]\\d{0,2}","createdAt":"${TIME}"}$`
      )
    }
  ),
  same(
    'create takes a form',
    post('/api/users', 'name=morpheus&job=team+leader&tag=a&tag=b', FORM_BODY),
    {
      status: 201,
      text: new RegExp(
        `^{"name":"morpheus","job":"team leader","tag":\\["a","b"\\],"id":"\\d+","createdAt":"${TIME}"}$`
      )
    }
  ),
  same(
    'create of a text has only id and createdAt',
    post('/api/users', 'hello', { 'content-type': 'text/plain' }),
    {
      status: 201,
      text: new RegExp(`^{"id":"\\d+","createdAt":"${TIME}"}$`)
    }
  ),
  same(
    'create of nothing too',
    { method: 'POST', path: '/api/users' },
    {
      status: 201,
      text: new RegExp(`^{"id":"\\d+","createdAt":"${TIME}"}$`)
    }
  ),
  same('a caller does not choose the id', post('/api/users', '{"id":7,"a":1}'), {
    status: 201,
    text: new RegExp(`^{"a":1,"id":"\\d+","createdAt":"${TIME}"}$`)
  }),
  same('malformed JSON is 400', post('/api/users', '{"a"'), {
    status: 400,
    text: '{"error":"Invalid JSON"}'
  }),
  same('POST to a user is a create', post('/api/users/2', '{"a":1}'), {
    status: 201,
    text: /^\{"a":1,"id":"/
  }),
  same('POST to any resource is a create', post('/api/products', '{"a":1}'), {
    status: 201,
    text: /^\{"a":1,"id":"/
  }),
  ...['PUT', 'PATCH'].flatMap((method) =>
    [...IDS_TO_CHANGE, ...COLLECTIONS].map((path) =>
      same(
        `${method} ${path} echoes, then updatedAt, without id`,
        { ...post(path, '{"name":"morpheus","job":"zion resident"}'), method },
        {
          status: 200,
          text: new RegExp(`^{"name":"morpheus","job":"zion resident","updatedAt":"${TIME}"}$`)
        }
      )
    )
  ),
  ...['/api/users/2', '/api/users/2', '/api/users/999', ...COLLECTIONS].map((path) =>
    same(`DELETE ${path} is 204 and empty`, { method: 'DELETE', path }, { status: 204, text: '' })
  ),
  same('what was deleted is still there', { path: '/api/users/2' }, { status: 200 }),
  page('/api/users?per_page=12', [1, 12, 1, ALL]),
  same('logout is {}', { method: 'POST', path: '/api/logout' }, { status: 200, text: '{}' }),
  same(
    'an API key is ignored',
    { path: '/api/users/2', headers: { 'x-api-key': 'reqres-free-v1' } },
    { status: 200 }
  ),
  same(
    'a trailing slash is fine',
    post('/api/login/', '{"email":"eve.holt@reqres.in","password":"x"}'),
    {
      status: 200,
      text: '{"token":"QpwL5tke4Pnpja7X4"}'
    }
  ),
  same('a form logs in', post('/api/login', 'email=eve.holt%40reqres.in&password=x', FORM_BODY), {
    status: 200,
    text: '{"token":"QpwL5tke4Pnpja7X4"}'
  }),
  same(
    'username will do',
    post('/api/login', '{"username":"janet.weaver@reqres.in","password":"x"}'),
    {
      status: 200,
      text: '{"token":"QpwL5tke4Pnpja7X2"}'
    }
  ),
  same(
    'case and space around the address do not count',
    post('/api/login', '{"email":" Eve.Holt@REQRES.in ","password":"x"}'),
    {
      status: 200,
      text: '{"token":"QpwL5tke4Pnpja7X4"}'
    }
  ),
  same(
    'other fields are ignored',
    post('/api/register', '{"email":"eve.holt@reqres.in","password":"x","age":3}'),
    {
      status: 200,
      text: '{"id":4,"token":"QpwL5tke4Pnpja7X4"}'
    }
  ),
  same(
    'auth-status:400 brings the original back',
    post('/api/login?scenario=auth-status:400', '{"email":"peter@klaven"}'),
    {
      status: 400,
      text: '{"error":"Missing password"}',
      headers: { 'x-scenario-applied': 'auth-status' }
    }
  ),
  same(
    'HEAD has the headers of GET',
    { method: 'HEAD', path: '/api/users/1' },
    {
      status: 200,
      text: '',
      headers: { 'content-length': /^\d{3}$/, 'access-control-allow-origin': '*' }
    }
  ),
  same(
    'an unknown place is 404 {} with CORS',
    { path: '/nowhere' },
    {
      status: 404,
      text: '{}',
      headers: { 'access-control-allow-origin': '*' }
    }
  )
])

contract(
  'I-4, without changes of whole collections',
  { ...subject, options: { collectionWrites: 'off' } },
  [
    ...['PUT', 'PATCH', 'DELETE'].map((method) =>
      same(
        `${method} /api/users is 404 {} with CORS`,
        { method, path: '/api/users' },
        { status: 404, text: '{}', headers: { 'access-control-allow-origin': '*' } }
      )
    ),
    same('one record changes as ever', { method: 'PUT', path: '/api/users/2' }, { status: 200 })
  ]
)

contract('I-4, CORS', subject, [
  {
    proves: 'a preflight is 204 and allows what was asked for',
    send: {
      method: 'OPTIONS',
      path: '/api/users/2',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'PUT',
        'access-control-request-headers': 'authorization,x-scenario'
      }
    },
    expect: {
      status: 204,
      text: '',
      headers: {
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-allow-headers': 'authorization,x-scenario',
        'access-control-allow-methods': /PUT/,
        'access-control-max-age': '600'
      }
    }
  },
  ...[
    'GET /api/users/23',
    'POST /api/login',
    'GET /api/users?scenario=status:500',
    'GET /api/me'
  ].map((line): Row => {
    const [method = '', path = ''] = line.split(' ')
    return {
      proves: `${line} can be read by a page of another origin, headers included`,
      send: { method, path, headers: { origin: 'http://localhost:5173' } },
      expect: {
        status: line.includes('me')
          ? 401
          : line.includes('status')
            ? 500
            : line.includes('login')
              ? 403
              : 404,
        headers: {
          'access-control-allow-origin': line.includes('me') ? 'http://localhost:5173' : '*',
          'access-control-expose-headers': /Retry-After.*X-Scenario-Applied/
        }
      }
    }
  })
])

describe('delay', { concurrency: true }, () => {
  test('waits that many seconds, decimals too; nonsense is ignored', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const url = nonet.scenarios.url
    // In one burst: whoever waits longer comes later.
    const arrived: string[] = []
    const started = performance.now()
    await Promise.all(
      ['0.4', 'x', '0.2', '-1'].map(async (delay) => {
        const answer = await fetch(`${url}/api/users?delay=${delay}`)
        assert.equal(answer.status, 200)
        await answer.text()
        arrived.push(delay)
      })
    )
    assert.ok(performance.now() - started >= 400)
    assert.deepEqual(arrived.slice(2), ['0.2', '0.4'])
  })

  test('random is from 200 ms on, and the longest wait can be set', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { maxDelay: 1 } })
    const url = nonet.scenarios.url
    const started = performance.now()
    await (await fetch(`${url}/api/users?delay=random`)).text()
    assert.ok(performance.now() - started >= 200)
    const asked = performance.now()
    await (await fetch(`${url}/api/users?delay=29`)).text()
    const took = performance.now() - asked
    assert.ok(took >= 1000 && took < 20_000, `${took}`)
  })
})

describe('the status of failed logins', () => {
  test('a server can be told to use 400', async () => {
    await using nonet = await start({ services: ['scenarios'], scenarios: { authStatus: 400 } })
    const login = (path: string) =>
      fetch(nonet.scenarios.url + path, { method: 'POST', headers: JSON_BODY, body: '{}' })
    assert.equal((await login('/api/login')).status, 400)
    assert.equal((await login('/api/register')).status, 400)
    assert.equal((await login('/api/auth/login')).status, 400)
    assert.equal((await login('/api/login?scenario=auth-status:403')).status, 403)
  })
})

describe('prepared answers', () => {
  test('are revalidated, and one for each host', async () => {
    await using nonet = await start({ services: ['scenarios'] })
    const ask = (headers: Record<string, string>) =>
      fetch(`${nonet.scenarios.url}/api/users/2`, { headers })
    const first = await ask({})
    const text = await first.text()
    const etag = first.headers.get('etag') ?? ''
    const again = await ask({ 'if-none-match': etag })
    assert.deepEqual([again.status, await again.text()], [304, ''])
    assert.equal(again.headers.get('access-control-allow-origin'), '*')
    assert.equal(await (await ask({ 'if-none-match': '"other"' })).text(), text)
    const { port } = new URL(nonet.scenarios.url)
    const local = await fetch(`http://localhost:${port}/api/users/2`)
    assert.match(await local.text(), new RegExp(`http://localhost:${port}/img/faces/2-image.jpg`))
  })
})
