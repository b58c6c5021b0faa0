/** `nonet secrets rotate` seals everything with a new key, and loses nothing if it is killed. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { rotateSecrets } from '../../src/host/rotate-secrets.ts'
import { statusOf } from '../../src/host/secrets-status.ts'
import { databaseLocation } from '../../src/host/storage.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema, openDatabase } from '../../src/kernel/database/open.ts'
import { queryAutocommit } from '../../src/kernel/database/transaction.ts'
import { UserError } from '../../src/kernel/errors.ts'
import { parseKeys } from '../../src/kernel/secrets/keys.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { configurationFor, openSecretHost, secretService } from '../support/secret-service.ts'

const NUMBERS = 1000
const SUM = String((NUMBERS * (NUMBERS + 1)) / 2)
const REMOVE = { keepOld: false }
let count = 0

async function filledHome(engine: Engine, given = {}) {
  const folder = temporaryFolder()
  const service = secretService(`rotated${process.pid}${count++}`)
  const data = join(folder.path, 'data')
  const configuration = (more = {}) =>
    configurationFor(service, { data, ...engineOptions(engine), ...given, ...more })
  const open = (more = {}) => openSecretHost(configuration(more))
  const key = join(data, 'secret.key')
  {
    await using vault = await open()
    await vault.post(`fill/${NUMBERS}`)
    await vault.post('ada/lovelace')
  }
  return {
    folder: folder.path,
    data,
    key,
    service,
    configuration,
    open,
    ids: () => parseKeys(readFileSync(key, 'utf8')).map(({ id }) => id),
    async requireReadable(more = {}) {
      await using vault = await open(more)
      assert.equal(await vault.get('sum'), SUM)
      assert.equal(await vault.get('ada'), 'lovelace')
      assert.deepEqual(vault.warnings, [])
    },
    async [Symbol.asyncDispose]() {
      if (engine === 'postgres') {
        await dropSchema({ url: postgresUrl(), schema: `nonet_${service.name}`, durable: true })
      }
      folder[Symbol.dispose]()
    }
  }
}

type Home = Awaited<ReturnType<typeof filledHome>>

async function change(home: Home, sql: string): Promise<void> {
  const { database } = home.configuration()
  const { name, migrations = [] } = home.service
  const location = databaseLocation(name, { folder: home.data, database, ephemeral: false })
  const opened = await openDatabase(location, { service: name, migrations })
  await opened.write(() => queryAutocommit(sql))
  await opened.close()
}

/** Kills a rotation this time after it has added the new key; true if it has removed the old one. */
async function killRotation(home: Home, ms: number): Promise<boolean> {
  const { database = '' } = home.configuration()
  const script = join(ROOT, 'test/support/rotate-secrets.ts')
  const args = [script, home.service.name, home.data, database]
  const before = readFileSync(home.key, 'utf8')
  const child = spawn(process.execPath, args, { stdio: 'inherit' })
  const closed = once(child, 'close')
  while (child.exitCode === null && readFileSync(home.key, 'utf8') === before) await wait(1)
  await Promise.race([closed, wait(ms)])
  child.kill('SIGKILL')
  await closed
  return home.ids().length === 1
}

