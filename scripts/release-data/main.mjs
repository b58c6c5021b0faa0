import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import pg from 'pg'
import { writeZip } from '../../src/kernel/zip/write-zip.ts'
import { sendPlain } from '../../test/support/plain-http.ts'
import { hostOf, sendRecorded } from '../../test/support/recorded-requests.ts'
import { temporaryFolder } from '../compare/servers.mjs'
import { describeDatabase, dumpDatabase } from './dump.mjs'
import { openRelease, storedServices } from './release.mjs'
import { storeBoxes } from './store-boxes.mjs'
import { storeCards } from './store-cards.mjs'
import { storeMailbox } from './store-mailbox.mjs'
import { storeMock } from './store-mock.mjs'
import { storeScenarios } from './store-scenarios.mjs'
import { storeStatuses } from './store-statuses.mjs'

const runFile = promisify(execFile)
/** Random bytes that nonet deletes if the disk is full, and makes again. */
const RESERVE = '.nonet-reserve'
// Scenarios are the last: a workspace tells when it was last used, to the minute.
const STORES = [storeBoxes, storeMock, storeStatuses, storeCards, storeMailbox, storeScenarios]

const [clone, target] = [process.argv[2], process.argv[3] ?? 'test/release'].map((path) =>
  resolve(path)
)
const document = resolve('test/release/api.json')
const release = openRelease(clone, ['--mock-documents', document, '--mock-state'])
const services = await storedServices(clone)
const scratch = temporaryFolder()
const folderNamed = (name) => join(scratch.path, name)
try {
  await make()
} finally {
  scratch.remove()
}

async function make() {
  const data = folderNamed('data')
  const requests = await storeAll(data)
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'folder.zip'), await zipOf(data))
  await release.command(['--data', data], 'backup', join(target, 'backup.nonet'))
  const postgres = folderNamed('postgres')
  cpSync(data, postgres, { recursive: true, preserveTimestamps: true })
  const recordedAt = new Date()
  const exchanges = await record(['--data', copyOf(data, 'recorded')], requests)
  const flags = ['--data', postgres, '--database', await createDatabase('release')]
  await release.command(['--data', postgres], 'copy', '--to', flags[3])
  // The first start registers the folder of the files in the tables.
  await release.run(flags, scratch.path, () => {})
  assert.deepEqual(listFiles(postgres), listFiles(data), 'PostgreSQL uses the files of the folder')
  writeFileSync(join(target, 'dump.sql'), await dump(flags[3]))
  for (const [index, exchange] of (await record(flags, requests)).entries()) {
    assert.deepEqual(exchange, exchanges[index])
  }
  writeFileSync(join(target, 'expected.json'), JSON.stringify(await describe(), null, 1))

  async function describe() {
    const migrations = services.map(({ name, migrations: { length } }) => [name, length])
    const { version } = JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8'))
    const { stdout } = await runFile('git', ['-C', clone, 'rev-parse', 'HEAD'])
    return {
      ...{ version, commit: stdout.trim(), recordedAt: recordedAt.toISOString() },
      migrations: Object.fromEntries(migrations),
      exchanges
    }
  }
}

/** Returns the requests that show what was stored. */
function storeAll(data) {
  const flags = ['--data', data]
  return release.run(flags, scratch.path, async (urls) => {
    const command = (...args) => release.command(flags, ...args)
    const requests = []
    for (const store of STORES) {
      requests.push(...(await store({ send: sender(urls), command, folder: scratch.path })))
    }
    return requests
  })
}

/** Returns the text of a successful response. */
function sender(urls) {
  return async (service, method, path, body, headers = {}) => {
    const all = { 'content-type': 'application/json', ...headers, host: hostOf(service) }
    const response = await sendPlain(urls[service] + path, { method, body, headers: all })
    const text = response.body.toString()
    if (response.status < 300) return text
    throw new Error(`${service} ${method} ${path}: ${response.status} ${text}`)
  }
}

function record(flags, requests) {
  return release.run(flags, scratch.path, async (urls) => {
    const exchanges = []
    for (const request of requests) {
      exchanges.push({ request, response: await sendRecorded(urls, request) })
    }
    return exchanges
  })
}

/** Reading changes the data too, such as the journal of a workspace. */
function copyOf(folder, name) {
  cpSync(folder, folderNamed(name), { recursive: true, preserveTimestamps: true })
  return folderNamed(name)
}

async function dump(url) {
  const copied = await createDatabase('loaded')
  const [source, loaded] = [url, copied].map((one) => new pg.Client(one))
  await Promise.all([source.connect(), loaded.connect()])
  const sql = await dumpDatabase(source, services)
  await loaded.query(sql)
  const [expected, found] = await Promise.all(
    [source, loaded].map((client) => describeDatabase(client, services))
  )
  assert.deepEqual(found, expected, 'the loaded dump differs')
  await Promise.all([source.end(), loaded.end()])
  return sql
}

async function createDatabase(name) {
  const client = new pg.Client(process.env.NONET_POSTGRES)
  await client.connect()
  await client.query(`create database ${name}`)
  await client.end()
  const url = new URL(process.env.NONET_POSTGRES)
  url.pathname = `/${name}`
  return url.href
}

/** Files of services, which PostgreSQL does not have, by path. */
function listFiles(folder) {
  return namesIn(folder)
    .filter((name) => name.includes('/'))
    .map((name) => [name, readFileSync(join(folder, name), 'base64')])
}

function namesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .filter((name) => name !== RESERVE && statSync(join(folder, name)).isFile())
    .sort()
}

function zipOf(folder) {
  const modified = new Date(0)
  const sources = namesIn(folder).map((name) => {
    return { name, modified, content: readFileSync(join(folder, name)) }
  })
  return buffer(writeZip(sources))
}
