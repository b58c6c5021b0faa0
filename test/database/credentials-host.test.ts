import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { backUp, copy, restore } from '../../src/host/archive.ts'
import { configure } from '../../src/host/configuration.ts'
import type { RawSettings } from '../../src/host/configuration-reader.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { bearerToken } from '../../src/kernel/admin.ts'
import { credentialsMigration } from '../../src/kernel/credentials/table.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import type { Service } from '../../src/kernel/service.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

const NAME = `guarded${process.pid}`
const UNKNOWN = `nnt_${'0'.repeat(43)}`
const quiet = {
  progress: () => {},
  services: [{ name: NAME, migrations: [credentialsMigration()] }]
}
const reporter = { requestLog: undefined, warn: assert.fail, onUnexpectedError: assert.fail }

/** The smallest service with tokens: it responds with what `authenticate` finds. */
const guarded: Service = {
  name: NAME,
  label: 'I-99',
  summary: 'checks tokens',
  compatibleWith: 'nothing',
  example: { method: 'GET', path: '/' },
  settings: {},
  migrations: [credentialsMigration()],
  credentials: {
    scopes: { read: 'read', publish: 'publish' },
    defaultScopes: ['read'],
    format: 'nonet',
    formats: { publish: 'publishable' },
    flags: { part: { type: 'string', about: 'part' } }
  },
  renderError: ({ statusCode = 500, message }) => ({
    status: statusCode,
    body: message,
    type: 'text/plain'
  }),
  openapi: () => ({}),
  async mount({ credentials }) {
    return {
      routes(app) {
        app.get('/', async ({ raw }) =>
          JSON.stringify(await credentials.authenticate(raw, bearerToken(raw.headers)))
        )
      }
    }
  }
}

async function openGuarded(given: RawSettings): Promise<Host & AsyncDisposable> {
  const configuration = configure({ portBase: 0, quiet: true, ...given })
  const host = await openHost({ ...configuration, services: [guarded] }, reporter)
  return { ...host, [Symbol.asyncDispose]: host.stop }
}

async function ask(host: Host, secret: string, headers: object = {}) {
  const url = host.services[0]?.url ?? ''
  const response = await fetch(url, { headers: { authorization: `Bearer ${secret}`, ...headers } })
  return response.json()
}

