/** Requests that the admin pages send: from the form of an operation, as text, and again. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type MockedApi, mock } from '../../src/host/mock.ts'
import { start } from '../../src/host/start.ts'
import type { DescribedEntry } from '../../src/services/mock/journal/describe-entry.ts'
import { NAVIGATION } from '../support/navigation.ts'
import { sendPlain } from '../support/plain-http.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { openWebhook } from '../support/webhook.ts'

const GARDEN = join(import.meta.dirname, '../../data/mock/garden.yaml')
const HTML = { accept: 'text/html' }

function write(document: object): string {
  const file = join(scratchFolder(), 'document.json')
  writeFileSync(file, JSON.stringify(document))
  return file
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'"
}

function plainText(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '')
}

/** The fields that a browser would send if a person pressed Send at once. */
function fieldsOf(page: string): Record<string, string> {
  const [, form = ''] = /<form id="request"[^>]*>(.*?)<\/form>/s.exec(page) ?? []
  const fields: Record<string, string> = {}
  for (const [, name = '', value = ''] of form.matchAll(
    /<input[^>]* name="([^"]*)" value="([^"]*)"/g
  )) {
    fields[plainText(name)] = plainText(value)
  }
  for (const [, name = '', text = ''] of form.matchAll(
    /<textarea name="([^"]*)"[^>]*>\n?(.*?)<\/textarea>/gs
  )) {
    fields[plainText(name)] = plainText(text)
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select name="([^"]*)">(.*?)<\/select>/gs
  )) {
    fields[plainText(name)] = plainText(/<option selected>([^<]*)/.exec(options)?.[1] ?? '')
  }
  return fields
}

async function openForm(url: string, operation: string): Promise<Record<string, string>> {
  const answer = await fetch(`${url}/__nonet/try?${new URLSearchParams({ operation })}`, {
    headers: HTML
  })
  assert.equal(answer.status, 200, operation)
  return fieldsOf(await answer.text())
}

async function send(url: string, fields: Record<string, string>): Promise<DescribedEntry> {
  const answer = await fetch(`${url}/__nonet/try`, {
    method: 'POST',
    body: new URLSearchParams(fields)
  })
  assert.equal(answer.status, 200, await answer.clone().text())
  return (await answer.json()) as DescribedEntry
}

async function pageAfter(
  url: string,
  path: string,
  fields: Record<string, string>
): Promise<string> {
  const answer = await fetch(url + path, {
    method: 'POST',
    body: new URLSearchParams(fields),
    headers: HTML
  })
  return answer.text()
}

async function sendJson(url: string, request: object): Promise<Response> {
  return fetch(`${url}/__nonet/send`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request)
  })
}

const INTEGERS = { type: 'array', items: { type: 'integer' }, example: [3, 4] }
const POINT = {
  type: 'object',
  properties: { x: { type: 'integer' }, y: { type: 'integer' } },
  example: { x: 1, y: 2 }
}
const DONE = {
  200: { description: '', content: { 'application/json': {}, 'application/xml': {} } }
}

function parameter(name: string, location: string, schema: object, more: object = {}): object {
  return { name, in: location, required: true, schema, ...more }
}

const STYLES = [
  parameter('simple', 'path', INTEGERS),
  parameter('label', 'path', POINT, { style: 'label', explode: true }),
  parameter('matrix', 'path', INTEGERS, { style: 'matrix' }),
  parameter('spread', 'query', INTEGERS),
  parameter('joined', 'query', INTEGERS, { explode: false }),
  parameter('spaced', 'query', INTEGERS, { style: 'spaceDelimited', explode: false }),
  parameter('piped', 'query', INTEGERS, { style: 'pipeDelimited', explode: false }),
  parameter('deep', 'query', POINT, { style: 'deepObject' }),
  { name: 'json', in: 'query', required: true, content: { 'application/json': { schema: POINT } } },
  parameter('colour', 'query', { enum: ['red & blue', 'green'] }),
  parameter('X-Point', 'header', POINT),
  parameter('X-List', 'header', INTEGERS),
  parameter('crumb', 'cookie', { type: 'string', example: 'a b' })
]

const BODY = {
  type: 'object',
  required: ['name', 'size'],
  properties: {
    name: { type: 'string', example: 'chard' },
    size: { type: 'integer', minimum: 1, example: 7 },
    tags: { type: 'array', items: { type: 'string' }, example: ['a'] }
  }
}
const SECURITY = [{ bearer: [], header: [], query: [], cookie: [] }, { basic: [] }, { digest: [] }]

