/** The catch endpoint: a webhook for those who have none yet. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'

let nonet: Nonet<'forms'>
before(async () => {
  nonet = await start({ services: ['forms'] })
})
beforeEach(() => nonet.reset('forms'))
after(() => nonet.stop())

function submit(email: string, fullName = 'Jane Doe', url = nonet.forms.url) {
  return fetch(url, { method: 'POST', body: JSON.stringify({ email, fullName }) })
}

function open(path: string, init: RequestInit = {}) {
  return fetch(`${nonet.console?.url}/forms/${path}`, { redirect: 'manual', ...init })
}

async function list(): Promise<Record<string, unknown>[]> {
  return (await open('catch.json')).json()
}

test('a submission is answered as by a catch hook, and listed', async () => {
  const response = await submit('jane@example.org')
  assert.equal(response.status, 200)
  const { status, id } = await response.json()
  assert.equal(status, 'success')
  const [caught] = await list()
  assert.match(String(caught?.when), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.deepEqual(caught, {
    id,
    when: caught?.when,
    email: 'jane@example.org',
    fullName: 'Jane Doe',
    headers: { 'content-type': 'application/json', 'user-agent': 'nonet-forms' }
  })
})

test('additional fields are listed as they were forwarded', async () => {
  await using open = await start({ services: ['forms'], forms: { fields: ['id', 'message'] } })
  const body = '{"email":"jane@example.org","fullName":"Jane","id":7,"message":"m","other":1}'
  const { id } = await (await fetch(open.forms.url, { method: 'POST', body })).json()
  const [caught] = await (await fetch(`${open.console?.url}/forms/catch.json`)).json()
  assert.equal(caught.id, id)
  assert.deepEqual(caught.fields, { id: 7, message: 'm' })
})

test('the last hundred are kept, the newest first', async () => {
  for (let count = 1; count <= 101; count++) await submit(`${count}@example.org`)
  const emails = (await list()).map(({ email }) => email)
  assert.equal(emails.length, 100)
  assert.deepEqual([emails[0], emails[99]], ['101@example.org', '2@example.org'])
})

test('its page is the inbox of forms', async () => {
  const response = await open('catch')
  assert.deepEqual([response.status, response.headers.get('location')], [303, '/forms/'])
})

test('a body without the two fields is refused', async () => {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' } }
  assert.equal((await open('catch', { ...post, body: '{"email":"a"}' })).status, 400)
  assert.equal((await open('catch', { ...post, body: '{"fullName":"a"}' })).status, 400)
  assert.equal((await open('catch', { ...post, body: '{"email":1,"fullName":["a"]}' })).status, 400)
  assert.equal((await open('catch', { ...post, body: 'null' })).status, 400)
  assert.deepEqual(await list(), [])
})

test('the start page links to its page, and reset empties it', async () => {
  await submit('jane@example.org')
  const page = await (await fetch(`${nonet.console?.url}/`)).text()
  assert.match(page, /href="[^"]*\/forms\/"/)
  await nonet.reset('forms')
  assert.deepEqual(await list(), [])
})

test('the OpenAPI document describes the function', async () => {
  const response = await fetch(`${nonet.console?.url}/openapi/forms.json`)
  const { openapi, servers, paths } = await response.json()
  assert.equal(openapi, '3.1.0')
  assert.deepEqual(servers, [{ url: nonet.forms.url }])
  const { post } = paths['/']
  assert.equal(post.requestBody.required, true)
  assert.deepEqual(post.requestBody.content['application/json'].schema.required, [
    'email',
    'fullName'
  ])
  assert.deepEqual(Object.keys(post.responses), ['200', '500'])
  const { schema } = post.responses['500'].content['text/plain; charset=utf-8']
  assert.deepEqual(schema.examples, [
    'Name and email are required.',
    'email parameter required',
    'name parameter required'
  ])
})
