/** Secrets of a service as the host, `nonet reset`, `nonet doctor` and backups treat them. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { backUp, copy, restore } from '../../src/host/archive.ts'
import { describeBackupKey, describeMissingKeys } from '../../src/host/needed-keys.ts'
import { diagnoseSecrets } from '../../src/host/secrets-diagnosis.ts'
import { resetStorage } from '../../src/host/storage.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { parseKeys } from '../../src/kernel/secrets/keys.ts'
import type { Service } from '../../src/kernel/service.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { configurationFor, openSecretHost, secretService } from '../support/secret-service.ts'

let count = 0

/** A service with tables of its own, and a data folder. */
function home(engine: Engine) {
  const folder = temporaryFolder()
  const service = secretService(`vault${process.pid}${count++}`)
  const data = join(folder.path, 'data')
  const given = { data, ...engineOptions(engine) }
  return {
    folder: folder.path,
    data,
    key: join(data, 'secret.key'),
    service,
    given,
    configuration: (more = {}) => configurationFor(service, { ...given, ...more }),
    open: (more = {}) => openSecretHost(configurationFor(service, { ...given, ...more })),
    async [Symbol.asyncDispose]() {
      await dropTables(engine, service)
      folder[Symbol.dispose]()
    }
  }
}

async function dropTables(engine: Engine, { name }: Service): Promise<void> {
  if (engine === 'sqlite') return
  await dropSchema({ url: postgresUrl(), schema: `nonet_${name}`, durable: true })
}

const newKey = () => randomBytes(32).toString('hex')
const idsOf = (text: string) => parseKeys(text).map(({ id }) => id)

