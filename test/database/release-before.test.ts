import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { restore } from '../../src/host/archive.ts'
import { configure } from '../../src/host/configuration.ts'
import { diagnoseSecrets } from '../../src/host/secrets-diagnosis.ts'
import type { ServiceName } from '../../src/host/service-names.ts'
import { allServices } from '../../src/host/service-registry.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Storage } from '../../src/host/storage.ts'
import { diagnoseStorage } from '../../src/host/storage-diagnosis.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { temporaryDatabase } from '../support/engines.ts'
import { runNonet, temporaryFolder } from '../support/launcher.ts'
import {
  type RecordedRequest,
  type RecordedResponse,
  type ServiceUrls,
  sendRecorded
} from '../support/recorded-requests.ts'
import { BACKUP, DOCUMENT, extractFolder, loadDump, recording } from '../support/release-data.ts'

interface Location {
  data: string
  database?: string
}

interface Source {
  title: string
  database: boolean
  /** The migrations of the release, and not those of the present code, are applied. */
  isOld: boolean
  open: (location: Location) => Promise<void>
}

const SOURCES: readonly Source[] = [
  {
    title: 'the data folder',
    database: false,
    isOld: true,
    open: ({ data }) => extractFolder(data)
  },
  { title: 'the backup in an empty folder', database: false, isOld: false, open: restoreBackup },
  { title: 'the backup in PostgreSQL', database: true, isOld: false, open: restoreBackup },
  {
    title: 'the dump in PostgreSQL',
    database: true,
    isOld: true,
    async open({ data, database = '' }) {
      // Files and the key of secrets are in the data folder, whatever the database.
      await extractFolder(data, /\/|^\.nonet-data$|^secret\.key$/)
      await loadDump(database)
    }
  }
]

async function restoreBackup(location: Location): Promise<void> {
  await restore(BACKUP, storageOf(location), { progress: () => {} })
  // A backup contains no key.
  await extractFolder(location.data, /^secret\.key$/)
}

function storageOf({ data, database }: Location): Storage {
  return { folder: data, database, ephemeral: false }
}

/** The number of migrations of each service that stores something. */
const present = Object.fromEntries(
  allServices.flatMap(({ name, migrations }) =>
    migrations === undefined ? [] : [[name, migrations.length]]
  )
)

const stored = Object.keys(present) as ServiceName[]

for (const { title, database: usesDatabase, isOld, open } of SOURCES) {
  test(`data of the release before: ${title}`, async (context) => {
    using folder = temporaryFolder()
    await using database = usesDatabase ? await temporaryDatabase() : undefined
    const location = {
      data: join(folder.path, 'data'),
      ...(database && { database: database.url })
    }
    await open(location)
    const { migrations } = recording
    if (isOld) assert.deepEqual(await appliedIn(location, migrations), migrations)
    await context.test('responses are as recorded', () => useData(location))
    await context.test('missing migrations are applied', async () => {
      assert.deepEqual(await appliedIn(location, present), present)
    })
    await context.test('diagnoses find no problem', async () => {
      const configuration = configure({ ...location, portBase: 0 })
      const diagnoses = [
        ...(await diagnoseStorage(configuration)),
        ...(await diagnoseSecrets(configuration))
      ]
      assert.deepEqual(
        diagnoses.filter(({ ok }) => !ok),
        []
      )
    })
  })
}

test('data of the release before: nonet doctor before the first start', async () => {
  using folder = temporaryFolder()
  const data = join(folder.path, 'data')
  await extractFolder(data)
  const { code, stdout } = await runNonet(['doctor', '--port-base=0', '--data', data])
  assert.equal(code, 0, stdout)
})

async function useData(location: Location): Promise<void> {
  const warnings: Error[] = []
  const onWarning = (warning: Error) => warnings.push(warning)
  process.on('warning', onWarning)
  // Tokens, workspaces and restorable posts of the data expire.
  mock.timers.enable({ apis: ['Date'], now: new Date(recording.recordedAt) })
  try {
    await using nonet = await start({
      ...location,
      services: stored,
      mock: { documents: [DOCUMENT], state: true }
    })
    await replay(nonet)
    await writeMore(nonet)
    await useMailAccount(nonet)
  } finally {
    mock.timers.reset()
    process.off('warning', onWarning)
  }
  assert.deepEqual(
    warnings.filter(({ name }) => name === 'nonet'),
    []
  )
}

async function replay(nonet: Nonet): Promise<void> {
  assert.ok(recording.exchanges.length > 0)
  const urls = urlsOf(nonet)
  for (const { request, response } of recording.exchanges) {
    const { method = 'GET', service, path } = request
    assert.deepEqual(
      withoutOrder(request, await sendRecorded(urls, request)),
      withoutOrder(request, response),
      `${service}: ${method} ${path}`
    )
  }
}

/**
 * The release before listed records of boxes that have the same creation time in the opposite order.
 * A list therefore has another tag now, and the same records.
 */
