import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { configure } from '../../src/host/configuration.ts'
import type { RawSettings } from '../../src/host/configuration-reader.ts'
import { findRunningInstance } from '../../src/host/data-folder.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { resetStorage } from '../../src/host/storage.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { insertRow, query } from '../../src/kernel/database/transaction.ts'
import { UserError } from '../../src/kernel/errors.ts'
import type { Service } from '../../src/kernel/service.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { THINGS } from './things.ts'

/** The smallest service that stores something: POST /<id>, GET /. */
function createThings(name: string): Service {
  return {
    name,
    label: 'I-99',
    summary: 'keeps names',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/' },
    settings: {},
    migrations: THINGS,
    renderError: (error) => ({
      status: error.statusCode ?? 500,
      body: error.message,
      type: 'text/plain'
    }),
    openapi: () => ({}),
    async mount({ database }) {
      return {
        routes(app) {
          app.post<{ Params: { id: string } }>('/:id', async ({ params: { id } }) => {
            await database.write(() => insertRow('things', { id }))
            return id
          })
          app.get('/', async () => {
            const rows = await database.read(() => query<{ id: string }>('select id from things'))
            return rows.map(({ id }) => id).sort()
          })
        }
      }
    }
  }
}

const reporter = { requestLog: undefined, warn: () => {}, onUnexpectedError: () => {} }

async function openThings(service: Service, given: RawSettings): Promise<Host & AsyncDisposable> {
  const configuration = configure({ portBase: 0, quiet: true, ...given })
  const host = await openHost({ ...configuration, services: [service] }, reporter)
  return { ...host, [Symbol.asyncDispose]: host.stop }
}

const urlOf = (host: Host) => host.services[0]?.url ?? ''
const store = async (host: Host, id: string) => {
  const answer = await fetch(`${urlOf(host)}/${id}`, { method: 'POST' })
  assert.equal(answer.status, 200, await answer.text())
}
const list = async (host: Host) => (await fetch(urlOf(host))).json()

async function schemasLike(prefix: string): Promise<number> {
  const client = await connectPostgres({ url: postgresUrl() })
  const { rowCount } = await client.query('select 1 from pg_namespace where nspname like $1', [
    `${prefix}%`
  ])
  await client.end()
  return rowCount ?? 0
}

async function dropTables(engine: Engine, name: string): Promise<void> {
  if (engine === 'sqlite') return
  await dropSchema({ url: postgresUrl(), schema: `nonet_${name}`, durable: true })
}

for (const engine of ENGINES) {
  describe(`a service with tables on ${engine}`, () => {
    const name = `things${process.pid}`
    const service = createThings(name)

    test('what is stored is there at the next start, until it is reset', async () => {
      using folder = temporaryFolder()
      const given = { data: folder.path, ...engineOptions(engine) }
      {
        await using host = await openThings(service, given)
        await store(host, 'a')
        await store(host, 'b')
      }
      {
        await using host = await openThings(service, given)
        assert.deepEqual(await list(host), ['a', 'b'])
        await host.reset(name)
        assert.deepEqual(await list(host), [])
        await store(host, 'c')
      }
      const storage = { folder: folder.path, database: undefined, ephemeral: false }
      await resetStorage(service, { ...storage, ...engineOptions(engine) })
      {
        await using host = await openThings(service, given)
        assert.deepEqual(await list(host), [])
      }
      assert.equal(existsSync(join(folder.path, `${name}.sqlite`)), engine === 'sqlite')
      await dropTables(engine, name)
    })

    test('ephemeral runs do not see each other and leave nothing behind', async () => {
      const given = { ephemeral: true, ...engineOptions(engine) }
      const one = await openThings(service, given)
      const two = await openThings(service, given)
      await store(one, 'a')
      assert.deepEqual(await list(two), [])
      if (engine === 'postgres') assert.equal(await schemasLike(`nonet_${name}_`), 2)
      await Promise.all([one.stop(), two.stop()])
      assert.ok(!existsSync(one.folder))
      if (engine === 'postgres') assert.equal(await schemasLike(`nonet_${name}_`), 0)
    })

    test('stopping under load loses nothing that was acknowledged', async () => {
      using folder = temporaryFolder()
      const given = { data: folder.path, ...engineOptions(engine) }
      const host = await openThings(service, given)
      const acknowledged: string[] = []
      const lanes = Array.from({ length: 16 }, async (_, lane) => {
        for (let number = 0; ; number++) {
          const id = `${lane}-${number}`
          const answer = await fetch(`${urlOf(host)}/${id}`, { method: 'POST' }).catch(() => null)
          if (answer === null) return
          assert.equal(answer.status, 200)
          acknowledged.push(id)
        }
      })
      while (acknowledged.length < 100) await new Promise(setImmediate)
      await host.stop()
      await Promise.all(lanes)
      await using again = await openThings(service, given)
      assert.deepEqual(await list(again), acknowledged.sort())
      await again.stop()
      await dropTables(engine, name)
    })
  })
}

test('a second nonet on the same data folder is refused before it listens', async () => {
  using folder = temporaryFolder()
  const service = createThings('things')
  await using host = await openThings(service, { data: folder.path })
  await assert.rejects(openThings(service, { data: folder.path }), (error: Error) => {
    assert.ok(error instanceof UserError)
    assert.match(error.message, /^Another nonet process uses .*things\.sqlite: stop it/)
    return true
  })
  assert.equal((await findRunningInstance(folder.path))?.pid, process.pid)
  await store(host, 'a')
})

test('an address of another kind is refused with a sentence', async () => {
  const given = { ephemeral: true, database: 'mysql://localhost/x' }
  await assert.rejects(openThings(createThings('things'), given), {
    name: 'UserError',
    message: '--database must be a URL such as postgres://user@host/name'
  })
})
