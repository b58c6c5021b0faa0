/**
 * To a stranger a private box is an unknown one. The rows are every operation of the published
 * OpenAPI document, times everybody who may not see the box, times ways of asking
 * (pairs of them unless NONET_TEST_EFFORT is 10).
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { boxes as service } from '../../src/services/boxes/index.ts'
import { type Boxes, failure, KEY, OTHER_KEY, scenes } from '../contract/boxes-scene.ts'
import { EFFORT } from '../support/effort.ts'
import { sendRaw } from '../support/raw-socket.ts'

type Headed = Readonly<Record<string, string>>

const { paths } = (await service.openapi('')) as { paths: Record<string, Record<string, unknown>> }
const METHODS = ['get', 'post', 'put', 'patch', 'delete']
const routes = Object.entries(paths).flatMap(([path, operations]) =>
  Object.keys(operations)
    .filter((method) => METHODS.includes(method))
    .map((method) => ({ method: method.toUpperCase(), path }))
)
const reads = routes.filter(({ method }) => method === 'GET')
const writes = routes.filter(({ method, path }) => method !== 'GET' && path !== '/')

const WAITING = '?since=now&wait=1'
const QUERIES = [
  ...['', '?q=n:=1', '?count=true', '?limit=1', '?sort=n', '?fields=n', '?since=0', '?since=5'],
  ...['?since=now', '?where=%7B%22n%22%3A1%7D', '?search=n', '?q=n:', WAITING]
]
const EVENTS = 'text/event-stream'
/** Each of these is watched for a while, so they are few. */
const FOLLOWED = ['', '?q=n:=1', '?since=5']
const AT_ONCE = 40
/** The server closes; on a busy machine forty answers at once take seconds. */
const DEADLINE_MS = 60_000
/** How long a follower may hear nothing before it is left; longer where the two differ, but less than a heartbeat. */
const QUIET_MS = [250, 1_000, 4_000, 12_000]
const ASKINGS: readonly Headed[] = [
  {},
  { 'if-none-match': '*' },
  { 'if-none-match': '"1"' },
  { prefer: 'count=exact' },
  // Of another machine: the operator of this one also gets a list of boxes, without private ones.
  { accept: 'text/html', 'x-forwarded-for': '203.0.113.9' },
  { accept: EVENTS },
  { accept: EVENTS, 'last-event-id': '5' }
]

interface Scene {
  hidden: string
  unknown: string
  id: string
  keyId: string
  read: string
  strangers: Readonly<Record<string, Headed>>
}

function join(address: string, query: string): string {
  return address + (address.includes('?') ? query.replace('?', '&') : query)
}

function waysToAsk(address: string) {
  return QUERIES.flatMap((query) =>
    ASKINGS.filter(({ accept }) => accept !== EVENTS || FOLLOWED.includes(query))
      .filter((asking) => query !== WAITING || Object.keys(asking).length === 0)
      .map((asking) => ({ target: join(address, query), asking }))
  )
}

/**
 * With little effort every way of asking is taken by one of the strangers, in turn, and every
 * stranger asks in the first way; with `NONET_TEST_EFFORT=10` all ask in all ways.
 */
function isAsked(stranger: number, strangers: number, way: number): boolean {
  return EFFORT >= 10 || way === 0 || way % strangers === stranger
}

function slowness({ target, headers }: { target: string; headers: Headed }): number {
  return Number(target.endsWith(WAITING)) + 2 * Number(headers.accept === EVENTS)
}

let serial = 0

/** A private box with everything in it, and everybody who must not notice it. */
async function hide({ ask, store }: Boxes): Promise<Scene> {
  const number = String(serial++).padStart(3, '0')
  const [hidden, unknown, other] = [`hidden-${number}`, `absent-${number}`, `others-${number}`]
  const owner = { 'x-api-key': KEY }
  await store(`/${hidden}`, '[{"n":1},{"n":2}]', owner)
  const { _id: id } = await store(`/${hidden}/people`, '{"n":1,"name":"x"}', owner)
  await ask(`PUT /${hidden}/${id}`, '{"n":1,"name":"y"}', owner)
  for (const [place, body] of [
    [`/_indexes/${hidden}`, '["n"]'],
    [`/_schema/${hidden}`, '{"type":"object"}'],
    [`/_schema/${hidden}/people`, '{"type":"object"}'],
    [`/_meta/${hidden}`, '{"ttl":3600,"cap":1000}']
  ] as const) {
    assert.equal((await ask(`PUT ${place}`, body, owner)).status, 200, place)
  }
  await store(`/${other}`, '{}', { 'x-api-key': OTHER_KEY })
  async function issue(...scopes: string[]) {
    const text = await store(`/_keys/${hidden}`, JSON.stringify({ scopes }), owner)
    return text as unknown as { id: string; key: string }
  }
  const [read, create, revoked, rotated] = await Promise.all([
    ...[issue('read'), issue('create'), issue('read', 'write'), issue('write')]
  ])
  assert.ok(read && create && revoked && rotated)
  assert.equal((await ask(`DELETE /_keys/${hidden}/${revoked.id}`, undefined, owner)).status, 200)
  assert.equal((await ask(`POST /_keys/${hidden}/${rotated.id}`, undefined, owner)).status, 200)
  assert.equal((await ask(`PATCH /_keys/${hidden}`, '{"private":true}', owner)).status, 200)
  return {
    ...{ hidden, unknown, id, keyId: read.id, read: read.key },
    strangers: {
      'no key': {},
      'the key of another box': { 'x-api-key': OTHER_KEY },
      'a key nobody has': { 'x-api-key': randomUUID() },
      'a key that may only create': { 'x-api-key': create.key },
      'a revoked key': { 'x-api-key': revoked.key },
      'a key before its rotation': { authorization: `API-KEY ${rotated.key}` }
    }
  }
}

