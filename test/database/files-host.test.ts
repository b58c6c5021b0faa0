/** Files of a service as the host, `nonet reset` and `nonet doctor` treat them. */
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { configure } from '../../src/host/configuration.ts'
import type { RawSettings } from '../../src/host/configuration-reader.ts'
import { openDataFolder } from '../../src/host/data-folder.ts'
import type { Diagnosis } from '../../src/host/diagnosis.ts'
import { type Host, openHost } from '../../src/host/host.ts'
import { openFiles } from '../../src/host/open-files.ts'
import { resetStorage } from '../../src/host/storage.ts'
import { diagnoseStorage } from '../../src/host/storage-diagnosis.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import { releaseReferences } from '../../src/kernel/files/table.ts'
import type { Service } from '../../src/kernel/service.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { addPicture, inChunks, openHome, PICTURES } from './pictures.ts'

let count = 0

/** POST / stores a picture and returns its hash, GET /<hash> returns it, DELETE /<hash> releases it. */
function createPictures(): Service {
  return {
    ...PICTURES,
    name: `pictures${process.pid}${count++}`,
    label: 'I-99',
    summary: 'keeps pictures',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/' },
    settings: {},
    renderError: ({ statusCode = 500, message }) => ({
      status: statusCode,
      body: message,
      type: 'text/plain'
    }),
    openapi: () => ({}),
    async mount({ database, files }) {
      return {
        routes(app) {
          app.addContentTypeParser('*', (_request, _payload, done) => done(null))
          app.post('/', async ({ raw }) => {
            const stored = await files.put(raw, { maxBytes: 1_000_000 })
            await addPicture(database, stored.hash, stored)
            return stored.hash
          })
          app.get<{ Params: { hash: string } }>('/:hash', async ({ params }, reply) => {
            const opened = await files.open(params.hash)
            return opened === undefined ? reply.code(404).send('') : reply.send(opened.stream)
          })
          app.delete<{ Params: { hash: string } }>('/:hash', async ({ params }) => {
            await database.write(() => releaseReferences([params.hash]))
            return ''
          })
        }
      }
    }
  }
}

async function openPictures(service: Service, given: RawSettings) {
  const warnings: string[] = []
  const configuration = {
    ...configure({ portBase: 0, quiet: true, ...given }),
    services: [service]
  }
  const reporter = {
    requestLog: undefined,
    warn: (text: string) => warnings.push(text),
    onUnexpectedError: (_: string, error: Error) => assert.ifError(error)
  }
  const host = await openHost(configuration, reporter)
  const diagnose = async () =>
    (await diagnoseStorage(configuration)).filter(({ what }) => what.includes('files'))
  return { ...host, warnings, diagnose, [Symbol.asyncDispose]: host.stop }
}

const urlOf = (host: Host) => host.services[0]?.url ?? ''

async function store(host: Host, body: string): Promise<string> {
  const response = await fetch(urlOf(host), { method: 'POST', body: Buffer.from(body) })
  const text = await response.text()
  assert.equal(response.status, 200, text)
  return text
}

async function load(host: Host, hash: string): Promise<string | number> {
  const response = await fetch(`${urlOf(host)}/${hash}`)
  return response.ok ? response.text() : response.status
}

const rootOf = (folder: string, { name }: Service) => join(folder, name, 'files')

async function dropTables(engine: Engine, { name }: Service): Promise<void> {
  if (engine === 'sqlite') return
  await dropSchema({ url: postgresUrl(), schema: `nonet_${name}`, durable: true })
}

/** Names, sizes and times of everything that the folder contains. */
function fingerprint(folder: string): unknown {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/-shm$|running\.json/.test(entry.name))
    .map(({ parentPath, name }) => {
      const { size, mtimeMs } = statSync(join(parentPath, name))
      return [parentPath, name, size, mtimeMs]
    })
}