for (const engine of ENGINES) {
  describe(`a service with secrets, on ${engine}`, () => {
    test('the first start makes a key that only the owner reads, and a restart uses it', async () => {
      await using at = home(engine)
      {
        await using vault = await at.open()
        await vault.post('ada/lovelace')
        assert.equal(await vault.get('ada'), 'lovelace')
        assert.deepEqual(vault.warnings, [])
      }
      if (process.platform !== 'win32') assert.equal(statSync(at.key).mode & 0o777, 0o600)
      assert.deepEqual(
        readdirSync(at.data).filter((name) => name.endsWith('.part')),
        []
      )
      const text = readFileSync(at.key, 'utf8')
      await using vault = await at.open()
      assert.equal(await vault.get('ada'), 'lovelace')
      assert.equal(readFileSync(at.key, 'utf8'), text)
    })

    test('without its key a start says so in one line, makes no other and changes nothing', async () => {
      await using at = home(engine)
      await (await at.open())[Symbol.asyncDispose]()
      const text = readFileSync(at.key, 'utf8')
      const [id] = idsOf(text)
      rmSync(at.key)
      const isMissing = (error: unknown) =>
        error instanceof UserError &&
        !error.message.includes('\n') &&
        [at.service.name, String(id), '--secret-key-file', 'NONET_SECRET_KEY', at.key].every(
          (part) => error.message.includes(part)
        )
      await assert.rejects(at.open(), isMissing)
      assert.ok(!existsSync(at.key))
      writeFileSync(at.key, newKey(), { mode: 0o600 })
      await assert.rejects(at.open(), isMissing)
      await assert.rejects(at.open({ secretKey: newKey() }), isMissing)
      const file = join(at.folder, 'elsewhere')
      writeFileSync(file, `${newKey()}\n${text}`, { mode: 0o600 })
      await using vault = await at.open({ secretKeyFile: file })
      assert.deepEqual(vault.warnings, [])
    })

    test('the key may be given as a file or as a value; the data folder then has none', async () => {
      await using at = home(engine)
      const secretKey = newKey()
      {
        await using vault = await at.open({ secretKey })
        await vault.post('ada/lovelace')
      }
      assert.ok(!existsSync(at.key))
      const secretKeyFile = join(at.folder, 'given.key')
      await assert.rejects(at.open({ secretKeyFile }), /There is no secret key file/)
      assert.ok(!existsSync(secretKeyFile))
      writeFileSync(secretKeyFile, 'no key\n')
      await assert.rejects(at.open({ secretKeyFile }), /given\.key: line 1 is neither 64/)
      await assert.rejects(at.open({ secretKey: 'none' }), /NONET_SECRET_KEY is not a key: line 1/)
      writeFileSync(secretKeyFile, `# mine\n${Buffer.from(secretKey, 'hex').toString('base64')}\n`)
      chmodSync(secretKeyFile, 0o644)
      await using vault = await at.open({ secretKeyFile })
      assert.equal(await vault.get('ada'), 'lovelace')
      const warned = process.platform === 'win32' ? 0 : 1
      assert.equal(vault.warnings.length, warned)
      if (warned === 1) assert.match(vault.warnings[0] ?? '', /chmod 600/)
      assert.equal(statSync(secretKeyFile).mode & 0o777, 0o644)
    })

    test('an ephemeral run writes no key', async () => {
      await using at = home(engine)
      await using vault = await at.open({ ephemeral: true })
      await vault.post('ada/lovelace')
      assert.equal(await vault.get('ada'), 'lovelace')
      assert.ok(!existsSync(at.data))
      assert.ok(!existsSync(join(vault.host.folder, 'secret.key')))
    })

    test('another service makes no key while the secrets of one need theirs', async () => {
      await using at = home(engine)
      await using other = home(engine)
      await (await at.open())[Symbol.asyncDispose]()
      rmSync(at.key)
      const services = [other.service, at.service]
      const configuration = { ...at.configuration(), services }
      await assert.rejects(openSecretHost(configuration), new RegExp(at.service.name))
      assert.ok(!existsSync(at.key))
    })

    test('a reset leaves the key and lets the next key count', async () => {
      await using at = home(engine)
      {
        await using vault = await at.open()
        await vault.post('ada/lovelace')
        await vault.host.reset(at.service.name)
        assert.equal(await vault.get('ada'), 'none')
        await vault.post('ada/byron')
      }
      {
        await using vault = await at.open()
        assert.equal(await vault.get('ada'), 'byron')
      }
      await assert.rejects(at.open({ secretKey: newKey() }), UserError)
      const { database } = at.configuration()
      await resetStorage(at.service, { folder: at.data, database, ephemeral: false })
      assert.ok(existsSync(at.key))
      await using vault = await at.open({ secretKey: newKey() })
      assert.equal(await vault.get('ada'), 'none')
    })

    test('doctor says whether the key is there, private and the right one', async () => {
      await using at = home(engine)
      const findings = async (more = {}) => {
        const found = await diagnoseSecrets(at.configuration(more))
        return found.map(({ ok, what, note, advice }) => `${ok} ${what} ${note ?? advice}`)
      }
      assert.deepEqual(await findings(), ['true key of stored secrets created at the first start'])
      await (await at.open())[Symbol.asyncDispose]()
      const [id = ''] = idsOf(readFileSync(at.key, 'utf8'))
      assert.deepEqual(await findings(), [
        `true key of stored secrets ${id} in ${at.key}`,
        `true secrets of ${at.service.name} key ${id}`
      ])
      const other = await findings({ secretKey: newKey() })
      assert.match(other[0] ?? '', /^true key .* NONET_SECRET_KEY$/)
      assert.match(other[1] ?? '', new RegExp(`^false secrets of .* ${id}, but NONET_SECRET_KEY`))
      if (process.platform !== 'win32') {
        chmodSync(at.key, 0o640)
        assert.match((await findings())[0] ?? '', /^false .*chmod 600/)
      }
      rmSync(at.key)
      const missing = await findings()
      assert.match(missing[0] ?? '', /^false key of stored secrets .*secret\.key is missing$/)
      assert.match(missing[1] ?? '', /^false secrets of /)
      assert.ok(!existsSync(at.key))
    })

    test('backups and copies do not contain the key, and restores say what is missing', async () => {
      await using at = home(engine)
      {
        await using vault = await at.open()
        await vault.post('ada/lovelace')
      }
      const text = readFileSync(at.key, 'utf8')
      const [keyId = ''] = idsOf(text)
      const { name, migrations = [] } = at.service
      const quiet = { progress: () => {}, services: [{ name, migrations }] }
      const file = join(at.folder, 'backup.nonet')
      const { database, secretKeyFile, secretKey } = at.configuration()
      const settings = { secretKeyFile, secretKey }
      const from = { folder: at.data, database, ephemeral: false }
      const { neededKeys } = await backUp(from, file, quiet)
      assert.deepEqual(neededKeys, [{ service: name, keyId }])
      const bytes = gunzipSync(readFileSync(file)).toString()
      assert.ok(
        !bytes.includes('lovelace') && !bytes.includes(text.trim().split('\n').at(-1) ?? '')
      )
      const told = await describeBackupKey(neededKeys, at.data, settings)
      assert.match(told, new RegExp(`${keyId}.* not in the backup, it is in .*secret.key`))

      const to = { folder: join(at.folder, 'restored'), database: undefined, ephemeral: false }
      mkdirSync(to.folder)
      const restored = await restore(file, to, quiet)
      const lines = await describeMissingKeys(restored.neededKeys, to.folder, settings)
      assert.equal(lines.length, 1)
      assert.match(lines[0] ?? '', new RegExp(`sealed with the key ${keyId}`))
      const target = configurationFor(at.service, { data: to.folder })
      await assert.rejects(openSecretHost(target), UserError)
      assert.deepEqual(await describeMissingKeys(restored.neededKeys, at.data, settings), [])
      writeFileSync(join(to.folder, 'secret.key'), text, { mode: 0o600 })
      {
        await using vault = await openSecretHost(target)
        assert.equal(await vault.get('ada'), 'lovelace')
      }
      const copied = { ...to, folder: join(at.folder, 'copied') }
      mkdirSync(copied.folder)
      assert.deepEqual((await copy(from, copied, quiet)).neededKeys, neededKeys)
    })
  })
}

