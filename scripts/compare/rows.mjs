import { execFile } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { plainRequest } from './exchange.mjs'

/** URL of a server that a test opened on a free port. */
const LOCAL_URL = /https?:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{5}/
/** Options that only an embedding program can set. */
const NOT_SETTINGS = ['maxBodyBytes']

/** The requests of all contract tables of the present version, as plain data. */
export async function collectTables(root, folder) {
  const record = join(folder, 'rows.jsonl')
  const files = globSync('test/contract/*.test.ts', { cwd: root }).filter((file) =>
    /^(?:contract|mockRows)\(/m.test(readFileSync(join(root, file), 'utf8'))
  )
  await promisify(execFile)(
    process.execPath,
    [
      ...['--disable-warning=ExperimentalWarning', '--test', '--test-isolation=none'],
      ...['--test-name-pattern=^recorded:', ...files.sort()]
    ],
    { cwd: root, env: { ...process.env, NONET_CONTRACT_RECORD: record }, maxBuffer: 2 ** 28 }
  )
  const lines = readFileSync(record, 'utf8').trim().split('\n')
  return lines.map((line) => JSON.parse(line))
}

/**
 * Runs that together send the requests of all tables. A run starts each service once with one set
 * of settings, so the number of runs is the largest number of such sets of any service.
 */
export function planRuns(tables, { folder, webhook, exclude, wants, storedOnly }) {
  const byService = new Map()
  for (const table of tables) {
    if (!wants(table.service) || (storedOnly && !table.stored)) continue
    const settings = portableSettings(table, webhook)
    if (settings === undefined) {
      exclude('rows with settings that no flag or file can give', table.requests.length)
      continue
    }
    const runs = byService.get(table.service) ?? new Map()
    byService.set(table.service, runs)
    const key = JSON.stringify(settings)
    const run = runs.get(key) ?? { service: table.service, settings, tables: [] }
    runs.set(key, run)
    run.tables.push(table)
  }
  for (const run of byService.get('mock')?.values() ?? []) writeDocuments(run, folder)
  const queues = [...byService.values()].map((runs) => [...runs.values()].sort(plainFirst))
  const longest = Math.max(0, ...queues.map((queue) => queue.length))
  return Array.from({ length: longest }, (_, index) =>
    queues.map((queue) => queue[index]).filter(Boolean)
  )
}

function plainFirst(one, other) {
  return Object.keys(one.settings).length - Object.keys(other.settings).length
}

function portableSettings({ service, settings, portable }, webhook) {
  const given = { ...settings }
  if (service === 'forms' && LOCAL_URL.test(given.webhook)) {
    given.webhook = given.webhook.replace(LOCAL_URL, webhook)
  }
  if (given.dynamic) given.seed ??= 'compare'
  const named = Object.keys(given).some((name) => NOT_SETTINGS.includes(name))
  const rest = JSON.stringify(given).replaceAll(webhook, '')
  return !portable || named || LOCAL_URL.test(rest) ? undefined : given
}

let documents = 0

/** Several documents are served by one mock, each below its own path. */
function writeDocuments(run, folder) {
  const names = new Map()
  for (const table of run.tables) {
    const text = JSON.stringify(table.document)
    if (!names.has(text)) {
      documents += 1
      names.set(text, `d${documents}`)
      writeFileSync(join(folder, `d${documents}.json`), text)
    }
    table.prefix = `/${names.get(text)}`
  }
  const entries = [...names.values()].map((name) => `${name}=${join(folder, `${name}.json`)}`)
  run.settings = { ...run.settings, documents: entries }
}

export function rowRequests({ service, tables }, engine) {
  return tables.flatMap(({ prefix = '', requests }) =>
    requests.map(({ method, path, headers, base64 }) => {
      const body = base64 === undefined ? undefined : Buffer.from(base64, 'base64')
      const request = plainRequest({ method, path: prefix + path, headers, body })
      return { ...request, group: `rows, ${engine}`, service }
    })
  )
}
