/** Pages for people who open a URL of the mock that has no operation. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type MockedApi, type MockInTestOptions, mock } from '../../src/host/mock.ts'
import { openUpstream } from '../support/mock-upstream.ts'
import { NAVIGATION } from '../support/navigation.ts'
import { sendPlain } from '../support/plain-http.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const text = (example: string) => ({ description: '', content: { 'text/plain': { example } } })
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Errors', version: '1' },
  paths: {
    '/gone': { get: { responses: { 404: text('documented') } } },
    '/strict': {
      get: {
        parameters: [{ name: 'n', in: 'query', required: true, schema: { type: 'integer' } }],
        responses: { 200: text('ok') }
      }
    },
    '/post': { post: { responses: { 200: text('posted') } } }
  }
}

const folder = scratchFolder()
const file = join(folder, 'document.json')
writeFileSync(file, JSON.stringify(DOCUMENT))

function open(options: MockInTestOptions = {}): Promise<MockedApi> {
  return mock(file, options)
}

async function show(api: MockedApi, path: string) {
  const { status, headers, body } = await sendPlain(api.url + path, { headers: NAVIGATION })
  return { status, headers, type: headers['content-type'], text: body.toString() }
}

describe('a mock with admin pages', () => {
  let api: MockedApi
  before(async () => {
    api = await open()
  })
  after(() => api.stop())

  test('a path without operation leads to the admin pages', async () => {
    const { status, type, text } = await show(api, '/nope')
    assert.deepEqual([status, type], [404, 'text/html; charset=utf-8'])
    assert.ok(text.includes(`href="${api.url}/__nonet/"`))
    // `nonet mock` has no console.
    assert.ok(text.includes('<span class="brand">'))
  })

  test('a path without GET keeps 405 and Allow', async () => {
    const { status, type, headers } = await show(api, '/post')
    assert.deepEqual([status, type, headers.allow], [405, 'text/html; charset=utf-8', 'POST'])
  })

  test('an error of an operation is never replaced', async () => {
    const documented = await show(api, '/gone')
    assert.deepEqual([documented.status, documented.text], [404, 'documented'])
    const invalid = await show(api, '/strict?n=x')
    assert.deepEqual([invalid.status, invalid.type], [422, 'application/problem+json'])
  })

  test('the journal has the problem', async () => {
    api.reset()
    await show(api, '/nope')
    const [entry] = api.journal()
    assert.match(JSON.stringify(entry), /NO_PATH_MATCHED_ERROR/)
  })
})

test('without admin pages there are no error pages', async () => {
  await using api = await open({ admin: false })
  for (const path of ['/nope', '/post', '/__nonet/nope']) {
    assert.equal((await show(api, path)).type, 'application/problem+json', path)
  }
})

test('in front of an upstream, its errors and those of the mock are sent as they are', async () => {
  const upstream = await openUpstream((_request, response) => {
    response.writeHead(404, { 'content-type': 'text/plain' }).end('not there')
  })
  await using api = await open({ upstream: upstream.url })
  try {
    const passed = await show(api, '/nope')
    assert.deepEqual([passed.status, passed.text], [404, 'not there'])
  } finally {
    await upstream.close()
  }
  const unreachable = await show(api, '/nope')
  assert.equal(unreachable.type, 'application/problem+json', unreachable.text)
})

test('a response that a rule made of the problem is sent as it is', async () => {
  const rules = join(folder, 'rules.json')
  const change = { phase: 'final', match: { status: 404 }, do: [{ setStatus: 418 }] }
  writeFileSync(rules, JSON.stringify({ rules: [change] }))
  await using api = await open({ transform: [rules] })
  const { status, type } = await show(api, '/nope')
  assert.deepEqual([status, type], [418, 'application/problem+json'])
})