test('processes that start together on one database agree on a key', async () => {
  await using at = home('postgres')
  const starts = await Promise.allSettled(Array.from({ length: 4 }, () => at.open()))
  await using hosts = new AsyncDisposableStack()
  const opened = starts.flatMap((start) =>
    start.status === 'fulfilled' ? [hosts.use(start.value)] : []
  )
  assert.deepEqual(
    starts.flatMap((start) => (start.status === 'rejected' ? [String(start.reason)] : [])),
    []
  )
  await opened[0]?.post('ada/lovelace')
  for (const host of opened) assert.equal(await host.get('ada'), 'lovelace')
})

test('a second machine without the key of the database ends with one line', async () => {
  await using at = home('postgres')
  await using vault = await at.open()
  await vault.post('ada/lovelace')
  const data = join(at.folder, 'second')
  await assert.rejects(at.open({ data }), /are sealed with the key [\da-f]{8}, but .* is missing/)
  assert.ok(!existsSync(join(data, 'secret.key')))
  await using second = await at.open({ data, secretKeyFile: at.key })
  assert.equal(await second.get('ada'), 'lovelace')
})

test('a service that declares no secrets has none', async () => {
  using folder = temporaryFolder()
  const { secrets: _, ...service } = secretService('plain')
  let reason = ''
  const plain: Service = {
    ...service,
    async mount(kernel) {
      try {
        kernel.secrets.seal('x', 'y')
      } catch (error) {
        reason = (error as Error).message
      }
      return {}
    }
  }
  await using _host = await openSecretHost(configurationFor(plain, { data: folder.path }))
  assert.equal(reason, 'plain has no secrets')
  assert.ok(!existsSync(join(folder.path, 'secret.key')))
})