function withoutOrder(
  { service }: RecordedRequest,
  { headers, ...response }: RecordedResponse
): RecordedResponse {
  if (service !== 'boxes' || headers.etag?.startsWith('W/') !== true)
    return { headers, ...response }
  const records = response.body.slice(1, -1).split(/,(?={"_id":)/)
  return { ...response, headers: { ...headers, etag: 'W/' }, body: records.sort().join() }
}

function urlsOf(nonet: Nonet): ServiceUrls {
  return Object.fromEntries(stored.map((name) => [name, nonet[name].url]))
}

/** New data is stored beside the old, and ids are not used twice. */
async function writeMore(nonet: Nonet): Promise<void> {
  const urls = urlsOf(nonet)
  const type = { 'content-type': 'application/json' }
  const record = { service: 'boxes', path: '/garden/beds', method: 'POST', headers: type }
  const stored = await sendRecorded(urls, { ...record, body: '{"area": 3.0}' })
  assert.equal(stored.status, 200, stored.body)
  const found = await sendRecorded(urls, { service: 'boxes', path: '/garden?q=area:=3' })
  assert.equal(found.body, `[${stored.body.replace(/}$/, ',"_collection":"beds"}')}]`)

  const user = '{"first_name":"Tank","email":"tank@example.org"}'
  const users = { service: 'scenarios', path: '/w/release/api/users', headers: type }
  const created = await sendRecorded(urls, { ...users, method: 'POST', body: user })
  assert.equal(JSON.parse(created.body).id, '15', created.body)

  const note = { service: 'mock', path: '/notes', method: 'POST', headers: type }
  const noted = await sendRecorded(urls, { ...note, body: '{"text":"new"}' })
  assert.equal(noted.body, '{"id":4,"text":"new"}')

  const own = recording.exchanges.find(
    ({ request, response }) => request.path === '/api/statuses' && response.status === 200
  )
  const headers = { ...own?.request.headers, ...type }
  const statuses = { service: 'statuses', path: '/api/statuses', headers }
  const posted = await sendRecorded(urls, { ...statuses, method: 'POST', body: '{"text":"new"}' })
  assert.equal(posted.status, 201, posted.body)
  const [newest, ...others] = JSON.parse((await sendRecorded(urls, statuses)).body).statuses
  assert.equal(newest.id, JSON.parse(posted.body).id)
  assert.deepEqual(others, JSON.parse(own?.response.body ?? '').statuses)
  await publishLater(urls)
}

/** Cards of the release can be scheduled, and are public again without a schedule. */
async function publishLater(urls: ServiceUrls): Promise<void> {
  const found = recording.exchanges.find(({ request }) => request.path.endsWith('/cards/my-garden'))
  const member = recording.exchanges.find(({ request }) => request.path === '/1/members/me')
  const { request, response } = found ?? assert.fail('no card')
  const type = { 'content-type': 'application/json' }
  const change = { ...request, method: 'PATCH', headers: { ...member?.request.headers, ...type } }
  const schedule = async (publishAt: string | null) => {
    const { status, body } = await sendRecorded(urls, {
      ...change,
      body: JSON.stringify({ publishAt })
    })
    assert.equal(status, 200, body)
    return (await sendRecorded(urls, request)).status
  }
  const later = new Date(Date.parse(recording.recordedAt) + 3_600_000).toISOString()
  assert.equal(response.status, 200)
  assert.equal(await schedule(later), 404)
  assert.equal(await schedule(null), 200)
}

/** Accounts of the sandbox are accounts of the API, with their mail and their tokens. */
async function useMailAccount({ mailbox }: Nonet): Promise<void> {
  const found = recording.exchanges.find(({ request: { path } }) => path === '/v1/sandbox/messages')
  const { request, response } = found ?? assert.fail('no account')
  const url = `${mailbox.url}/v1/account/ada`
  const { messages } = await (await fetch(`${url}/messages?path=INBOX`, request)).json()
  const [recorded] = JSON.parse(response.body).messages
  assert.equal(messages.length, 1)
  assert.equal(messages[0].subject, recorded.subject)
  assert.equal(messages[0].messageId, recorded.messageId)
  const flags = { flags: { add: '\\Flagged' } }
  const changed = await fetch(`${url}/message/${messages[0].id}`, {
    method: 'PUT',
    headers: { ...request.headers, 'content-type': 'application/json' },
    body: JSON.stringify(flags)
  })
  assert.equal(await changed.text(), '{"flags":{"add":true}}')
}

/** The last migration of each service, by the names in `services`. */
async function appliedIn(
  { data, database }: Location,
  services: Readonly<Record<string, number>>
): Promise<Record<string, number>> {
  const sql = 'select max(step) as step from'
  const applied: Record<string, number> = {}
  const client = database === undefined ? undefined : await connectPostgres({ url: database })
  for (const name of Object.keys(services)) {
    if (client === undefined) {
      using file = new DatabaseSync(join(data, `${name}.sqlite`), { readOnly: true })
      applied[name] = Number(file.prepare(`${sql} nonet_steps`).get()?.step)
    } else {
      const { rows } = await client.query(`${sql} nonet_${name}.nonet_steps`)
      applied[name] = Number(rows[0]?.step)
    }
  }
  await client?.end()
  return applied
}
