/** The whole I-5 table in every runtime the adapters are for, from the compiled package. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { http } from '@google-cloud/functions-framework'
import { getTestServer } from '@google-cloud/functions-framework/testing'
import { execute, setLogger } from 'lambda-local'
import { Miniflare } from 'miniflare'
import {
  ALL_ROWS,
  CHARSET_ROWS,
  type FormRow,
  SEED_ROWS,
  SHORT_TIMEOUT_MS,
  SHORT_TIMEOUT_PATH,
  TIMEOUT_MS,
  TIMEOUT_ROWS,
  WEBHOOK_ANSWERS
} from '../contract/forms-table.ts'
import { type Answer, compare, type Sent, send } from '../support/contract.ts'
import { openWebhook } from '../support/webhook.ts'
import { compilePackage } from './compiled-package.ts'
import { findRuntime, startRuntime } from './runtime-process.ts'

interface Opened {
  send: (sent: Sent) => Promise<Answer>
  close: () => Promise<unknown>
}

const webhook = await openWebhook(WEBHOOK_ANSWERS)
const compiled = await compilePackage()
process.env.FORMS_WEBHOOK = webhook.url
after(() => Promise.all([webhook.close(), compiled.remove()]))

const CONFIGURED_ROWS = [...ALL_ROWS, ...CHARSET_ROWS, ...TIMEOUT_ROWS]

/** Source of a function from the adapter's `create`; the path, given by `pathOf`, chooses the timeout. */
function configured(create: string, pathOf: string): string {
  const [usual, short] = [TIMEOUT_MS, SHORT_TIMEOUT_MS].map(
    (timeoutMs) => `${create}({ webhook: '${webhook.url}', timeoutMs: ${timeoutMs} })`
  )
  return `((usual, short, pathOf) => (input, ...others) =>
  (pathOf(input) === '${SHORT_TIMEOUT_PATH}' ? short : usual)(input, ...others)
)(${usual}, ${short}, ${pathOf})`
}

const FETCH_HANDLER = configured('createFetchHandler', '({ url }) => new URL(url).pathname')

function play(title: string, rows: readonly FormRow[], open: () => Promise<Opened>): void {
  describe(title, () => {
    let opened: Opened
    before(async () => {
      opened = await open()
    })
    after(() => opened.close())
    for (const { proves, send: sent, expect, forwards = [], isCut } of rows) {
      test(proves, async () => {
        webhook.take()
        await compare(await opened.send(sent), expect)
        const posts = webhook.take().filter(({ method }) => method === 'POST')
        const bodies = posts.map(({ body }) => body)
        // Deno repeats a request by itself when a kept connection is cut.
        assert.deepEqual(isCut ? [...new Set(bodies)] : bodies, forwards)
      })
    }
  })
}

/** Both ways to use an adapter: with a configuration, and as it is with FORMS_WEBHOOK. */
async function importFrom(name: string, source: string) {
  return import(pathToFileURL(await compiled.write(name, source)).href)
}

function overHttp(url: string, close: () => Promise<unknown>): Opened {
  return { send: (sent) => send(url, sent), close }
}

type Handle = (request: Request) => Promise<Response>

function inProcess(handle: Handle): Opened {
  return {
    async send({ method = 'GET', path, headers, body }) {
      const url = `https://function.example${path}`
      const init = { method, headers: headers ?? {}, body: body ?? null }
      const response = await handle(new Request(url, init))
      return { status: response.status, headers: response.headers, text: await response.text() }
    },
    close: async () => {}
  }
}

play('Request and Response of Node, as Netlify 2 and Vercel call it', CONFIGURED_ROWS, async () => {
  const source = `import { createFetchHandler } from 'nonet/forms/fetch'
export const handle = ${FETCH_HANDLER}`
  return inProcess((await importFrom('web.mjs', source)).handle)
})

play('the default export of nonet/forms/fetch', SEED_ROWS, async () => {
  const source = `export { default } from 'nonet/forms/fetch'`
  return inProcess((await importFrom('web-default.mjs', source)).default.fetch)
})

const WORKER = './node_modules/nonet/dist/services/forms/adapters/fetch.js'

async function openWorker(source: string): Promise<Opened> {
  const worker = new Miniflare({
    modules: true,
    modulesRules: [{ type: 'ESModule', include: ['**/*.js', '**/*.mjs'] }],
    scriptPath: await compiled.write('worker.mjs', source),
    modulesRoot: compiled.folder,
    compatibilityDate: '2025-07-01',
    bindings: { FORMS_WEBHOOK: webhook.url }
  })
  return overHttp((await worker.ready).origin, () => worker.dispose())
}

play('workerd, the runtime of Cloudflare Workers', CONFIGURED_ROWS, () =>
  openWorker(`import { createFetchHandler } from '${WORKER}'
export default { fetch: ${FETCH_HANDLER} }`)
)

play('workerd with a binding', SEED_ROWS, () => openWorker(`export { default } from '${WORKER}'`))

const SERVER = `import { createFetchHandler } from 'nonet/forms/fetch'
export default { fetch: ${FETCH_HANDLER} }`
const DEFAULT_SERVER = `export { default } from 'nonet/forms/fetch'`

async function openDeno(source: string): Promise<Opened> {
  const entry = await compiled.write('deno-server.mjs', source)
  const flags = ['--allow-net', '--allow-env', '--port', '0', '--host', '127.0.0.1']
  const { url, stop } = await startRuntime(
    findRuntime('deno'),
    ['serve', ...flags, entry],
    compiled.folder,
    { DENO_DIR: `${compiled.folder}/.deno`, DENO_NO_UPDATE_CHECK: '1', NO_COLOR: '1' }
  )
  return overHttp(url, stop)
}

