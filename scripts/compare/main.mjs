// Sends the same requests to an older commit and to the working tree and compares every byte:
//   npm run compare -- <commit> [--expect <file>] [--only <service>] [--engine sqlite|postgres]
// Instead of a commit, a folder with a clone of nonet may be given.
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { STOP_SIGNALS } from '../../bin/parent.mjs'
import { root } from '../setup.mjs'
import { hostileRequests } from './hostile.mjs'
import { compareMockAlone } from './mock-alone.mjs'
import { openapiRequests } from './openapi.mjs'
import { readPages } from './pages.mjs'
import { createPlayer } from './play.mjs'
import { createReport, readExpected } from './report.mjs'
import { collectTables, planRuns, rowRequests } from './rows.mjs'
import { openVersion, startPair, temporaryFolder } from './servers.mjs'
import { openWebhook } from './webhook.mjs'

const SERVICES = [
  'reference',
  'boxes',
  'countries',
  'scenarios',
  'forms',
  'mailbox',
  'statuses',
  'mock',
  'cards'
]
const STORED = ['boxes', 'scenarios']

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: { expect: { type: 'string' }, only: { type: 'string' }, engine: { type: 'string' } }
})
const [commit = 'HEAD'] = positionals
const report = createReport(readExpected(flags.expect))
const wants = (service) => flags.only === undefined || flags.only === service
const started = Date.now()

const folder = temporaryFolder()
const webhook = await openWebhook()
let version
for (const signal of STOP_SIGNALS) {
  process.once(signal, () => cleanUp().finally(() => process.exit(1)))
}
try {
  version = await openVersion(root, commit)
  await compareVersions([version.root, root])
} finally {
  await cleanUp()
}
const different = report.print((line) => console.log(line))
console.log(`${Math.round((Date.now() - started) / 1000)} seconds`)
process.exitCode = different === 0 ? 0 : 1

async function cleanUp() {
  webhook.close()
  folder.remove()
  await version?.close()
}

async function compareVersions(roots) {
  const tables = await collectTables(root, folder.path)
  if (flags.engine !== 'postgres') {
    await compareOnSqlite(roots, tables)
    if (wants('mock')) await compareMockAlone(roots, tables, { folder: folder.path, report })
  }
  if (flags.engine !== 'sqlite' && STORED.some(wants)) await compareOnPostgres(roots, tables)
}

async function compareOnSqlite(roots, tables) {
  const runs = plan(tables, { storedOnly: false, exclude: report.exclude })
  // An older commit may lack services.
  const inBoth = (service) => roots.every((one) => existsSync(join(one, 'src/services', service)))
  const plain = SERVICES.filter((service) => wants(service) && inBoth(service)).map((service) => ({
    service,
    settings: {},
    tables: []
  }))
  await withPair(roots, plain, [], async (player) => {
    await inParallel(plain, async ({ service }) => {
      await playPublished(player, service, 'sqlite')
      await readPages(service, player.play)
      await player.playAll(hostileRequests(service))
    })
    if (!wants('console')) return
    await readPages('console', player.play)
    await player.playAll(hostileRequests('console'))
  })
  for (const run of runs) await playRows(roots, run, [], 'sqlite')
}

async function compareOnPostgres(roots, tables) {
  const databases = await createDatabases()
  const runs = plan(tables, { storedOnly: true, exclude: () => {} })
  for (const [index, run] of runs.entries()) {
    await playRows(roots, run, databases.urls, 'postgres', index === 0)
  }
}

function plan(tables, more) {
  return planRuns(tables, { folder: folder.path, webhook: webhook.url, wants, ...more })
}

async function playRows(roots, run, databases, engine, published = false) {
  await withPair(roots, run, databases, async (player) => {
    await inParallel(run, async (part) => {
      await player.playAll(rowRequests(part, engine))
      if (published) await playPublished(player, part.service, engine)
    })
  })
}

async function playPublished(player, service, engine) {
  const document = await player.fetchJson('console', `/openapi/${service}.json`)
  await player.playAll(openapiRequests(document, { service, group: `routes, ${engine}` }))
}

async function withPair(roots, run, databases, work) {
  const file = join(folder.path, 'nonet.config.json')
  const settings = run.map((part) => [part.service, part.settings])
  writeFileSync(file, JSON.stringify(Object.fromEntries(settings)))
  const names = run.map((part) => part.service)
  const args = ['up', ...names, '--json', '--quiet', '--ephemeral', '--port-base', '0']
  const pair = await startPair(roots, (side) => [
    ...[...args, '--config', file],
    ...(databases.length === 0 ? [] : ['--database', databases[side]])
  ])
  try {
    await work(createPlayer(pair, report))
  } finally {
    await pair.stop()
  }
  console.error(
    `${names.join(', ')}: compared after ${Math.round((Date.now() - started) / 1000)} s`
  )
}

/** Services do not share state, so their requests need no common order. */
function inParallel(parts, work) {
  return Promise.all(parts.map(work))
}

/** Creates a database for each version on the PostgreSQL server of this run. */
async function createDatabases() {
  const url = process.env.NONET_POSTGRES
  const names = ['compared_old', 'compared_present']
  const client = new pg.Client(url)
  await client.connect()
  for (const name of names) await client.query(`create database ${name}`)
  await client.end()
  return { urls: names.map((name) => Object.assign(new URL(url), { pathname: `/${name}` }).href) }
}