function addressesOf(path: string, box: string, { id, keyId }: Scene): string[] {
  return (path.includes('{part}') ? [id, 'people'] : [''])
    .map((part) => path.replace('{part}', part))
    .map((address) => address.replace('{box}', box).replace('{collection}', 'people'))
    .map((address) => address.replace('{id}', id).replace('{key}', keyId).replace('{path}', 'n'))
    .flatMap((address) =>
      address === '/' ? [`/?box=${box}`, `/?box=${box}&record=${id}`] : [address]
    )
}

/** The tag of a list names its URL, so two boxes never share one; a test below compares them. */
const LIST_TAG = /^etag: W\/"[\w-]{27}"/m

/** Everything that is sent, to the byte, but for what no two answers share. */
async function bytesOf(
  url: string,
  method: string,
  address: string,
  headers: Headed,
  body = '',
  quiet = DEADLINE_MS
) {
  const lines = [
    ...[`${method} ${address} HTTP/1.1`, `host: ${new URL(url).host}`, 'connection: close'],
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === '' ? [] : [`content-length: ${Buffer.byteLength(body)}`])
  ]
  const patience = headers.accept === EVENTS ? quiet : DEADLINE_MS
  const request = `${lines.join('\r\n')}\r\n\r\n${body}`
  const { text } = await sendRaw(url, [request], patience, DEADLINE_MS)
  return text
    .replace(/^Date: .*$/m, 'Date')
    .replace(/box_[0-9a-f]{20}/g, 'box_fresh')
    .replace(LIST_TAG, 'etag: a list')
}

