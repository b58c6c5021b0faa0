import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { backUp, copy, restore } from '../../src/host/archive.ts'
import { configure } from '../../src/host/configuration.ts'
import { allServices } from '../../src/host/service-registry.ts'
import { databaseLocation, resetStorage, type Storage } from '../../src/host/storage.ts'
import { diagnoseStorage } from '../../src/host/storage-diagnosis.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { launchNonet, ROOT, runNonet, temporaryFolder } from '../support/launcher.ts'
import { createPostgresServer, type PostgresServer } from '../support/postgres-server.ts'

const ACCESS_RULES = `
local all nonet trust
host all nonet 127.0.0.1/32 trust
host all plain 127.0.0.1/32 password
host all old 127.0.0.1/32 md5
host all stranger 127.0.0.1/32 reject
local all all scram-sha-256
host all all 127.0.0.1/32 scram-sha-256
`
const SET_UP = [
  ...['owner', 'guest', 'plain', 'old', 'stranger', 'few'].map(
    (role) => `create role ${role} login password 'right'`
  ),
  'alter role few connection limit 0',
  'create database good owner owner',
  'create database latin owner owner encoding LATIN1 lc_collate "C" lc_ctype "C" template template0',
  'create database closed',
  'create database prepared',
  'create database rights'
]

/** Path and parameters of the URL, and what is said. */
const REFUSALS: Readonly<Record<string, { url: string; says: RegExp }>> = {
  'no password': {
    url: 'owner@/good',
    says: /requires a password for user "owner"; add it to the URL .* or set it in PGPASSWORD$/
  },
  'no password, sent in clear': {
    url: 'plain@/good',
    says: /requires a password for user "plain"/
  },
  'no password, sent as a digest': { url: 'old@/good', says: /requires a password for user "old"/ },
  'wrong password': {
    url: 'owner:wrong@/good',
    says: /password authentication failed for user "owner"; correct the user or the password in its URL$/
  },
  'rejected user': {
    url: 'stranger:right@/good',
    says: /pg_hba\.conf rejects connection .*; choose another user in its URL, or add a line/
  },
  'no rights': {
    url: 'guest:right@/closed',
    says: /user "guest" may not create the schema nonet_boxes; create it for that user \(create schema nonet_boxes authorization "guest"\), or /
  },
  'another encoding': {
    url: 'owner:right@/latin',
    says: /its encoding LATIN1 cannot store all text; create another one with createdb -E UTF8/
  },
  'no TLS': {
    url: 'owner:right@/good?sslmode=require',
    says: /does not support SSL connections; turn on ssl in PostgreSQL, or use sslmode=disable/
  },
  'an unknown sslmode': {
    url: 'owner:right@/good?sslmode=bogus',
    says: /sslmode=bogus is unknown; use disable, require, verify-full or no-verify$/
  },
  'too many connections': {
    url: 'few:right@/good',
    says: /too many connections for role "few"; close other connections, or raise/
  },
  'an unknown database': {
    url: 'owner:right@/nowhere',
    says: /"nowhere" does not exist; create it with createdb nowhere, or correct the name/
  },
  'no server': {
    url: 'owner:right@127.0.0.1:1/good',
    says: /ECONNREFUSED 127\.0\.0\.1:1; start PostgreSQL, or correct host and port in its URL$/
  },
  'an invalid URL': {
    url: 'owner:a#b@/good',
    says: /write it as postgres:\/\/user:password@host:port\/name/
  }
}

const boxes = allServices.find(({ name }) => name === 'boxes')
assert.ok(boxes?.migrations)
const { migrations } = boxes
const quiet = { progress: () => {} }