const RICH = {
  openapi: '3.1.0',
  info: { title: 'Rich', version: '1' },
  components: {
    securitySchemes: {
      bearer: { type: 'http', scheme: 'bearer' },
      header: { type: 'apiKey', in: 'header', name: 'X-Key' },
      query: { type: 'apiKey', in: 'query', name: 'key' },
      cookie: { type: 'apiKey', in: 'cookie', name: 'sid' },
      basic: { type: 'http', scheme: 'basic' },
      digest: { type: 'http', scheme: 'digest' }
    }
  },
  paths: {
    '/s/{simple}/{label}/{matrix}/{undescribed}': { get: { parameters: STYLES, responses: DONE } },
    '/secured': { delete: { security: SECURITY, responses: DONE } },
    '/things': {
      put: {
        requestBody: {
          required: true,
          content: {
            'application/json': {
              schema: BODY,
              examples: {
                small: { value: { name: 'a', size: 1 } },
                odd: { value: { name: 'b', size: 2, more: 3 } }
              }
            },
            'application/xml': { schema: BODY },
            'application/x-www-form-urlencoded': { schema: BODY },
            'multipart/form-data': { schema: BODY },
            'text/plain': { schema: { type: 'string', minLength: 1 } }
          }
        },
        responses: DONE
      }
    }
  }
}

describe('the form of an operation', () => {
  let api: MockedApi
  before(async () => {
    api = await mock(write(RICH))
  })
  after(() => api.stop())

  test('sent as it is opened, it complies with the document, for every operation', async () => {
    await using garden = await mock(GARDEN)
    for (const { url, operations } of [api, garden]) {
      for (const { method, path } of operations) {
        const sent = await send(url, await openForm(url, `${method} ${path}`))
        assert.deepEqual(sent.violations, [], `${method} ${path}`)
        assert.equal(sent.problem, null, `${method} ${path}`)
        assert.deepEqual(sent.operation?.path, path)
      }
    }
  })

  test('parameters are written in their styles', async () => {
    const fields = await openForm(api.url, 'GET /s/{simple}/{label}/{matrix}/{undescribed}')
    const sent = await send(api.url, {
      ...fields,
      'query.colour': 'green',
      accept: 'application/xml'
    })
    assert.equal(sent.path, '/s/3,4/.x=1.y=2/;matrix=3,4/string')
    assert.equal(
      sent.query,
      'spread=3&spread=4&joined=3,4&spaced=3%204&piped=3|4&deep[x]=1&deep[y]=2&json=%7B%22x%22%3A1%2C%22y%22%3A2%7D&colour=green'
    )
    const { accept, ...headers } = sent.request.headers
    assert.deepEqual(
      [accept, headers['x-point'], headers['x-list']],
      ['application/xml', 'x,1,y,2', '3,4']
    )
    assert.equal(
      (await send(api.url, { ...fields, 'query.spread': 'no list' })).violations[0]?.location.join(
        '.'
      ),
      'request.query.spread.0'
    )
  })

  test('credentials are sent where the document wants them', async () => {
    const fields = await openForm(api.url, 'DELETE /secured')
    const none = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [name, name.startsWith('auth.') ? '' : value])
    )
    assert.equal((await send(api.url, none)).status, 401)
    const basic = await send(api.url, {
      ...none,
      'auth.basic.user': 'ada',
      'auth.basic.password': 'pw'
    })
    assert.deepEqual([basic.status, basic.request.headers.authorization], [200, 'Basic ***'])
    const raw = plainText(
      await pageAfter(api.url, '/__nonet/try', {
        ...none,
        'auth.digest': 'Digest username="u"',
        raw: 'yes'
      })
    )
    assert.match(raw, /authorization: Digest username="u"/)
  })

  for (const type of [
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data',
    'text/plain'
  ]) {
    test(`a body of ${type} is filled in and accepted`, async () => {
      const fields = await openForm(api.url, 'PUT /things')
      const picked = fieldsOf(await pageAfter(api.url, '/__nonet/try', { ...fields, pick: type }))
      const sent = await send(api.url, picked)
      assert.deepEqual([sent.status, sent.violations], [200, []])
      assert.ok(String(sent.request.headers['content-type']).startsWith(type))
    })
  }

  test('examples and views keep what else was filled in; a wrong value is sent as it is', async () => {
    const fields: Record<string, string> = {
      ...(await openForm(api.url, 'PUT /things')),
      headers: 'X-Mine: 1'
    }
    assert.deepEqual(
      [fields['member.name'], fields['member.size'], fields.view],
      ['a', '1', 'fields']
    )
    const odd = fieldsOf(await pageAfter(api.url, '/__nonet/try', { ...fields, fill: 'odd' }))
    // A member that the document does not know has no field.
    assert.deepEqual(
      [odd.view, JSON.parse(odd.body ?? ''), odd.headers],
      ['text', { name: 'b', size: 2, more: 3 }, 'X-Mine: 1']
    )
    const made = fieldsOf(await pageAfter(api.url, '/__nonet/try', { ...fields, fill: '' }))
    assert.deepEqual([made['member.name'], made['member.tags']], ['chard', '["a"]'])
    const text = fieldsOf(
      await pageAfter(api.url, '/__nonet/try', { ...fields, 'member.size': 'many', show: 'text' })
    )
    assert.deepEqual(JSON.parse(text.body ?? ''), { name: 'a', size: 'many' })
    const sent = await send(api.url, { ...text, body: '{"name":"a"' })
    assert.equal(sent.request.body?.text, '{"name":"a"')
    const wrong = await send(api.url, { ...fields, 'member.size': 'many' })
    assert.deepEqual(
      wrong.violations.map(({ location }) => location.join('.')),
      ['request.body.size']
    )
    assert.equal(wrong.request.headers['x-mine'], '1')
  })

  test('a response is asked for by status and example', async () => {
    await using garden = await mock(GARDEN)
    const fields = await openForm(garden.url, 'GET /plants/{id}')
    const missing = await send(garden.url, { ...fields, status: '404' })
    assert.equal(missing.status, 404)
    assert.equal((await send(garden.url, { ...fields, example: 'eaten' })).example, 'eaten')
  })

  test('an unknown operation and a broken header are said to be', async () => {
    assert.equal((await fetch(`${api.url}/__nonet/try?operation=GET%20/no`)).status, 404)
    const page = await pageAfter(api.url, '/__nonet/try', {
      ...(await openForm(api.url, 'DELETE /secured')),
      headers: 'no header'
    })
    assert.match(page, /role="alert">Not sent: Headers are lines such as Accept/)
  })
})

