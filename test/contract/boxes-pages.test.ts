/** The pages of I-2 and their forms, as a browser without JavaScript sends them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Answer } from '../support/contract.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { sendPlain } from '../support/plain-http.ts'
import { type Boxes, KEY, OTHER_KEY, type Stored, scenes } from './boxes-scene.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const HTML = { accept: 'text/html' }

function submit({ ask }: Boxes, fields: Record<string, string>, headers = {}): Promise<Answer> {
  return ask('POST /', new URLSearchParams(fields).toString(), { ...FORM, ...HTML, ...headers })
}

/** The value of a hidden field, without the escapes of HTML. */
function fieldOf({ text }: Answer, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? assert.fail(name)
  return value.replaceAll('&quot;', '"').replaceAll('&amp;', '&').replaceAll('&lt;', '<')
}

scenes('I-2, the pages', {}, (boxes) => {
  const page = (path: string, headers = {}) =>
    boxes().ask(`GET ${path}`, undefined, { ...HTML, ...headers })

  test('a form stores what was typed, letter by letter, and the page shows it escaped', async () => {
    const { ask, get } = boxes()
    const text = '{"<b>": 1.0,\r\n "x":"&amp;"}'
    const stored = await submit(boxes(), { action: 'store', box: 'a form', text })
    assert.equal(stored.status, 303)
    const [record] = await get('/a%20form')
    const location = stored.headers.get('location') ?? ''
    assert.equal(location, `/?box=a+form&record=${record?._id}`)
    const { text: json } = await ask(`GET /a%20form/${record?._id}`)
    assert.ok(json.includes('"<b>": 1.0,\n "x":"&amp;"'), json)
    const shown = await page(location)
    assert.ok(shown.text.replace(/<\/?span[^>]*>/g, '').includes('&quot;&lt;b&gt;&quot;: 1.0'))
    assert.ok(!shown.text.includes('<b>:'))
  })

  test('what cannot be stored comes back with the reason', async () => {
    const refuse = (fields: Record<string, string>) =>
      submit(boxes(), { action: 'store', ...fields })
    const broken = await refuse({ box: 'b', text: '{"a":<}' })
    assert.equal(broken.status, 400)
    assert.match(
      broken.text,
      /role="alert"[^>]*><p><b>Not stored<\/b><\/p><p>Invalid JSON[^<]+byte 5</
    )
    assert.ok(broken.text.includes('{&quot;a&quot;:&lt;}</textarea>'))
    assert.equal((await refuse({ box: '', text: '{}' })).status, 400)
    assert.equal((await refuse({ box: '_meta', text: '{}' })).status, 400)
    assert.equal((await refuse({ box: 'b', text: '[{}]' })).status, 400)
    assert.equal((await refuse({ box: 'b', text: '{}', collection: 'a'.repeat(24) })).status, 400)
    assert.deepEqual(await boxes().get('/b'), [])
  })

  test('an undo restores id, text, collection and dates, and never overwrites', async () => {
    const { ask, get, store } = boxes()
    const sent = '{"a":1,\r\n "b":"\\r\\n"}'
    const { _id } = await store<Stored>('/undone/people', sent)
    await ask(`PUT /undone/${_id}`, sent)
    const before = (await ask(`GET /undone/${_id}`)).text
    const deleted = await submit(boxes(), {
      action: 'delete',
      box: 'undone',
      record: _id,
      rev: '2'
    })
    assert.equal(deleted.status, 200)
    assert.deepEqual(await get('/undone'), [])
    const names = ['exact', 'collection', 'created', 'updated'] as const
    const kept = Object.fromEntries(names.map((name) => [name, fieldOf(deleted, name)]))
    const undo = { action: 'restore', box: 'undone', record: _id, ...kept }
    assert.equal((await submit(boxes(), undo)).status, 303)
    assert.equal((await ask(`GET /undone/${_id}`)).text, before)
    await ask(`PUT /undone/${_id}`, '{"a":2}')
    const again = await submit(boxes(), undo)
    assert.equal(again.status, 412)
    assert.match(again.text, /Not restored/)
    assert.match((await ask(`GET /undone/${_id}`)).text, /"a":2/)
  })

  test('a delete or save of another revision changes nothing', async () => {
    const { ask, store } = boxes()
    const { _id } = await store<Stored>('/revised', '{"a":1}')
    await ask(`PUT /revised/${_id}`, '{"a":2}')
    const target = { box: 'revised', record: _id, rev: '1' }
    const deleted = await submit(boxes(), { action: 'delete', ...target })
    assert.equal(deleted.status, 412)
    assert.match(deleted.text, /Another client has changed or deleted the record/)
    const saved = await submit(boxes(), { action: 'save', ...target, text: '{"a":3}' })
    assert.equal(saved.status, 412)
    assert.match(saved.text, /You edited revision 1; revision 2 was saved/)
    assert.match((await ask(`GET /revised/${_id}`)).text, /"a":2/)
  })

  test('the changes of a box are listed, newest first, page by page', async () => {
    const { ask, store } = boxes()
    const records = await store<Stored[]>('/changed', JSON.stringify(Array(52).fill({ a: 1 })))
    await ask(`PUT /changed/${records[0]?._id}`, '{"a":2}')
    await ask(`DELETE /changed/${records[1]?._id}`)
    const opsOf = ({ text }: Answer) =>
      [...text.matchAll(/class="method \w+">(\w+)</g)].map(([, op]) => op)
    const first = await page('/?box=changed&tab=changes')
    assert.deepEqual(opsOf(first).slice(0, 3), ['delete', 'update', 'create'])
    assert.equal(opsOf(first).length, 50)
    const older = /href="([^"]+)">Older/.exec(first.text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    assert.deepEqual(opsOf(await page(older)), Array(4).fill('create'))
  })

  test('a private box is as empty as an unknown one on every tab, except for its readers', async () => {
    const owner = { 'x-api-key': KEY }
    const { ask, store } = boxes()
    const { _id } = await store<Stored>('/closed', '{"secret":"word"}', owner)
    await ask('PUT /_schema/closed', '{"title":"secret"}', owner)
    await ask('PUT /_indexes/closed', '["secret"]', owner)
    await ask('PATCH /_keys/closed', '{"private":true}', owner)
    for (const query of [
      '',
      '&q=a:b',
      '&tab=changes',
      '&tab=schema',
      '&tab=indexes',
      '&tab=keys',
      `&record=${_id}`
    ]) {
      const [hidden, unknown, known] = await Promise.all([
        page(`/?box=closed${query}`),
        page(`/?box=absent${query}`),
        page(`/?box=closed${query}`, owner)
      ])
      assert.equal(hidden.text.replaceAll('closed', 'absent'), unknown.text, query)
      assert.equal(hidden.status, unknown.status, query)
      assert.ok(!known.text.includes(KEY))
      if (query === '') assert.match(known.text, />word</)
    }
    const wrong = { 'x-api-key': OTHER_KEY }
    const save = { action: 'save', box: 'closed', record: _id, rev: '1', text: '{}' }
    assert.equal((await submit(boxes(), save, wrong)).status, 401)
    assert.equal((await submit(boxes(), { ...save, action: 'restore' }, wrong)).status, 401)
    assert.equal((await submit(boxes(), { ...save, action: 'delete' }, wrong)).status, 401)
    const revoke = { action: 'keys-private', box: 'closed', tab: 'keys' }
    assert.equal((await submit(boxes(), revoke, wrong)).status, 401)
    const lines = await submit(boxes(), { action: 'export', box: 'closed' }, wrong)
    assert.equal(lines.text, '')
    assert.match(
      (await submit(boxes(), { action: 'export', box: 'closed', key: KEY })).text,
      /word/
    )
  })

  test('hostile parameters are errors of the client', async () => {
    for (const query of [
      ...['box=b&record=%00', 'box=%00', 'box=b&tab=schema&name=%00', 'part=%00', 'after=%00%27'],
      ...['box=b&cursor=x', 'box=b&tab=changes&cursor=-1', 'box=b&q=%00:%00', 'box=b&q=%7B%7D%7D'],
      ...['box=b&record=../..', 'box=b&mode=edit&record=1', `box=${'x'.repeat(500)}`]
    ]) {
      const { status } = await page(`/?${query}`)
      assert.ok(status < 500, `${query}: ${status}`)
    }
    for (const fields of [
      { action: 'restore', box: 'b', record: '', exact: '"{}"' },
      { action: 'restore', box: 'b', record: 'a'.repeat(24), exact: '"', text: '{' },
      { action: 'restore', box: 'b', record: 'c'.repeat(24), text: '{}', created: '9'.repeat(15) },
      { action: 'index-remove \u0000', box: 'b' },
      { action: 'keys-revoke \u0000', box: 'b', key: KEY },
      { action: 'constructor', box: 'b' }
    ]) {
      const { status } = await submit(boxes(), fields)
      assert.ok(status < 500, `${JSON.stringify(fields)}: ${status}`)
    }
  })

  test('a long record and a deeply nested one keep the page short', async () => {
    const { store } = boxes()
    const deep = `{"a":${'['.repeat(3000)}${']'.repeat(3000)}}`
    const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 900 }, (_, n) => [n, n])))
    const many = `{"a":[${Array(4000).fill(1)}]}`
    for (const record of [deep, wide, many, JSON.stringify({ long: '"'.repeat(400_000) })]) {
      const { _id } = await store<Stored>('/long', record)
      for (const view of ['table', 'json']) {
        const { status, text } = await page(`/?box=long&view=${view}&record=${_id}`)
        assert.equal(status, 200)
        assert.ok(text.length <= 100_000, `${view}: ${text.length} characters`)
      }
    }
  })
})

