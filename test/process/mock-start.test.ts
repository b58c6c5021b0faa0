/** What a mock reads from the disk before it listens, and what only when it is wanted. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { launch, ROOT, temporaryFolder } from '../support/launcher.ts'

const PRELOAD = pathToFileURL(join(ROOT, 'test/support/tell-modules.mjs')).href
const PARTS = {
  router: '/node_modules/fastify/',
  window: '/mock/admin/routes.ts',
  rules: '/mock/transform/open-rules.ts',
  hooks: '/mock/hooks/hook-runner.ts',
  proxy: '/mock/proxy/relay.ts',
  state: '/mock/state/state.ts',
  older: '/mock/document/swagger/convert.ts',
  overlays: '/mock/document/amend/amendments.ts',
  reports: '/mock/report/write.ts',
  yaml: '/node_modules/yaml/'
}
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Small', version: '1' },
  paths: { '/a': { get: { responses: { 200: { description: '' } } } } }
}

async function launchMock(document: object, args: readonly string[] = []) {
  const folder = temporaryFolder()
  const file = join(folder.path, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const running = await launch(['mock', '--json', '-p', '0', file, ...args], {
    env: { NODE_OPTIONS: `--import=${PRELOAD}` }
  })
  const { url }: { url: string } = JSON.parse(running.line)
  const read = () =>
    Object.entries(PARTS)
      .filter(([, part]) => running.stderr().includes(part))
      .map(([name]) => name)
  return { ...running, url, read }
}

test('a plain mock reads what answers need, and the window at its first request', async () => {
  await using mock = await launchMock(DOCUMENT)
  assert.equal((await fetch(`${mock.url}/a`)).status, 200)
  assert.equal((await fetch(`${mock.url}/b`)).status, 404)
  assert.match(mock.stderr(), /\/mock\/engine\/engine\.ts/)
  assert.deepEqual(mock.read(), [])

  const body = JSON.stringify({ text: 'x'.repeat(200_000) })
  const headers = { 'content-type': 'application/json' }
  const answers = await Promise.all([
    fetch(`${mock.url}/__nonet/healthz`),
    fetch(`${mock.url}/__nonet/operations`),
    fetch(`${mock.url}/__nonet/nowhere`, { method: 'POST', headers, body }),
    fetch(`${mock.url}/a`)
  ])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 404, 200]
  )
  assert.equal(answers[2]?.headers.get('content-type'), 'application/problem+json')
  assert.deepEqual(mock.read(), ['router', 'window'])
  assert.equal((await mock.end()).code, 0)
})

test('whoever leaves before the window is there disturbs nobody', async () => {
  await using mock = await launchMock(DOCUMENT)
  const leaving = new AbortController()
  const left = fetch(`${mock.url}/__nonet/journal/events`, { signal: leaving.signal })
  setTimeout(() => leaving.abort(), 5)
  await assert.rejects(left.then((answer) => answer.text()))
  assert.equal((await fetch(`${mock.url}/__nonet/readyz`)).status, 200)
  const { code, stderr } = await mock.end()
  assert.equal(code, 0)
  assert.doesNotMatch(stderr, /Error/)
})

test('each part is read by who asks for it', async () => {
  const ruled = { ...DOCUMENT, 'x-nonet-transform': [{ do: [{ setHeader: { 'x-a': 'b' } }] }] }
  await using rules = await launchMock(ruled)
  assert.equal((await fetch(`${rules.url}/a`)).headers.get('x-a'), 'b')
  assert.deepEqual(
    // Rules and hooks share their place in an exchange.
    rules.read().filter((part) => part !== 'hooks'),
    ['rules']
  )
  await using state = await launchMock(DOCUMENT, ['--state', '--no-admin'])
  assert.deepEqual(state.read(), ['state'])
  await using older = await launchMock({ swagger: '2.0', paths: DOCUMENT.paths })
  assert.equal((await fetch(`${older.url}/a`)).status, 200)
  assert.deepEqual(older.read(), ['older'])
})