describe('a journal entry', () => {
  let api: MockedApi
  const body = '{"name":"Leek","bed":"one","password":"pw-1"}'
  before(async () => {
    api = await mock(GARDEN)
    await fetch(`${api.url}/plants?access_token=t-1&x=%20`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer b-1', 'x-odd': 'ä' },
      body
    })
  })
  after(() => api.stop())

  test('is sent again unchanged', async () => {
    const answer = await fetch(`${api.url}/__nonet/journal/1/send`, { method: 'POST' })
    const { id, violations, request, query } = (await answer.json()) as DescribedEntry
    assert.deepEqual([answer.status, id], [200, 2])
    assert.deepEqual(
      violations.map(({ location }) => location.join('.')),
      ['request.body', 'request.body.bed']
    )
    assert.equal(query, 'access_token=***&x=%20')
    assert.equal(request.body?.bytes, body.length)
    assert.equal(request.headers['x-odd'], 'ä')
    const led = await fetch(`${api.url}/__nonet/journal/1/send`, {
      method: 'POST',
      headers: HTML,
      redirect: 'manual'
    })
    assert.deepEqual([led.status, led.headers.get('location')], [303, '/__nonet/journal/3'])
    assert.equal(
      (await fetch(`${api.url}/__nonet/journal/77/send`, { method: 'POST' })).status,
      404
    )
  })

  test('hides credentials in the form, and sends them where they were not changed', async () => {
    const page = await (await fetch(`${api.url}/__nonet/journal/1/edit`, { headers: HTML })).text()
    for (const secret of ['t-1', 'b-1', 'pw-1']) assert.ok(!page.includes(secret), secret)
    await using upstream = await openWebhook()
    await using judge = await mock(GARDEN, { upstream: upstream.url })
    await fetch(`${judge.url}/plants?access_token=t-1`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: 'Bearer b-1' },
      body
    })
    upstream.take()
    const form = fieldsOf(
      await (await fetch(`${judge.url}/__nonet/journal/1/edit`, { headers: HTML })).text()
    )
    await pageAfter(judge.url, '/__nonet/send', {
      ...form,
      body: (form.body ?? '').replace('"one"', '1')
    })
    const [got] = upstream.take()
    assert.deepEqual(JSON.parse(got?.body ?? ''), { name: 'Leek', bed: 1, password: 'pw-1' })
    assert.equal(got?.headers.authorization, 'Bearer b-1')
    assert.match(got?.path ?? '', /access_token=t-1$/)
  })

  test('is shown as curl and fetch, with credentials hidden', async () => {
    const page = plainText(
      await (await fetch(`${api.url}/__nonet/journal/1`, { headers: HTML })).text()
    ).replace(/<[^>]*>/g, '')
    assert.ok(page.includes(`curl '${api.url}/plants?access_token=***&x=%20'`), page)
    assert.ok(page.includes(`--data-raw '{"name":"Leek","bed":"one","password":"***"}'`))
    assert.ok(page.includes(`await fetch('${api.url}/plants?access_token=***&x=%20', {`))
  })

  test('with more than the journal keeps of a body is not sent again', async () => {
    const { id } = (await (
      await sendJson(api.url, { method: 'POST', target: '/plants', body: 'x'.repeat(17_000) })
    ).json()) as DescribedEntry
    const answer = await fetch(`${api.url}/__nonet/journal/${id}/send`, { method: 'POST' })
    assert.equal(answer.status, 422)
  })
})