for (const engine of ENGINES) {
  describe(`I-2, the list of boxes, on ${engine}`, () => {
    test('only the operator sees it, a part of the id finds boxes, and pages follow', async () => {
      await using nonet = await start({ services: ['boxes'], ...engineOptions(engine) })
      await Promise.all(
        Array.from({ length: 60 }, (_, n) =>
          fetch(`${nonet.boxes.url}/list_${String(n).padStart(2, '0')}`, {
            method: 'POST',
            body: n === 7 ? JSON.stringify(Array(1000).fill({})) : '{}'
          })
        )
      )
      await fetch(`${nonet.boxes.url}/list_07`, { method: 'POST', body: '{}' })
      await fetch(`${nonet.boxes.url}/listed`, {
        method: 'POST',
        body: '{}',
        headers: { 'x-api-key': KEY }
      })
      const operator = await listOf(nonet)
      assert.equal(operator.status, 200)
      assert.equal(operator.ids.length, 50)
      assert.match(operator.text, /list_07<\/a><\/th>\s*<td class="number">1,000\+/)
      const rest = await listOf(nonet, '?after=list_49')
      assert.deepEqual(rest.ids.slice(-2), ['list_59', 'listed'])
      assert.match(rest.text, /writing needs a key/)
      const owner = { 'x-api-key': KEY }
      const hide = { method: 'PATCH', body: '{"private":true}', headers: owner }
      assert.equal((await fetch(`${nonet.boxes.url}/_keys/listed`, hide)).status, 200)
      assert.match((await listOf(nonet, '?part=listed')).text, /private/)
      assert.deepEqual((await listOf(nonet, '?part=_1')).ids.length, 10)
      assert.deepEqual((await listOf(nonet, '?part=%25')).ids, [])

      const home = `${nonet.boxes.url}/`
      const isListed = async (headers: Record<string, string>, part = 'list_07') => {
        const { body, headers: sent } = await sendPlain(`${home}?part=${part}`, {
          headers: { ...HTML, ...headers }
        })
        assert.equal(sent['access-control-allow-origin'], undefined)
        return body.toString().includes(`>${part}<`)
      }
      assert.equal(await isListed({}), true)
      assert.equal(await isListed({}, 'listed'), false)
      assert.equal(await isListed({ host: 'evil.example' }), false)
      assert.equal(await isListed({ 'x-forwarded-for': '203.0.113.9' }), false)
      assert.equal(await isListed({ via: '1.1 nonet' }), false)
    })
  })
}

async function listOf(nonet: Nonet<'boxes'>, query = '') {
  const response = await fetch(`${nonet.console?.url}/boxes/${query}`, { headers: HTML })
  const text = await response.text()
  const ids = [...text.matchAll(/<th scope="row"><a [^>]*>([^<]+)</g)].map(([, id]) => id)
  return { status: response.status, text, ids }
}
