/** `import { mock } from 'nonet/mock'`: a mocked API inside somebody's test. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { mock } from '../../src/host/mock.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const GARDEN = join(import.meta.dirname, '../../data/mock/garden.yaml')

test('it answers, tells its operations, what was called and what was wrong', async () => {
  await using api = await mock(GARDEN)
  assert.match(api.url, /^http:\/\/127\.0\.0\.1:\d+$/)
  assert.equal(api.operations.length, 6)
  const [beds] = api.operations
  assert.deepEqual(
    [beds?.method, beds?.operationId, beds?.url],
    ['GET', 'listBeds', `${api.url}/beds`]
  )
  assert.equal((await fetch(beds?.url ?? '')).status, 200)
  assert.deepEqual(api.violations(), [])
  assert.equal((await fetch(`${api.url}/plants?limit=0`)).status, 422)
  assert.equal((await fetch(`${api.url}/weeds`)).status, 404)
  assert.deepEqual(
    api.violations().map(({ path, status, location }) => [path, status, location]),
    [
      ['/plants', 422, 'request.query.limit'],
      ['/weeds', 404, '']
    ]
  )
  const { operations, covered, calls, violations, strays, byOperation } = api.coverage()
  assert.deepEqual([operations, covered, calls, violations, strays], [6, 2, 2, 1, 1])
  assert.deepEqual(byOperation[0]?.statuses, { 200: 1 })
  assert.deepEqual(
    api.journal().map(({ path, query, status }) => [path, query, status]),
    [
      ['/weeds', '', 404],
      ['/plants', 'limit=0', 422],
      ['/beds', '', 200]
    ]
  )
  api.reset()
  assert.deepEqual([api.journal(), api.violations(), api.coverage().calls], [[], [], 0])
})

test('nothing listens after stop, and a second stop does no harm', async () => {
  const api = await mock(pathToFileURL(GARDEN))
  await api.stop()
  await api.stop()
  await assert.rejects(fetch(api.url))
})

test('stop does not wait for idle connections', async () => {
  const times: number[] = []
  // A listener of other clients keeps them for 100 ms; a busy machine may take longer, too.
  while (times.length < 20 && !times.some((time) => time < 90)) {
    const api = await mock(GARDEN)
    await (await fetch(`${api.url}/beds`)).arrayBuffer()
    const began = performance.now()
    await api.stop()
    times.push(performance.now() - began)
  }
  assert.ok(Math.min(...times) < 90, `${times} ms`)
})

test('a request that is under way when the mock stops gets its response', async () => {
  const beds = '[{"id":1,"name":"Herbs"}]'
  const arrived = Promise.withResolvers<ServerResponse>()
  const upstream = createServer((_, response) => arrived.resolve(response))
  await once(upstream.listen(0, '127.0.0.1'), 'listening')
  const { port } = upstream.address() as AddressInfo
  const api = await mock(GARDEN, { upstream: `http://127.0.0.1:${port}` })
  const idle = connect(Number(new URL(api.url).port), '127.0.0.1').resume()
  await once(idle, 'connect')
  const answer = fetch(`${api.url}/beds`)
  const response = await arrived.promise
  const stopped = api.stop()
  await once(idle, 'close')
  response.writeHead(200, { 'content-type': 'application/json' }).end(beds)
  assert.equal(await (await answer).text(), beds)
  await stopped
  upstream.close()
})

test('options are the settings of the service; several documents; two at once', async () => {
  await using first = await mock([`garden=${GARDEN}`, `second=${GARDEN}`], {
    dynamic: true,
    seed: 'a',
    cors: false,
    validateRequest: false
  })
  await using second = await mock(GARDEN, { dynamic: true, seed: 'a' })
  const answer = await fetch(`${first.url}/second/plants?limit=0`)
  assert.equal(answer.headers.get('access-control-allow-origin'), null)
  assert.equal(await answer.text(), await (await fetch(`${second.url}/plants`)).text())
  assert.deepEqual([first.operations.length, second.operations.length], [12, 6])
  assert.notEqual(first.url, second.url)
})

test('a report is written at the end', async () => {
  const folder = scratchFolder()
  const file = (name: string) => join(folder, name)
  const api = await mock(GARDEN, { report: file('one.json') })
  const other = await mock(GARDEN, { report: [file('two.json'), file('two.xml')] })
  for (const { url } of [api, other]) await fetch(`${url}/beds`)
  await Promise.all([api.stop(), other.stop()])
  for (const name of ['one.json', 'two.json']) {
    assert.equal(JSON.parse(readFileSync(file(name), 'utf8')).covered, 1, name)
  }
  assert.match(readFileSync(file('two.xml'), 'utf8'), /<testsuite /)
})

test('what cannot be served is an error that says why', async () => {
  const folder = scratchFolder()
  const empty = join(folder, 'empty.yaml')
  writeFileSync(empty, 'openapi: 3.1.0\npaths: {}\n')
  await assert.rejects(mock('nowhere.yaml'), /nowhere\.yaml cannot be read: file not found/)
  await assert.rejects(mock(empty), /No operation to mock/)
  const wrong: object = { dynamics: true }
  await assert.rejects(mock(GARDEN, wrong), /Unknown key mock\.dynamics in the options of mock\(\)/)
  await assert.rejects(mock(GARDEN, { report: 'a.pdf' }), /must end in one of/)
})

test('documents are read again only when asked', async () => {
  const folder = scratchFolder()
  const file = join(folder, 'a.json')
  const write = (example: number) => {
    const content = { 'application/json': { example } }
    const responses = { 200: { description: '', content } }
    writeFileSync(
      file,
      JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { responses } } } })
    )
  }
  write(1)
  await using still = await mock(file)
  await using moving = await mock(file, { reload: true })
  const read = async (url: string) => (await fetch(`${url}/a`)).text()
  write(2)
  for (let tries = 0; (await read(moving.url)) !== '2'; tries++) {
    assert.ok(tries < 200, 'the change was not seen')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  assert.equal(await read(still.url), '1')
})