describe('what is sent stays in the process', () => {
  test('whatever the target names, no other server is reached, nor the admin pages', async () => {
    let connections = 0
    const other = createServer((_request, response) => response.end()).listen(0, '127.0.0.1')
    other.on('connection', () => connections++)
    await new Promise((resolve) => other.once('listening', resolve))
    const host = `127.0.0.1:${(other.address() as AddressInfo).port}`
    await using api = await mock(GARDEN)
    for (const target of [
      `http://${host}/beds`,
      `${host}/beds`,
      '/__nonet/journal/clear',
      '',
      '*'
    ]) {
      const answer = await sendJson(api.url, { method: 'POST', target })
      assert.equal(answer.status, 422, target)
      assert.equal(((await answer.json()) as { code: string }).code, 'INVALID_REQUEST')
    }
    for (const request of [{ target: `//${host}/beds` }, { target: '/beds', headers: { host } }]) {
      assert.equal((await sendJson(api.url, request)).status, 200)
    }
    assert.equal(connections, 0)
    other.close()
  })

  test('a request that came through a proxy causes no call to this machine', async () => {
    await using receiver = await openWebhook()
    const responses = { 200: { description: '' } }
    const told = { '{$request.query.to}': { post: { responses } } }
    const document = write({
      openapi: '3.1.0',
      info: { title: 'Calls', version: '1' },
      paths: { '/a': { get: { responses, callbacks: { told } } } }
    })
    const adminToken = 'the-admin-token-of-this-test'
    const nonet = await start({
      services: ['mock'],
      console: false,
      adminToken,
      mock: { documents: [document], reload: false }
    })
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${adminToken}`
    }
    const send = (name: string, more: Record<string, string>) => {
      const body = JSON.stringify({
        target: `/a?to=${encodeURIComponent(new URL(name, receiver.url).href)}`
      })
      return sendPlain(`${nonet.mock.url}/__nonet/send`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body
      })
    }
    const outcomes = [await send('/proxied', { via: '1.1 proxy' }), await send('/local', {})]
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      [200, 200]
    )
    // The mock stops when all callbacks have ended.
    await nonet.stop()
    assert.deepEqual(
      receiver.take().map(({ path }) => path),
      ['/local']
    )
  })
})

test('people who open / and browsers that fetch an icon count nowhere', async () => {
  await using api = await mock(GARDEN)
  const opened = await sendPlain(`${api.url}/`, { headers: NAVIGATION })
  assert.match(opened.body.toString(), /href="[^"]*\/__nonet\/"/)
  await fetch(`${api.url}/favicon.ico`)
  await fetch(`${api.url}/__nonet/`, { headers: HTML })
  assert.deepEqual(api.journal(), [])
  assert.deepEqual(api.violations(), [])
  const { calls, strays } = api.coverage()
  assert.deepEqual([calls, strays], [0, 0])
  // A program that asks for a path without an operation has made a mistake.
  await fetch(`${api.url}/`)
  await sendPlain(`${api.url}/weeds`, { headers: NAVIGATION })
  assert.equal(api.coverage().strays, 2)
  await using own = await mock(
    write({
      openapi: '3.1.0',
      info: { title: 'Icon', version: '1' },
      paths: { '/favicon.ico': { get: { responses: { 200: { description: '' } } } } }
    })
  )
  await fetch(`${own.url}/favicon.ico`)
  assert.equal(own.coverage().calls, 1)
})