describe('PostgreSQL that refuses', () => {
  let server: PostgresServer
  const folder = temporaryFolder()
  const archive = join(folder.path, 'some.nonet')
  const full: Storage = { folder: join(folder.path, 'full'), database: undefined, ephemeral: false }

  before(async () => {
    const binaries = process.env.NONET_POSTGRES_BIN
    assert.ok(binaries, 'NONET_POSTGRES_BIN is set by npm test')
    const settings = ['max_connections=40']
    server = await createPostgresServer({ binaries, accessRules: ACCESS_RULES, settings })
    await server.start()
    await administer(...SET_UP)
    const database = await openDatabase(databaseLocation('boxes', full), {
      service: 'boxes',
      migrations
    })
    await database.close()
    await backUp(full, archive, quiet)
  })
  after(async () => {
    await server.close()
    folder[Symbol.dispose]()
  })

  async function administer(...statements: string[]): Promise<unknown[]> {
    const client = await connectPostgres(server)
    try {
      let last: unknown[] = []
      for (const sql of statements) last = (await client.query(sql)).rows
      return last
    } finally {
      await client.end()
    }
  }

  /** `owner:right@/good` → URL on the server of this file. */
  function urlOf(text: string, connectSeconds = 60): string {
    const url = `postgres://${text.replace('@/', `@${new URL(server.url).host}/`)}`
    // A throttled machine takes longer than the default of five seconds.
    return `${url}${url.includes('?') ? '&' : '?'}connect_timeout=${connectSeconds}`
  }

  function storageAt(text: string): Storage {
    return { folder: join(folder.path, 'empty'), database: urlOf(text), ephemeral: false }
  }

  /** Everything that opens a database, as the commands call it. */
  const operations: Readonly<Record<string, (storage: Storage) => Promise<unknown>>> = {
    up: (storage) =>
      openDatabase(databaseLocation('boxes', storage), { service: 'boxes', migrations }),
    backup: (storage) => backUp(storage, join(folder.path, 'never.nonet'), quiet),
    'copy from': (storage) => copy(storage, { ...full, folder: folder.path }, quiet),
    'copy to': (storage) => copy(full, storage, quiet),
    restore: (storage) => restore(archive, storage, quiet),
    reset: (storage) => resetStorage(boxes, storage),
    async doctor({ database }) {
      const findings = await diagnoseStorage(configure({ data: folder.path, database }))
      const problem = findings.find(({ ok }) => !ok)
      throw new UserError(problem?.advice ?? 'doctor found nothing')
    }
  }

  for (const [name, { url, says }] of Object.entries(REFUSALS)) {
    test(`${name} is one sentence with the remedy, whatever is done`, async () => {
      for (const [operation, run] of Object.entries(operations)) {
        const reads = operation === 'backup' || operation === 'copy from'
        await assert.rejects(run(storageAt(url)), (error: Error) => {
          assert.ok(error instanceof UserError, `${operation}: ${error.stack}`)
          const isEmpty = reads && name === 'no rights'
          assert.match(error.message, isEmpty ? /^No data is stored in/ : says, operation)
          assert.doesNotMatch(error.message, /wrong|:right|\n/)
          return true
        })
      }
      const [row] = await administer(
        'select count(*)::int as count from pg_stat_activity where usename <> current_user'
      )
      assert.deepEqual(row, { count: 0 }, 'no connection is left open')
    })
  }

  const commands: readonly { args: readonly string[]; refusal: keyof typeof REFUSALS }[] = [
    { args: ['up', 'boxes', '--port-base=0'], refusal: 'no password' },
    { args: ['up', 'boxes', '--port-base=0'], refusal: 'no rights' },
    { args: ['backup', 'never.nonet'], refusal: 'no TLS' },
    { args: ['reset', 'boxes'], refusal: 'no rights' },
    { args: ['doctor', 'boxes', '--port-base=0'], refusal: 'no password' }
  ]
  for (const { args, refusal } of commands) {
    test(`nonet ${args.join(' ')} with ${refusal} exits with code 1 and one line`, async () => {
      const { url, says } = REFUSALS[refusal] ?? { url: '', says: /$^/ }
      const flags = ['--data', join(folder.path, 'unused'), '--database', urlOf(url)]
      const started = performance.now()
      const { code, stdout, stderr } = await runNonet([...args, ...flags])
      const seconds = (performance.now() - started) / 1000
      assert.equal(code, 1, stdout)
      assert.ok(seconds < 30, `it waited ${seconds} s, for the end of a time-out`)
      const lines = args[0] === 'doctor' ? stdout.match(/^problem.*$/gm) : stderr.match(/^.*$/gm)
      const [line = '', ...others] = (lines ?? []).filter((text) => text !== '')
      assert.deepEqual(others, [])
      assert.match(line, says)
    })
  }

  test('a schema that was created for a user without rights is enough', async () => {
    const { host } = new URL(server.url)
    const prepared = await connectPostgres({ url: `postgres://nonet@${host}/prepared` })
    for (const name of ['boxes', 'scenarios', 'mailbox', 'statuses', 'cards']) {
      await prepared.query(`create schema nonet_${name} authorization guest`)
    }
    await prepared.end()
    const storage = storageAt('guest:right@/prepared')
    const diagnose = async () => {
      const given = { data: folder.path, database: storage.database }
      return (await diagnoseStorage(configure(given))).filter(({ what }) => what.includes('boxes'))
    }
    const what = 'tables of boxes in the schema nonet_boxes'
    assert.deepEqual(await diagnose(), [{ ok: true, what, note: 'created at the first start' }])
    await restore(archive, storage, quiet)
    await restore(archive, storage, { ...quiet, force: true })
    assert.deepEqual(await diagnose(), [{ ok: true, what, note: `version ${migrations.length}` }])
    await resetStorage(boxes, storage)
    const found = await runNonet([
      ...['doctor', '--port-base=0', '--data', join(folder.path, 'unused'), '--database'],
      `postgres://guest:right@/prepared?host=${server.folder}&port=${new URL(server.url).port}&connect_timeout=60`
    ])
    assert.equal(found.code, 0, found.stdout)
  })

  test('rights that are missing in an existing schema are named by up and doctor', async () => {
    const storage = storageAt('guest:right@/rights')
    const { host } = new URL(server.url)
    const rights = await connectPostgres({ url: `postgres://nonet@${host}/rights` })
    await rights.query('create schema nonet_boxes authorization guest')
    await restore(archive, storage, quiet)
    const changes: Readonly<Record<string, RegExp>> = {
      'revoke insert on nonet_boxes.records from guest':
        /may not read and write the table nonet_boxes\.records; grant the right \(grant select, insert, update, delete on all tables in schema nonet_boxes to "guest"\)$/,
      'alter schema nonet_boxes owner to nonet':
        /may not use the schema nonet_boxes; grant the right \(grant usage on schema nonet_boxes to "guest"\)$/
    }
    for (const [sql, says] of Object.entries(changes)) {
      await rights.query(sql)
      for (const name of ['up', 'doctor']) {
        const attempt = operations[name]?.(storage) ?? Promise.resolve()
        await assert.rejects(attempt, { name: 'UserError', message: says }, `${name}: ${sql}`)
      }
    }
    // What a start needs is enough: the table of migrations is only read.
    await rights.query('grant usage on schema nonet_boxes to guest')
    await rights.query('grant insert on nonet_boxes.records to guest')
    await rights.query('revoke insert, update, delete on nonet_boxes.nonet_steps from guest')
    const database = await openDatabase(databaseLocation('boxes', storage), {
      service: 'boxes',
      migrations
    })
    await database.close()
    await rights.query('delete from nonet_boxes.nonet_steps where step > 1')
    await rights.query('grant create on schema nonet_boxes to guest')
    await rights.query('alter table nonet_boxes.records owner to nonet')
    await rights.query('grant all on nonet_boxes.records to guest')
    await assert.rejects(operations.doctor?.(storage) ?? Promise.resolve(), {
      message: /may not change the table nonet_boxes\.records, .*; make it the owner/
    })
    await rights.end()
  })

  describe('that hangs', () => {
    const BOX = 'box_0123456789abcdefghij'
    const JSON_TYPE = { 'content-type': 'application/json' }

    const UNAVAILABLE = /^\{"status":"unavailable","reason":"([a-z]+: )?[^"]*PostgreSQL[^"]*"\}$/

    /** The body of the first response with that status; a result may be a second old. */
    async function untilStatus(url: string, status: number): Promise<string> {
      let body = ''
      await until(async () => {
        const response = await fetch(url)
        body = await response.text()
        return response.status === status
      })
      return body
    }

    function post(url: string, body: unknown): Promise<Response> {
      return fetch(url, { method: 'POST', headers: JSON_TYPE, body: JSON.stringify(body) })
    }

    /** The server and its processes; the first one starts the others. */
    function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
      const parent = server.processId()
      process.kill(parent, name)
      const children = execFileSync('pgrep', ['-P', String(parent)], { encoding: 'utf8' })
      for (const child of children.trim().split('\n')) signalIfRunning(Number(child), name)
    }

    /** A process of a connection may end at any time. */
    function signalIfRunning(pid: number, name: 'SIGSTOP' | 'SIGCONT'): void {
      try {
        process.kill(pid, name)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
      }
    }

    async function connectionsOf(user: string): Promise<number> {
      const [row] = await administer(
        `select count(*)::int as count from pg_stat_activity where usename = '${user}'`
      )
      return (row as { count: number }).count
    }

    /** Writes until told to stop; returns the names that were acknowledged. */
    function keepWriting(url: string) {
      const acknowledged: string[] = []
      let writing = true
      let count = 0
      async function lane(): Promise<void> {
        while (writing) {
          const name = `n${count++}`
          const response = await post(`${url}/${BOX}`, { name })
          await response.text()
          if (response.status === 200) acknowledged.push(name)
          else assert.equal(response.status, 503)
        }
      }
      const lanes = Promise.all(Array.from({ length: 4 }, lane))
      const stop = async () => {
        writing = false
        await lanes
      }
      return { acknowledged, stop, [Symbol.asyncDispose]: stop }
    }

    test('is 503 in every service until it goes on, and nothing acknowledged is lost', async () => {
      await using nonet = await launchNonet([
        ...['boxes', 'scenarios', 'mock', '--data', join(folder.path, 'hung'), '--mock-state'],
        ...['--mock-documents', join(ROOT, 'data/mock/garden.yaml')],
        ...['--database', urlOf('owner:right@/good?statement_timeout=5000', 10)]
      ])
      const { boxes: store = '', scenarios = '', mock = '' } = nonet.ready.services
      const probes = [`${nonet.ready.console}/readyz`, `${mock}/__nonet/readyz`]
      const requests: Readonly<Record<string, () => Promise<Response>>> = {
        'boxes, read': () => fetch(`${store}/${BOX}?limit=1`),
        'boxes, write': () => post(`${store}/${BOX}`, { name: 'last' }),
        'scenarios, read': () => fetch(`${scenarios}/w/hung/api/users/2`),
        'scenarios, write': () => post(`${scenarios}/w/hung/api/users`, { name: 'a' }),
        'mock, read': () => fetch(`${mock}/plants`),
        'mock, page': () => fetch(`${mock}/__nonet/state`),
        'mock, write': () => post(`${mock}/plants`, { name: 'Chard', bed: 2, sown: '2026-03-30' })
      }
      const statuses = async () => {
        const responses = Object.entries(requests).map(async ([name, send]) => {
          const response = await send()
          await response.text()
          return [name, Math.floor(response.status / 100) === 2 ? 'fine' : response.status]
        })
        return Object.fromEntries(await Promise.all(responses))
      }
      const allOf = (value: unknown) =>
        Object.fromEntries(Object.keys(requests).map((name) => [name, value]))
      assert.deepEqual(await statuses(), allOf('fine'))
      await using load = keepWriting(store)
      await until(() => load.acknowledged.length > 50)

      signal('SIGSTOP')
      try {
        const started = performance.now()
        assert.deepEqual(await statuses(), allOf(503))
        const seconds = (performance.now() - started) / 1000
        assert.ok(seconds < 30, `it took ${seconds} s`)
        for (const probe of probes) assert.match(await untilStatus(probe, 503), UNAVAILABLE)
      } finally {
        signal('SIGCONT')
      }

      const before = load.acknowledged.length
      await until(() => load.acknowledged.length > before + 50)
      await until(async () => isDeepStrictEqual(await statuses(), allOf('fine')))
      for (const probe of probes) assert.equal(await untilStatus(probe, 200), '{"status":"ready"}')
      await load.stop()
      const names = new Set<string>()
      for (let skip = 0; ; skip += 1000) {
        const page = await fetch(`${store}/${BOX}?limit=1000&skip=${skip}`)
        const records = (await page.json()) as { name: string }[]
        for (const { name } of records) names.add(name)
        if (records.length < 1000) break
      }
      assert.deepEqual(
        load.acknowledged.filter((name) => !names.has(name)),
        []
      )
      // Three services with a reader, a listener and eight writers each.
      await until(async () => (await connectionsOf('owner')) <= 30)

      assert.doesNotMatch(nonet.stderr(), /^ +at /m, 'no stack trace')
      for (const name of ['boxes', 'scenarios', 'mock']) {
        const lines = nonet.stderr().match(new RegExp(`^nonet: ${name}: the database.*$`, 'gm'))
        // A busy machine may answer a probe too late before or afterwards as well.
        assert.ok(lines !== null && lines.length % 2 === 0, nonet.stderr())
        assert.match(
          lines[0] ?? '',
          /is unavailable: .*PostgreSQL.*; requests that need it fail until/
        )
        assert.match(lines.at(-1) ?? '', /is available again$/)
      }

      signal('SIGSTOP')
      try {
        await assert.rejects(connectPostgres({ url: urlOf('owner:right@/good', 1) }), {
          name: 'UserError',
          message:
            /did not respond within 1 s; check host and port in its URL, and whether the server hangs$/
        })
        assert.equal((await nonet.end()).code, 0)
      } finally {
        signal('SIGCONT')
      }
      await until(async () => (await connectionsOf('owner')) === 0)
    })
  })
})

async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 120_000
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, 'it did not happen within two minutes')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