for (const engine of ENGINES) {
  describe(`a service with files on ${engine}`, () => {
    test('has its files at the next start, until it is reset', async () => {
      using folder = temporaryFolder()
      const service = createPictures()
      const given = { data: folder.path, ...engineOptions(engine) }
      const killed = `${rootOf(folder.path, service)}.arriving`
      let hash = ''
      {
        await using host = await openPictures(service, given)
        hash = await store(host, 'abc')
        assert.equal(await load(host, hash), 'abc')
      }
      // As a restore leaves it that was killed.
      mkdirSync(killed)
      {
        await using host = await openPictures(service, given)
        assert.equal(await load(host, hash), 'abc')
        assert.ok(!existsSync(killed))
        await host.reset(service.name)
        assert.equal(await load(host, hash), 404)
        assert.equal(await store(host, 'abc'), hash)
        assert.equal(await load(host, hash), 'abc')
        assert.deepEqual(host.warnings, [])
        assert.deepEqual(await host.diagnose(), [
          {
            ok: true,
            what: `files of ${service.name} in ${rootOf(folder.path, service)}`,
            note: '1 files, 0 MB'
          }
        ])
      }
      const storage = { folder: folder.path, database: undefined, ephemeral: false }
      await resetStorage(service, { ...storage, ...engineOptions(engine) })
      assert.ok(!existsSync(rootOf(folder.path, service)))
      {
        await using host = await openPictures(service, given)
        assert.equal(await load(host, hash), 404)
        assert.deepEqual(host.warnings, [])
      }
      await dropTables(engine, service)
    })

    test('doctor counts missing and orphaned files and changes nothing', async () => {
      using folder = temporaryFolder()
      const service = createPictures()
      const root = rootOf(folder.path, service)
      await using host = await openPictures(service, {
        data: folder.path,
        ...engineOptions(engine)
      })
      const [lost, cut, released] = await Promise.all(
        ['lost', 'cut', 'released', 'sound'].map((text) => store(host, text))
      )
      const pathOf = (hash = '') => join(root, hash.slice(0, 2), hash)
      rmSync(pathOf(lost))
      writeFileSync(pathOf(cut), 'cu')
      await fetch(`${urlOf(host)}/${released}`, { method: 'DELETE' })
      writeFileSync(join(root, 'killed.part'), 'x')
      const before = fingerprint(folder.path)
      assert.deepEqual(await host.diagnose(), [
        { ok: true, what: `files of ${service.name} in ${root}`, note: '3 files, 0 MB' },
        {
          ok: false,
          what: `missing files of ${service.name}`,
          advice:
            '2 of 3 files that its rows refer to are missing or incomplete; copy them from ' +
            'another machine, or restore a backup with nonet restore --force'
        },
        {
          ok: true,
          what: `orphaned files of ${service.name}`,
          advice:
            'no row refers to 1 files, and 1 are incomplete; nonet removes them while it runs, ' +
            'an hour after they were stored'
        }
      ])
      assert.deepEqual(fingerprint(folder.path), before)
      await host.stop()
      await dropTables(engine, service)
    })

    test('removes unused files while it runs', async (t) => {
      await using home = openHome(engine)
      await home.withDatabase(async (database) => {
        const configuration = configure({ data: home.storage.folder })
        const warnings: string[] = []
        const reporter = { warn: (text: string) => warnings.push(text) }
        const folder = await openDataFolder(configuration, reporter.warn)
        const service = { ...createPictures(), name: 'pictures' }
        t.mock.timers.enable({ apis: ['setTimeout'] })
        const opened = await openFiles({ configuration, folder, reporter }, service, database)
        assert.ok(opened)
        const used = await opened.files.put(inChunks(Buffer.from('used')))
        const unused = await opened.files.put(inChunks(Buffer.from('unused')))
        await addPicture(database, 'used', used)
        for (const { hash } of [used, unused]) utimesSync(home.pathOf(hash), 1, 1)
        t.mock.timers.tick(60_000)
        await opened.close()
        assert.equal(await opened.files.size(used.hash), 4)
        assert.equal(await opened.files.size(unused.hash), undefined)
        assert.deepEqual(warnings, [])
        await folder.close()
      })
    })
  })
}

function assertOtherFolder([finding]: readonly Diagnosis[]): void {
  assert.equal(finding?.ok, false)
  assert.match(
    finding.advice ?? '',
    /another folder; choose the data folder of these tables with --data, which all machines/
  )
}

if (ENGINES.includes('postgres')) {
  test('machines that share tables but not the folder are told so', async () => {
    using one = temporaryFolder()
    using two = temporaryFolder()
    const service = createPictures()
    const database = { database: postgresUrl() }
    await using first = await openPictures(service, { data: one.path, ...database })
    const hash = await store(first, 'abc')
    await using second = await openPictures(service, { data: two.path, ...database })
    assert.equal(second.warnings.length, 1)
    assert.match(second.warnings[0] ?? '', /do not belong to its tables.*nonet doctor/)
    assert.equal(await load(second, hash), 404)
    assertOtherFolder(await second.diagnose())
    assert.match((await second.diagnose())[1]?.advice ?? '', /^1 of 1 files .* are missing/)
    // A second process on the same folder shares it.
    await using third = await openPictures(service, { data: one.path, ...database })
    assert.equal(await load(third, hash), 'abc')
    assert.equal((await third.diagnose())[0]?.ok, true)
    for (const host of [third, second, first]) await host.stop()
    await dropTables('postgres', service)
  })

  test('tables on PostgreSQL do not take over the files of tables on SQLite', async () => {
    using folder = temporaryFolder()
    const service = createPictures()
    let hash = ''
    {
      await using host = await openPictures(service, { data: folder.path })
      hash = await store(host, 'abc')
    }
    await using host = await openPictures(service, { data: folder.path, database: postgresUrl() })
    assert.match(host.warnings[0] ?? '', /do not belong to its tables/)
    const findings = await host.diagnose()
    assertOtherFolder(findings)
    assert.match(findings[1]?.advice ?? '', /^no row refers to 1 files.*nonet does not remove them/)
    assert.equal(await load(host, hash), 'abc')
    await host.stop()
    await dropTables('postgres', service)
  })
}

test('files whose tables were deleted are reported', async () => {
  using folder = temporaryFolder()
  const service = createPictures()
  {
    await using host = await openPictures(service, { data: folder.path })
    await store(host, 'abc')
  }
  for (const name of readdirSync(folder.path)) {
    if (name.startsWith(`${service.name}.sqlite`)) rmSync(join(folder.path, name))
  }
  const configuration = { ...configure({ data: folder.path }), services: [service] }
  const findings = await diagnoseStorage(configuration)
  assertOtherFolder(findings.filter(({ what }) => what.startsWith('files of')))
})

test('a service that does not declare files has none', async () => {
  const { hasFiles: _, ...service } = createPictures()
  await assert.rejects(openPictures(service, { ephemeral: true }), /has no files/)
})

test('an ephemeral run leaves no files', async () => {
  await using host = await openPictures(createPictures(), { ephemeral: true })
  await store(host, 'abc')
  await host.stop()
  assert.ok(!existsSync(host.folder))
})
