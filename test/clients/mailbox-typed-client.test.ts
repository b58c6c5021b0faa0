/** openapi-fetch with the types that openapi-typescript generates from /swagger.json. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { ADMIN_TOKEN, sandboxOf } from '../contract/mailbox-site.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { openClientProject } from '../support/typed-client.ts'

const TIMEOUT_MS = 300_000

const CLIENT = `import createClient from 'openapi-fetch'
import type { paths } from './mailbox.ts'
const [baseUrl = '', account = '', token = '', address = ''] = process.argv.slice(2)
const mailbox = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } })
const path = { account }
const sent = await mailbox.POST('/v1/account/{account}/submit', {
  params: { path },
  body: { to: [{ address }], subject: 'Typed', text: 'Hello' }
})
const queueId: string | undefined = sent.data && 'queueId' in sent.data ? sent.data.queueId : undefined
const { data: listed } = await mailbox.GET('/v1/account/{account}/mailboxes', { params: { path } })
const paths: string[] = listed?.mailboxes.map((entry) => entry.path) ?? []
const { data: page } = await mailbox.GET('/v1/account/{account}/messages', {
  params: { path, query: { path: 'INBOX', pageSize: 5 } }
})
const total: number | undefined = page?.total
const { error, response } = await mailbox.GET('/v1/account/{account}', {
  params: { path: { account: 'unknown' } }
})
console.log(JSON.stringify({ isQueued: queueId !== undefined, inbox: paths[0], total: typeof total, message: error?.message, status: response.status }))
`

const WRONG = `import createClient from 'openapi-fetch'
import type { paths } from './mailbox.ts'
const mailbox = createClient<paths>({ baseUrl: '' })
const params = { path: { account: 'ada' } }
await mailbox.GET('/v1/account/{account}/letters', { params })
await mailbox.POST('/v1/account/{account}/submit', { params, body: { subject: 1 } })
`

test('a typed client compiles and works, and a wrong one does not compile', {
  timeout: TIMEOUT_MS
}, async () => {
  using folder = temporaryFolder()
  const { generate, compile, run } = openClientProject(folder.path)
  await using nonet = await start({ services: ['mailbox'], adminToken: ADMIN_TOKEN })
  const sandbox = sandboxOf(nonet)
  const { account, token, address } = await sandbox.account()
  const document = join(folder.path, 'swagger.json')
  writeFileSync(document, JSON.stringify(await sandbox.json({ path: '/swagger.json' })))
  writeFileSync(join(folder.path, 'client.ts'), CLIENT)
  writeFileSync(join(folder.path, 'wrong.ts'), WRONG)
  await generate(document, 'mailbox.ts')
  const compiled = await compile('client.ts', 'wrong.ts')
  const errors = [...compiled.stdout.matchAll(/^(\S+)\((\d+),/gm)]
  assert.deepEqual(
    errors.map(([, file, line]) => `${file} ${line}`),
    ['wrong.ts 5', 'wrong.ts 6']
  )
  assert.equal(compiled.stderr, '')
  const { code, stdout, stderr } = await run('client.ts', [sandbox.url, account, token, address])
  assert.equal(code, 0, stderr)
  assert.deepEqual(JSON.parse(stdout), {
    ...{ isQueued: true, inbox: 'INBOX', total: 'number', status: 404 },
    message: 'Account record was not found for requested ID'
  })
})