play('deno', CONFIGURED_ROWS, () => openDeno(SERVER))
play('deno with FORMS_WEBHOOK', SEED_ROWS, () => openDeno(DEFAULT_SERVER))

async function openBun(source: string): Promise<Opened> {
  const entry = await compiled.write('bun-server.mjs', source)
  const env = { BUN_PORT: '0', NO_COLOR: '1', DO_NOT_TRACK: '1' }
  const { url, stop } = await startRuntime(findRuntime('bun'), [entry], compiled.folder, env)
  return overHttp(url, stop)
}

play('bun', CONFIGURED_ROWS, () => openBun(SERVER))
play('bun with FORMS_WEBHOOK', SEED_ROWS, () => openBun(DEFAULT_SERVER))

/** At 0 to 2 lambda-local mutes stdout, and with it the reports of the test runner. */
const UNMUTED = -1

type ToEvent = (sent: Sent) => object

/** A gateway hands over text, and base64 where the bytes are none. */
function textOrBase64(body: Sent['body']) {
  if (typeof body === 'string') return { body, isBase64Encoded: false }
  return { body: Buffer.from(body ?? '').toString('base64'), isBase64Encoded: true }
}

const EVENTS: Readonly<Record<string, ToEvent>> = {
  'API Gateway 1.0': ({ method, path, headers, body }) => ({
    httpMethod: method,
    path,
    headers: capitalised(headers),
    ...(body ? textOrBase64(body) : { body: null, isBase64Encoded: false })
  }),
  'HTTP API 2.0 and Function URL': ({ method, path, headers, body }) => ({
    version: '2.0',
    rawPath: path,
    headers,
    requestContext: { http: { method, path } },
    ...(body ? { body: Buffer.from(body).toString('base64') } : {}),
    isBase64Encoded: Boolean(body)
  }),
  'Netlify 1': ({ method, path, headers, body }) => ({
    httpMethod: method,
    path,
    headers,
    ...(body ? textOrBase64(body) : { body: undefined, isBase64Encoded: true })
  })
}

function capitalised(headers: Sent['headers'] = {}) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase()),
      value
    ])
  )
}

async function openLambda(toEvent: ToEvent, source: string, name: string): Promise<Opened> {
  setLogger({ log() {}, warn() {}, info() {}, error() {}, debug() {}, transports: [] })
  const lambdaFunc = await importFrom(name, source)
  return {
    async send(sent) {
      const event = toEvent(sent)
      const answer = Object(
        await execute({ event, lambdaFunc, timeoutMs: 20_000, verboseLevel: UNMUTED })
      )
      const { statusCode, headers, body } = answer
      return { status: statusCode, headers: new Headers(headers), text: body }
    },
    close: async () => {}
  }
}

for (const [name, toEvent] of Object.entries(EVENTS)) {
  const file = `lambda-${Object.keys(EVENTS).indexOf(name)}`
  const source = `import { createHandler } from 'nonet/forms/lambda'
export const handler = ${configured('createHandler', '({ path, rawPath }) => path ?? rawPath')}`
  play(`lambda-local, ${name}`, CONFIGURED_ROWS, () => openLambda(toEvent, source, `${file}.mjs`))
  play(`lambda-local, ${name} with FORMS_WEBHOOK`, SEED_ROWS, () =>
    openLambda(toEvent, `export { handler } from 'nonet/forms/lambda'`, `${file}-default.mjs`)
  )
}

test('a lambda sees origin and content type however they are spelled', async () => {
  const { createHandler } = await importFrom('cors.mjs', `export * from 'nonet/forms/lambda'`)
  const handler = createHandler({
    webhook: webhook.url,
    origins: ['https://www.example.org'],
    acceptForms: true
  })
  const { statusCode, headers } = await handler({
    httpMethod: 'OPTIONS',
    headers: { Origin: 'https://www.example.org', 'Access-Control-Request-Method': 'POST' }
  })
  assert.equal(statusCode, 204)
  assert.equal(headers['access-control-allow-origin'], 'https://www.example.org')
  const asked = { origin: 'https://www.example.org', 'access-control-request-method': 'POST' }
  const preflight = { requestContext: { http: { method: 'OPTIONS' } }, headers: asked }
  assert.equal((await handler(preflight)).statusCode, 204)
  const form = { 'CONTENT-TYPE': 'application/x-www-form-urlencoded' }
  assert.equal((await handler({ headers: form, body: 'email=a&fullName=b' })).statusCode, 200)
  assert.equal((await handler({ headers: null, body: '{}' })).body, 'email parameter required')
})

/** The framework itself refuses `application/json` it cannot parse, before any function runs. */
function asFrameworkTakesIt(sent: Sent): Sent {
  const isObject = typeof sent.body === 'string' && /^{.*}$/s.test(sent.body)
  const isJson = sent.headers?.['content-type'] === 'application/json'
  return isObject || !isJson
    ? sent
    : { ...sent, headers: { ...sent.headers, 'content-type': 'text/plain' } }
}

async function openFramework(source: string, name: string, target: string): Promise<Opened> {
  http(target, (await importFrom(name, source)).forms)
  const server = getTestServer(target).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    send: (sent) => send(`http://127.0.0.1:${port}`, asFrameworkTakesIt(sent)),
    async close() {
      server.closeAllConnections()
      server.close()
    }
  }
}

play('functions-framework', [...ALL_ROWS, ...TIMEOUT_ROWS], () =>
  openFramework(
    `import { createFunction } from 'nonet/forms/gcf'
export const forms = ${configured('createFunction', '({ path }) => path')}`,
    'gcf.mjs',
    'configured'
  )
)
play('functions-framework with FORMS_WEBHOOK', SEED_ROWS, () =>
  openFramework(`export { forms } from 'nonet/forms/gcf'`, 'gcf-default.mjs', 'plain')
)