async function callConsole(host: Host, method: string, path = '', body?: object) {
  const response = await fetch(`${host.console?.url}/${NAME}/tokens${path}`, {
    method,
    headers: { authorization: `Bearer ${host.token}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    ...(method === 'DELETE' && { body: '{}' })
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

async function createToken(host: Host, body?: object): Promise<{ id: string; secret: string }> {
  const created = await callConsole(host, 'POST', '', body)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  return { id: created.body.token.id, secret: created.body.secret }
}

async function dropTables(engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await dropSchema({ url: postgresUrl(), schema: `nonet_${NAME}`, durable: true })
}

for (const engine of ENGINES) {
  describe(`a service with tokens, on ${engine}`, () => {
    after(() => dropTables(engine))

    test('the console creates, lists and revokes tokens', async () => {
      await using host = await openGuarded({ ephemeral: true, ...engineOptions(engine) })
      assert.deepEqual((await callConsole(host, 'GET')).body, { tokens: [] })
      const created = await callConsole(host, 'POST', '', { name: 'ci', expires: '1h' })
      assert.equal(created.status, 201)
      assert.equal(created.headers.get('cache-control'), 'no-store')
      const { secret, token } = created.body
      const { id, createdAt, expiresAt, ...facts } = token
      assert.deepEqual(facts, {
        name: 'ci',
        scopes: ['read'],
        bindings: ['*'],
        boundTo: ['*'],
        usedAt: null,
        replacedBy: null,
        state: 'active'
      })
      assert.ok(Math.abs(Date.parse(expiresAt) - Date.parse(createdAt) - 3_600_000) < 10_000)
      assert.equal((await ask(host, secret)).tokenId, id)
      const { tokens } = (await callConsole(host, 'GET')).body
      assert.ok(Date.parse(tokens[0].usedAt) >= Date.parse(createdAt))
      assert.deepEqual(tokens, [{ ...token, usedAt: tokens[0].usedAt }])
      assert.deepEqual((await callConsole(host, 'DELETE', `/${id}`)).body, { revoked: id })
      assert.equal(await ask(host, secret), 'invalid')
      const unknown = await callConsole(host, 'DELETE', '/none')
      assert.deepEqual([unknown.status, unknown.body.error], [404, 'TOKEN_UNKNOWN'])
    })

    test('the console creates tokens of the format of their scope', async () => {
      await using host = await openGuarded({ ephemeral: true, ...engineOptions(engine) })
      const body = { scopes: ['publish'], flags: { part: 'a' } }
      const { id, secret } = await createToken(host, body)
      assert.match(secret, /^pk_[0-9A-Za-z]{20}$/)
      const { tokenId, scopes, createdAt } = await ask(host, secret)
      assert.deepEqual([tokenId, scopes], [id, ['publish']])
      assert.ok(Math.abs(Date.now() - createdAt) < 60_000)
      assert.match((await createToken(host)).secret, /^nnt_/)
    })

    test('a wrong request for a token says why and creates none', async () => {
      await using host = await openGuarded({ ephemeral: true, ...engineOptions(engine) })
      const { id } = await createToken(host, { flags: { part: 'a' } })
      const rejected: readonly [body: unknown, message: RegExp][] = [
        [[], /must be a JSON object/],
        [{ nmae: 'x' }, /Unknown field nmae/],
        [{ name: 1 }, /name must be text/],
        [{ name: 'a\u001b[2J' }, /no control characters/],
        [{ name: 'a'.repeat(101) }, /at most 100/],
        [{ scopes: [] }, /scopes must be a list/],
        [{ scopes: 'read' }, /scopes must be a list/],
        [{ scopes: ['wirte'] }, /Unknown scope wirte; the scopes are read, publish/],
        [{ scopes: ['publish', 'read'] }, /scope publish can have no other scope/],
        [{ scopes: ['constructor'] }, /Unknown scope/],
        [{ expires: '2001-01-01' }, /expires must be/],
        [{ expires: 30 }, /expires must be/],
        [{ overlap: '1h' }, /overlap needs replaces/],
        [{ replaces: id, overlap: 'soon' }, /overlap must be/],
        [{ replaces: id, flags: { part: 'b' } }, /same resources/],
        [{ flags: { other: 'x' } }, /Wrong flag other/],
        [{ flags: { part: true } }, /Wrong flag part/],
        [{ flags: { toString: 'x' } }, /Wrong flag toString/]
      ]
      for (const [body, message] of rejected) {
        const response = await callConsole(host, 'POST', '', body as object)
        assert.deepEqual([response.status, response.body.error], [400, 'TOKEN_REQUEST_INVALID'])
        assert.match(response.body.message, message)
      }
      const large = await callConsole(host, 'POST', '', { name: 'x'.repeat(20_000) })
      assert.equal(large.status, 413)
      assert.equal((await callConsole(host, 'GET')).body.tokens.length, 1)
    })

    test('failed tokens are limited by the address that a trusted proxy tells', async () => {
      const given = { ephemeral: true, trustedProxy: ['127.0.0.1'], ...engineOptions(engine) }
      await using host = await openGuarded(given)
      const { id, secret } = await createToken(host)
      const one = { 'x-forwarded-for': '203.0.113.1' }
      const outcomes = await Promise.all(Array.from({ length: 22 }, () => ask(host, UNKNOWN, one)))
      assert.equal(outcomes.filter((outcome) => outcome === 'invalid').length, 20)
      const { retryAfter } = await ask(host, 'x', one)
      assert.ok(retryAfter > 0 && retryAfter <= 60)
      assert.equal(await ask(host, UNKNOWN, { 'x-forwarded-for': '203.0.113.2' }), 'invalid')
      assert.equal((await ask(host, secret, one)).tokenId, id)
    })

    test('tokens and their last use outlive a restart, a backup and a copy, but no reset', async () => {
      using folder = temporaryFolder()
      const storage = (path: string, on: Engine) => ({
        folder: path,
        ephemeral: false,
        database: on === 'sqlite' ? undefined : postgresUrl()
      })
      const given = { data: join(folder.path, 'a'), ...engineOptions(engine) }
      const first = await openGuarded(given)
      const { id, secret } = await createToken(first)
      await ask(first, secret)
      await first.stop()
      const file = join(folder.path, 'backup.jsonl.gz')
      const other = ENGINES.find((one) => one !== engine) ?? engine
      await backUp(storage(given.data, engine), file, quiet)
      const copied = join(folder.path, 'copied')
      await copy(storage(given.data, engine), storage(copied, other), { ...quiet, force: true })
      {
        await using host = await openGuarded(given)
        assert.notEqual((await callConsole(host, 'GET')).body.tokens[0].usedAt, null)
        await host.reset(NAME)
        assert.equal(await ask(host, secret), 'invalid')
      }
      await restore(file, storage(given.data, engine), { ...quiet, force: true })
      for (const settings of [given, { data: copied, ...engineOptions(other) }]) {
        await using host = await openGuarded(settings)
        assert.equal((await ask(host, secret)).tokenId, id)
      }
      await dropTables('postgres')
    })
  })
}

test('a revocation is seen at once by another host on the same database', async () => {
  using folder = temporaryFolder()
  const open = (name: string) =>
    openGuarded({ data: join(folder.path, name), database: postgresUrl() })
  await using one = await open('one')
  await using other = await open('other')
  const { id, secret } = await createToken(one)
  assert.equal((await ask(other, secret)).tokenId, id)
  await callConsole(one, 'DELETE', `/${id}`)
  assert.equal(await ask(other, secret), 'invalid')
  await Promise.all([one.stop(), other.stop()])
  await dropTables('postgres')
})
