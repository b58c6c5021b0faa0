import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { API_ROUTES, type ApiRoute } from '../../src/services/cards/api/route-table.ts'
import type { Answer } from '../support/contract.ts'
import { sites } from './cards-site.ts'

const UNKNOWN = 'f'.repeat(24)
const NOT_FOUND = 'The requested resource was not found.'
const NOT_ALLOWED = 'unauthorized permission requested'

/** Parameters of paths that are no ids of objects. */
const VALUES: Readonly<Record<string, string>> = {
  field: 'name',
  filter: 'open',
  fileName: 'a.png',
  token: '0'.repeat(64)
}
/** First parameters that may be names, so that none is malformed. */
const NAMED = ['member', 'token', 'organization']

const ID_VALUE = ['addCardLabel', 'addCardMember']
const TEXT_OBJECT = ['addOption', 'changeItem']

/** A body that is right except for its ids. */
function bodyOf({ name, method }: ApiRoute): object | undefined {
  if (method === 'GET' || method === 'DELETE') return undefined
  const value = ID_VALUE.includes(name)
    ? UNKNOWN
    : TEXT_OBJECT.includes(name)
      ? { text: 'Text' }
      : 'Text'
  return {
    value,
    name: 'Name',
    text: 'Text',
    url: 'https://example.com/',
    type: 'text',
    color: 'red',
    customFieldItems: [{ idCustomField: UNKNOWN, value: { text: 'Text' } }],
    ...(name !== 'changeCard' && name !== 'changeList' && { idBoard: UNKNOWN }),
    ...(name !== 'changeCard' && { idList: UNKNOWN }),
    idCard: UNKNOWN,
    idModel: UNKNOWN,
    callbackURL: 'https://example.com/',
    modelType: 'board'
  }
}

function pathOf({ pattern }: ApiRoute, id = UNKNOWN): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => VALUES[name] ?? id)
}

/** The same route as other clients send it. */
function spellingsOf(path: string): string[] {
  const segments = path.slice(1).split('/')
  const [first = '', ...rest] = segments
  const upper = segments.map((segment) =>
    Object.values(VALUES).includes(segment) || segment === UNKNOWN ? segment : segment.toUpperCase()
  )
  return [
    `${path}/`,
    `/${path}`,
    `/${upper.join('/')}`,
    ...(first.endsWith('s') ? [`/${[first.slice(0, -1), ...rest].join('/')}`] : [])
  ]
}

function seen({ status, text, headers }: Answer): object {
  return { status, text, type: headers.get('content-type') }
}

sites('All routes of the compatible API', {}, (site) => {
  let owner = ''
  let reader = ''
  let writer = ''
  before(async () => {
    owner = await site().member('ada')
    const flags = { member: 'ada' }
    reader = (await site().token({ scopes: ['read'], flags })).secret
    writer = (await site().token({ scopes: ['read', 'write'], flags })).secret
  })

  for (const route of API_ROUTES) {
    const { method, pattern, access, name } = route
    const path = pathOf(route)
    const body = bodyOf(route)
    const first = /:(\w+)/.exec(pattern)?.[1] ?? ''
    const hasId = first !== '' && !NAMED.includes(first)
    const ask = (wanted: string, token?: string, more: object = {}) =>
      site().api(wanted, { method, token, ...(body !== undefined && { body }), ...more })

    test(`${method} ${pattern}: credentials, ids and spellings`, async () => {
      const none = await ask(path)
      if (access !== 'public') {
        assert.deepEqual([none.status, none.text], [401, NOT_ALLOWED], 'without a token')
      }
      assert.equal(none.headers.get('content-type')?.startsWith('text/plain'), true)
      const wrong = await ask(path, 'a'.repeat(64))
      // Twenty within a minute, and more of them get this.
      if (wrong.status !== 429) {
        assert.deepEqual([wrong.status, wrong.text], [401, 'invalid token'])
      }
      if (access === 'write' || access === 'admin') {
        const denied = await ask(path, access === 'admin' ? writer : reader)
        assert.deepEqual([denied.status, denied.text], [401, NOT_ALLOWED], 'without the scope')
      }
      if (name === 'addBoard' || name === 'batch' || name === 'search') return
      const unknown = await ask(path, owner)
      assert.deepEqual([unknown.status, unknown.text], [404, NOT_FOUND], 'unknown')
      for (const spelling of spellingsOf(path)) {
        assert.deepEqual(seen(await ask(spelling, owner)), seen(unknown), spelling)
      }
      if (method === 'GET') {
        const head = await ask(path, owner, { method: 'HEAD' })
        assert.deepEqual([head.status, head.text], [404, ''])
      }
      if (hasId) {
        const malformed = await ask(pathOf(route, 'Board-1'), owner)
        assert.deepEqual([malformed.status, malformed.text], [400, 'invalid id'], 'malformed')
      }
    })
  }

  test('routes that there are not have the 404 of Trello', async () => {
    const lines: [string, string][] = [
      ['GET', '/nothing'],
      ['DELETE', '/boards'],
      ['PATCH', `/boards/${UNKNOWN}`],
      ['GET', `/boards/${UNKNOWN}/lists/open/more`],
      ['POST', '/plugins']
    ]
    for (const [method, path] of lines) {
      const { status, text, headers } = await site().api(path, { method, token: owner })
      assert.deepEqual([status, text], [404, `Cannot ${method} /1${path}`])
      assert.equal(headers.get('content-type'), 'text/plain; charset=utf-8')
    }
    const secret = await site().api(`/tokens/${owner}/nothing`, { token: owner })
    assert.equal(secret.text, 'Cannot GET /1/tokens/[token]/nothing')
    const override = await site().api(`/boards/${UNKNOWN}?_method=DELETE`, {
      method: 'POST',
      token: owner,
      headers: { 'x-http-method-override': 'DELETE' }
    })
    assert.equal(override.status, 404)
    assert.match(override.text, /^Cannot POST/)
  })
})
