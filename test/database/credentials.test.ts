import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { after, afterEach, before, describe, test } from 'node:test'
import {
  type CredentialsOptions,
  createCredentials
} from '../../src/kernel/credentials/credentials.ts'
import { MAX_TOKENS } from '../../src/kernel/credentials/new-token.ts'
import type { CredentialRules, TokenFacts } from '../../src/kernel/credentials/rules.ts'
import { credentialsMigration } from '../../src/kernel/credentials/table.ts'
import { unbindTokens } from '../../src/kernel/credentials/unbind.ts'
import type { Database } from '../../src/kernel/database/database.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { ENGINES, type TemporaryPlace, temporaryPlace } from '../support/engines.ts'

const HOUR_MS = 3_600_000
const START = Date.parse('2030-01-02T03:04:05Z')
const RULES: CredentialRules = {
  scopes: { read: 'read', write: 'write' },
  defaultScopes: ['read'],
  format: 'nonet',
  flags: {}
}
const TWO_FORMATS: CredentialRules = {
  ...RULES,
  scopes: { ...RULES.scopes, published: 'read what is public' },
  format: 'hex',
  formats: { published: 'publishable' }
}
const UNKNOWN = `nnt_${'0'.repeat(43)}`

for (const engine of ENGINES) {
  describe(`tokens in tables, ${engine}`, () => {
    let location: TemporaryPlace
    let database: Database
    let reads = 0
    let writes = 0
    let time = START
    before(async () => {
      location = temporaryPlace(engine)
      const opened = await openDatabase(location, {
        service: 'things',
        migrations: [credentialsMigration()]
      })
      database = {
        ...opened,
        read(transaction) {
          reads++
          return opened.read(transaction)
        },
        write(transaction, options) {
          writes++
          return opened.write(transaction, options)
        }
      }
    })
    after(async () => {
      await database.close()
      await location[Symbol.asyncDispose]()
    })

    const opened: ReturnType<typeof createCredentials>[] = []
    // Uses that are not stored would be written a minute later, when the database is closed.
    afterEach(async () => {
      for (const { stop } of opened.splice(0)) await stop()
    })

    function open(more: Partial<CredentialsOptions> = {}) {
      const credentials = createCredentials({
        rules: RULES,
        database,
        clientIp: (request) => String(request.headers['x-address']),
        now: () => new Date(time),
        warn: assert.fail,
        ...more
      })
      opened.push(credentials)
      return credentials
    }
    const from = (address: string) =>
      ({ headers: { 'x-address': address } }) as unknown as IncomingMessage
    const rowOf = async (id: string) => {
      const sql = 'select * from credentials where id = ?'
      const [row] = await database.read(() => query<Record<string, unknown>>(sql, id))
      return row ?? assert.fail(`no row ${id}`)
    }
    const outcomeOf = async (secret: string | undefined, address = '192.0.2.1') => {
      const found = await open().authenticate(from(address), secret)
      return typeof found === 'object' && 'tokenId' in found ? found.tokenId : found
    }
    const stateOf = async (id: string): Promise<TokenFacts> =>
      (await open().list()).find((token) => token.id === id) ?? assert.fail(`no token ${id}`)

    test('a token is accepted with what it was created with, and only its hash is stored', async () => {
      const facts = { name: 'laptop ✎', scopes: ['read', 'write'], bindings: ['12'] }
      const { secret, token } = await open().create({ ...facts, expiresAt: time + HOUR_MS })
      assert.match(secret, /^nnt_[0-9A-Za-z]{43}$/)
      const times = { createdAt: time, expiresAt: time + HOUR_MS }
      const principal = { ...facts, tokenId: token.id, ...times }
      assert.deepEqual(await open().authenticate(from('192.0.2.1'), secret), principal)
      const row = JSON.stringify(await rowOf(token.id))
      assert.ok(!row.includes(secret) && !row.includes(secret.slice(4)))
      const shown = JSON.stringify([token, await open().list()])
      assert.ok(!shown.includes(secret) && !shown.includes(String((await rowOf(token.id)).digest)))
    })

    test('missing, unknown, expired and revoked tokens are not accepted', async () => {
      assert.equal(await outcomeOf(undefined), 'missing')
      assert.equal(await outcomeOf(UNKNOWN), 'invalid')
      const credentials = open()
      const expiring = await credentials.create({ expiresAt: time + HOUR_MS })
      const revoked = await credentials.create({})
      assert.equal(await outcomeOf(revoked.secret), revoked.token.id)
      time += HOUR_MS - 1
      assert.equal(await outcomeOf(expiring.secret), expiring.token.id)
      time++
      assert.equal(await outcomeOf(expiring.secret), 'invalid')
      assert.equal((await stateOf(expiring.token.id)).state, 'expired')
      assert.equal(await credentials.revoke(revoked.token.id), true)
      assert.equal(await outcomeOf(revoked.secret), 'invalid')
      const { revoked_at: first } = await rowOf(revoked.token.id)
      time++
      assert.equal(await credentials.revoke(revoked.token.id), true)
      assert.equal((await rowOf(revoked.token.id)).revoked_at, first)
      assert.equal((await stateOf(revoked.token.id)).state, 'revoked')
      assert.equal(await credentials.revoke('none'), false)
    })

    test('a removed resource leaves no token: some end, others are for the rest', async () => {
      const create = async (bindings: readonly string[]) =>
        (await open().create({ bindings })).token
      const alone = await create(['gone"]'])
      const several = await create(['a', 'gone"]', 'b'])
      const other = await create(['gone'])
      const all = await create(['*'])
      await database.write(() => unbindTokens('gone"]', time))
      const left = []
      for (const { id } of [alone, several, other, all]) {
        const { state, bindings } = await stateOf(id)
        left.push([state, bindings])
      }
      assert.deepEqual(left, [
        ['revoked', ['gone"]']],
        ['active', ['a', 'b']],
        ['active', ['gone']],
        ['active', ['*']]
      ])
    })

    test('a malformed secret does not reach the database', async () => {
      const before = reads + writes
      for (const secret of ['', 'x', UNKNOWN.slice(1), `${UNKNOWN}0`, `${UNKNOWN}\n`, '\u0000']) {
        assert.equal(await outcomeOf(secret), 'invalid')
      }
      assert.equal(reads + writes, before)
    })

    test('a scope has tokens of a format of its own, and so have their successors', async () => {
      const credentials = open({ rules: TWO_FORMATS })
      const idOf = async (secret: string, accepting = credentials) => {
        const found = await accepting.authenticate(from('192.0.2.3'), secret)
        return typeof found === 'object' && 'tokenId' in found ? found.tokenId : found
      }
      const whole = await credentials.create({ scopes: ['read', 'write'] })
      const published = await credentials.create({ scopes: ['published'], bindings: ['7'] })
      const successor = await credentials.create({ replaces: published.token.id })
      const changed = await credentials.create({ replaces: whole.token.id, scopes: ['published'] })
      assert.match(whole.secret, /^[0-9a-f]{64}$/)
      for (const created of [published, successor, changed]) {
        assert.match(created.secret, /^pk_[0-9A-Za-z]{20}$/)
        assert.deepEqual(created.token.scopes, ['published'])
      }
      for (const { secret, token } of [whole, published, successor, changed]) {
        assert.equal(await idOf(secret), token.id)
        assert.equal(await idOf(secret, open()), 'invalid', 'other rules')
      }
      const message = 'A token with the scope published can have no other scope'
      for (const request of [{}, { replaces: whole.token.id }]) {
        const mixed = credentials.create({ ...request, scopes: ['read', 'published'] })
        await assert.rejects(mixed, { message, code: 'TOKEN_REQUEST_INVALID', statusCode: 400 })
      }
      const absent = credentials.create({ replaces: '0'.repeat(16) })
      await assert.rejects(absent, { code: 'TOKEN_UNKNOWN' })
      const before = reads + writes
      const { secret } = published
      const malformed = [secret.toUpperCase(), secret.slice(0, -1), whole.secret.toUpperCase()]
      for (const text of [...malformed, `${whole.secret}0`, UNKNOWN, `pk_${whole.secret}`]) {
        assert.equal(await idOf(text, open({ rules: TWO_FORMATS })), 'invalid')
      }
      assert.equal(reads + writes, before)
    })

    test('a replaced token is valid for the overlap and its successor has its facts', async () => {
      const credentials = open()
      const facts = { name: 'a', scopes: ['write'], bindings: ['7'] }
      const old = await credentials.create({ ...facts, expiresAt: time + 100 * HOUR_MS })
      time += 10 * HOUR_MS
      const request = { replaces: old.token.id, overlapMs: HOUR_MS }
      const { secret, token } = await credentials.create(request)
      const { name, scopes, bindings } = token
      assert.deepEqual({ name, scopes, bindings }, facts)
      assert.equal(token.expiresAt, time + 100 * HOUR_MS)
      const { state, replacedBy, expiresAt } = await stateOf(old.token.id)
      assert.deepEqual([state, replacedBy], ['rotated', token.id])
      assert.equal(expiresAt, time + HOUR_MS)
      time += HOUR_MS - 1
      assert.equal(await outcomeOf(old.secret), old.token.id)
      time++
      assert.equal(await outcomeOf(old.secret), 'invalid')
      assert.equal(await outcomeOf(secret), token.id)
      const again = credentials.create({ replaces: old.token.id })
      await assert.rejects(again, { code: 'TOKEN_ENDED', statusCode: 409 })
      await assert.rejects(credentials.create({ replaces: 'none' }), { code: 'TOKEN_UNKNOWN' })
    })

    test('the overlap is a day, and replacing never lets a token live longer', async () => {
      const credentials = open()
      const day = 24 * HOUR_MS
      const endless = await credentials.create({})
      const first = await credentials.create({ replaces: endless.token.id })
      assert.equal(first.token.expiresAt, undefined)
      assert.equal((await stateOf(endless.token.id)).expiresAt, time + day)
      const end = time + day
      time += HOUR_MS
      const second = await credentials.create({ replaces: endless.token.id })
      const rotated = await stateOf(endless.token.id)
      assert.deepEqual([rotated.expiresAt, rotated.replacedBy], [end, second.token.id])
      const sooner = { replaces: endless.token.id, overlapMs: 0 }
      await credentials.create(sooner)
      assert.equal(await outcomeOf(endless.secret), 'invalid')
      assert.equal(await outcomeOf(first.secret), first.token.id)
      const short = await credentials.create({ expiresAt: time + HOUR_MS })
      await credentials.create({ replaces: short.token.id, overlapMs: day })
      assert.equal((await stateOf(short.token.id)).expiresAt, time + HOUR_MS)
    })

    test('failed tokens are limited per address, and a valid token is accepted anyway', async () => {
      const credentials = open()
      const { secret, token } = await credentials.create({})
      const send = (given: string, address: string) =>
        credentials.authenticate(from(address), given)
      for (let count = 0; count < 20; count++) {
        assert.equal(await send(count % 2 === 0 ? UNKNOWN : 'malformed', '192.0.2.7'), 'invalid')
      }
      assert.deepEqual(await send(UNKNOWN, '192.0.2.7'), { retryAfter: 60 })
      time += 30_000
      assert.deepEqual(await send('malformed', '192.0.2.7'), { retryAfter: 30 })
      assert.equal(await send(UNKNOWN, '192.0.2.8'), 'invalid')
      const accepted = await send(secret, '192.0.2.7')
      assert.ok(typeof accepted === 'object' && 'tokenId' in accepted)
      assert.equal(accepted.tokenId, token.id)
      time += 30_000
      assert.equal(await send(UNKNOWN, '192.0.2.7'), 'invalid')
    })

    test('the last use is listed at once, and stored without a write per request', async () => {
      const credentials = open()
      const [one, other] = [await credentials.create({}), await credentials.create({})]
      const before = writes
      for (let count = 0; count < 50; count++) {
        time++
        await credentials.authenticate(from('192.0.2.1'), one.secret)
        await credentials.authenticate(from('192.0.2.1'), other.secret)
        await credentials.authenticate(from('192.0.2.1'), UNKNOWN)
      }
      assert.equal(writes, before)
      assert.equal((await rowOf(one.token.id)).used_at, null)
      const listed = (await credentials.list()).find(({ id }) => id === one.token.id)
      assert.equal(listed?.usedAt, time)
      await credentials.stop()
      assert.equal(writes, before + 1)
      for (const { token } of [one, other]) {
        assert.equal((await rowOf(token.id)).used_at, time)
        assert.equal((await stateOf(token.id)).usedAt, time)
      }
      await credentials.stop()
      assert.equal(writes, before + 1)
    })

    test('the uses of a minute are stored with one write, and a later use is never replaced', async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const credentials = open()
      const { secret, token } = await credentials.create({})
      const before = writes
      await credentials.authenticate(from('192.0.2.1'), secret)
      t.mock.timers.tick(59_999)
      assert.equal(writes, before)
      t.mock.timers.tick(1)
      assert.equal(writes, before + 1)
      t.mock.timers.reset()
      await credentials.stop()
      const stored = (await rowOf(token.id)).used_at
      time -= HOUR_MS
      await credentials.authenticate(from('192.0.2.1'), secret)
      await credentials.stop()
      time += HOUR_MS
      assert.equal((await rowOf(token.id)).used_at, stored)
    })

    test('the number of tokens is bounded: those that ended first are removed', async () => {
      await database.write(() => query('delete from credentials'))
      const credentials = open()
      const ended = await credentials.create({ expiresAt: time + 2 })
      const revoked = await credentials.create({})
      await credentials.revoke(revoked.token.id)
      time += 3
      await database.write(function* () {
        for (let count = 0; count < MAX_TOKENS - 2; count++) {
          const made = { id: `made ${count}`, digest: `made ${count}`, created_at: time }
          yield* insertRow('credentials', { ...made, name: '', scopes: '[]', bindings: '[]' })
        }
      })
      await credentials.create({})
      const ids = new Set((await credentials.list()).map(({ id }) => id))
      assert.equal(ids.size, MAX_TOKENS)
      assert.deepEqual([ids.has(revoked.token.id), ids.has(ended.token.id)], [false, true])
      await credentials.create({})
      await assert.rejects(credentials.create({}), { code: 'TOO_MANY_TOKENS', statusCode: 409 })
      assert.equal((await credentials.list()).length, MAX_TOKENS)
    })
  })
}