scenes('I-2, a private box is an unknown one to strangers', {}, (boxes) => {
  test('tags of its lists are those it had before it was there', async () => {
    const { ask, store, url } = boxes()
    const lists = ['', '/people'].flatMap((path) => QUERIES.map((query) => `/later${path}${query}`))
    const readTags = () =>
      Promise.all(lists.map(async (list) => (await fetch(url + list)).headers.get('etag')))
    const before = await readTags()
    assert.ok(before.filter((tag) => tag !== null).length >= QUERIES.length)
    const owner = { 'x-api-key': KEY }
    await store('/later', '[{"n":1},{"n":2}]', owner)
    await store('/later/people', '{"n":1}', owner)
    assert.equal((await ask('PATCH /_keys/later', '{"private":true}', owner)).status, 200)
    assert.deepEqual(await readTags(), before)
  })

  // Some answers take their time by nature; others are asked for meanwhile.
  describe('reads', { concurrency: 4 }, () => {
    for (const { path } of reads) {
      test(`GET ${path}, asked in every way by every stranger`, { timeout: 300_000 }, async (t) => {
        const scene = await hide(boxes())
        const { hidden, unknown, strangers } = scene
        const { url } = boxes()
        const all = Object.entries(strangers).flatMap(([who, key], index, { length }) =>
          addressesOf(path, hidden, scene).flatMap((address) => [
            { who, method: 'HEAD', target: address, headers: key },
            ...waysToAsk(address)
              .filter((_, way) => isAsked(index, length, way))
              .map((way) => ({
                ...{ who, method: 'GET', target: way.target },
                headers: { ...way.asking, ...key }
              }))
          ])
        )
        const compared = all.length
        // Those that take their time go together.
        all.sort((a, b) => slowness(a) - slowness(b))
        while (all.length > 0) {
          await Promise.all(
            all.splice(0, AT_ONCE).map(async ({ who, method, target, headers }) => {
              const what = `${who}: ${method} ${target} ${JSON.stringify(headers)}`
              const other = target.replaceAll(hidden, unknown)
              for (const quiet of QUIET_MS) {
                const [seen, expected] = await Promise.all([
                  bytesOf(url, method, target, headers, '', quiet),
                  bytesOf(url, method, other, headers, '', quiet)
                ])
                // A follower may have been left before all was said.
                const same = expected !== '' && seen.replaceAll(hidden, unknown) === expected
                if (!same && quiet !== QUIET_MS.at(-1)) continue
                assert.match(expected, /^HTTP\/1\.1 [234]\d\d/, what)
                assert.equal(seen.replaceAll(hidden, unknown), expected, what)
                return
              }
            })
          )
        }
        t.diagnostic(`${compared} pairs of answers compared`)
      })
    }
  })

  for (const { method, path } of writes) {
    test(`${method} ${path} is refused as in a protected box`, async () => {
      const { ask, store, url } = boxes()
      const scene = await hide(boxes())
      const { hidden, strangers, id } = scene
      const guarded = hidden.replace('hidden', 'guards')
      await store(`/${guarded}/people`, '{"n":1}', { 'x-api-key': KEY })
      const before = (await ask(`GET /${hidden}`, undefined, { 'x-api-key': KEY })).text
      for (const [who, key] of Object.entries(strangers)) {
        if (who === 'a key that may only create') continue
        for (const address of addressesOf(path, hidden, scene)) {
          const target =
            method === 'DELETE' && !address.includes(id) ? `${address}?q=n:=1` : address
          const body = method === 'DELETE' ? '' : bodyFor(method, path)
          const [seen, expected] = await Promise.all([
            bytesOf(url, method, target, key, body),
            bytesOf(url, method, target.replaceAll(hidden, guarded), key, body)
          ])
          assert.equal(seen.replaceAll(hidden, guarded), expected, `${who}: ${method} ${target}`)
          const status = path.startsWith('/_') ? /^HTTP\/1\.1 401/ : /^HTTP\/1\.1 40[01]/
          assert.match(seen, status, `${who}: ${method} ${target}`)
        }
      }
      assert.equal((await ask(`GET /${hidden}`, undefined, { 'x-api-key': KEY })).text, before)
    })
  }

  test('whoever may read sees what the owner sees', async () => {
    const { ask } = boxes()
    const scene = await hide(boxes())
    for (const { path } of reads) {
      if (path === '/' || path.startsWith('/_keys')) continue
      for (const address of addressesOf(path, scene.hidden, scene)) {
        const answers = await Promise.all(
          [KEY, scene.read].map((key) => ask(`GET ${address}`, undefined, { 'x-api-key': key }))
        )
        assert.equal(answers[0]?.text, answers[1]?.text, address)
        assert.equal(answers[0]?.status, answers[1]?.status, address)
        const stranger = await ask(`GET ${address}`)
        assert.equal(
          answers[0]?.status === 200 && stranger.text === answers[0].text,
          false,
          address
        )
      }
    }
    for (const request of [`POST /${scene.hidden}`, `PUT /${scene.hidden}/${scene.id}`]) {
      assert.equal((await ask(request, '{}', { 'x-api-key': scene.read })).status, 401)
    }
  })

  test('a key that may create adds records and sees none', async () => {
    const { ask } = boxes()
    const { hidden, id, strangers } = await hide(boxes())
    const create = strangers['a key that may only create'] ?? {}
    const made = await ask(`POST /${hidden}`, '{"n":9}', create)
    assert.equal(made.status, 200)
    const { _id } = JSON.parse(made.text)
    assert.equal((await ask(`GET /${hidden}/${_id}`, undefined, create)).status, 404)
    for (const request of [`PUT /${hidden}/${id}`, `DELETE /${hidden}/${id}`]) {
      assert.deepEqual(failure(await ask(request, '{}', create)), {
        status: 401,
        message: 'Invalid API_KEY.'
      })
    }
    assert.equal((await ask(`GET /${hidden}/${_id}`, undefined, { 'x-api-key': KEY })).status, 200)
  })
})

/** Something that would be taken with the right key. */
function bodyFor(method: string, path: string): string {
  const word = path.split('/')[1] ?? ''
  return BODIES[`${method} ${word}`] ?? BODIES[word] ?? '{"n":5}'
}

const BODIES: Readonly<Record<string, string>> = {
  'PATCH _keys': '{"private":true}',
  _keys: '{"scopes":["read"]}',
  _import: '{"n":5}\n',
  _batch: '[{"op":"create","body":{"n":5}}]',
  _indexes: '["n"]',
  _schema: '{"type":"object"}',
  _meta: '{"ttl":60}'
}