for (const engine of ENGINES) {
  describe(`rotation on ${engine}`, () => {
    test('all values are sealed with a new key, and the old one is removed', async () => {
      await using home = await filledHome(engine)
      const [old = ''] = home.ids()
      const before = readFileSync(home.key, 'utf8')
      const rotated = await rotateSecrets(home.configuration(), REMOVE)
      const [now = '', ...others] = home.ids()
      assert.notEqual(now, old)
      assert.deepEqual(others, [])
      assert.deepEqual(rotated, {
        keyId: now,
        source: home.key,
        values: NUMBERS + 1,
        services: [home.service.name],
        removed: [old],
        stays: undefined
      })
      await home.requireReadable()
      const { services, missing } = await statusOf(home.configuration())
      const values = { [now]: NUMBERS + 1 }
      assert.deepEqual(services, [{ service: home.service.name, key: now, values }])
      assert.deepEqual(missing, [])
      writeFileSync(home.key, before)
      await assert.rejects(home.open(), new RegExp(now))
      assert.deepEqual((await statusOf(home.configuration())).missing, [now])
    })

    test('--keep-old leaves the old key, and the next rotation removes both', async () => {
      await using home = await filledHome(engine)
      const [old = ''] = home.ids()
      const first = await rotateSecrets(home.configuration(), { keepOld: true })
      assert.deepEqual(home.ids(), [first.keyId, old])
      assert.equal(first.stays, '--keep-old was given')
      const second = await rotateSecrets(home.configuration(), REMOVE)
      assert.deepEqual(second.removed, [first.keyId, old])
      assert.deepEqual(home.ids(), [second.keyId])
      await home.requireReadable()
    })

    test('a given key file is not written: its first line seals', async () => {
      const given = temporaryFolder()
      const secretKeyFile = join(given.path, 'keys')
      const old = randomBytes(32).toString('hex')
      writeFileSync(secretKeyFile, `${old}\n`, { mode: 0o600 })
      await using home = await filledHome(engine, { secretKeyFile })
      await assert.rejects(rotateSecrets(home.configuration(), REMOVE), /add a new key in front/)
      assert.equal(readFileSync(secretKeyFile, 'utf8'), `${old}\n`)
      const text = `${randomBytes(32).toString('base64')}\n${old}\n`
      writeFileSync(secretKeyFile, text)
      const { values, removed, stays } = await rotateSecrets(home.configuration(), REMOVE)
      assert.deepEqual([values, removed], [NUMBERS + 1, []])
      assert.match(stays ?? '', /^remove them from /)
      assert.equal(readFileSync(secretKeyFile, 'utf8'), text)
      writeFileSync(secretKeyFile, `${text.split('\n')[0]}\n`)
      await home.requireReadable()
      given[Symbol.dispose]()
    })

    test('is not begun while a process uses the tables, or without the key', async () => {
      await using home = await filledHome(engine)
      const text = readFileSync(home.key, 'utf8')
      {
        await using _vault = await home.open()
        await assert.rejects(rotateSecrets(home.configuration(), REMOVE), /stop it/)
      }
      assert.equal(readFileSync(home.key, 'utf8'), text)
      rmSync(home.key)
      await assert.rejects(rotateSecrets(home.configuration(), REMOVE), UserError)
      writeFileSync(home.key, text, { mode: 0o600 })
      await home.requireReadable()
    })

    test('a value that no key opens keeps the old key', async () => {
      await using home = await filledHome(engine)
      const [old = ''] = home.ids()
      await change(home, "update named set sealed = replace(sealed, '.', '.A')")
      await assert.rejects(
        rotateSecrets(home.configuration(), REMOVE),
        /1 secrets of .* old key stays/
      )
      assert.deepEqual(home.ids().slice(1), [old])
      await change(home, 'delete from named')
      const done = await rotateSecrets(home.configuration(), REMOVE)
      assert.deepEqual([done.values, done.removed], [0, [old]])
    })

    test('killed at any time leaves everything readable, and continues', async () => {
      await using home = await filledHome(engine)
      const ended: boolean[] = []
      for (const ms of [0, 20, 50]) {
        ended.push(await killRotation(home, ms))
        await home.requireReadable()
      }
      assert.ok(ended.includes(false), 'every rotation ended before it was killed')
      await rotateSecrets(home.configuration(), REMOVE)
      assert.equal(home.ids().length, 1)
      await home.requireReadable()
    })
  })
}

test('the old key stays while files in the data folder need it', async () => {
  await using files = await filledHome('sqlite')
  const { database } = engineOptions('postgres')
  const onServer = files.configuration({ database })
  {
    await using vault = await openSecretHost(onServer)
    await vault.post('ada/lovelace')
  }
  const [old] = files.ids()
  const { stays, removed } = await rotateSecrets(onServer, REMOVE)
  assert.deepEqual(removed, [])
  assert.match(stays ?? '', new RegExp(`needs ${old}$`))
  await files.requireReadable()
  await dropSchema({ url: postgresUrl(), schema: `nonet_${files.service.name}`, durable: true })
})
