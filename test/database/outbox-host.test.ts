/** The outbox of a service as the host starts, resets and stops it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { configure } from '../../src/host/configuration.ts'
import { openHost } from '../../src/host/host.ts'
import type { Engine } from '../../src/kernel/database/database.ts'
import { dropSchema } from '../../src/kernel/database/open.ts'
import { addJob } from '../../src/kernel/outbox/add-job.ts'
import type { JobHandlers } from '../../src/kernel/outbox/job.ts'
import { outboxMigration } from '../../src/kernel/outbox/table.ts'
import type { Kernel, Service } from '../../src/kernel/service.ts'
import { ENGINES, engineOptions, postgresUrl } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { newJob, until } from './outbox-jobs.ts'

const NAME = `sender${process.pid}`
/** Longer than a few writes and the begin of a stop on a busy machine. */
const BEFORE_STOP_MS = 3_000
const reporter = { requestLog: undefined, warn: assert.fail, onUnexpectedError: assert.fail }

function createSender(jobs: JobHandlers, seen: { kernel?: Kernel; stopped?: string[] }): Service {
  return {
    name: NAME,
    label: 'I-99',
    summary: 'sends',
    compatibleWith: 'nothing',
    example: { method: 'GET', path: '/' },
    settings: {},
    migrations: [outboxMigration()],
    outbox: true,
    renderError: ({ message }) => ({ status: 500, body: message, type: 'text/plain' }),
    openapi: () => ({}),
    async mount(kernel) {
      seen.kernel = kernel
      return { jobs, stop: () => void seen.stopped?.push('service') }
    }
  }
}

async function open(engine: Engine, folder: string, service: Service) {
  const configuration = configure({
    ...{ portBase: 0, quiet: true, console: false, data: folder },
    ...engineOptions(engine)
  })
  return openHost({ ...configuration, services: [service] }, reporter)
}

async function dropTables(engine: Engine): Promise<void> {
  if (engine === 'sqlite') return
  await dropSchema({ url: postgresUrl(), schema: `nonet_${NAME}`, durable: true })
}

for (const engine of ENGINES) {
  test(`jobs run from start to stop and survive both, on ${engine}`, async () => {
    using folder = temporaryFolder()
    const runs: string[] = []
    const stopped: string[] = []
    const seen: { kernel?: Kernel; stopped: string[] } = { stopped }
    const service = createSender(
      {
        send: {
          async run({ key, attempt }) {
            runs.push(`${key} ${attempt}`)
            await wait(key === 'running' ? 100 : 0)
            stopped.push(key)
            return { state: 'done' }
          }
        }
      },
      seen
    )
    let dueAt = 0
    const host = await open(engine, folder.path, service)
    try {
      const { database } = seen.kernel ?? assert.fail()
      await database.write(() => addJob(newJob('reset', { runAt: Date.now() + 60_000 }), 1))
      await host.reset(NAME)
      assert.deepEqual({ ...(await seen.kernel?.outbox.count()) }, { waiting: 0, dead: 0 })
      await database.write(() => addJob(newJob('first'), Date.now()))
      await until(() => runs.length === 1, 'the first')
      dueAt = Date.now() + BEFORE_STOP_MS
      await database.write(() => addJob(newJob('later', { runAt: dueAt }), 1))
      await database.write(() => addJob(newJob('running'), Date.now()))
      await until(() => runs.length === 2, 'the one that runs during the stop')
    } finally {
      await host.stop()
    }
    assert.deepEqual(stopped, ['first', 'running', 'service'])
    await wait(Math.max(dueAt - Date.now(), 0))
    const again = await open(engine, folder.path, service)
    await until(() => runs.length === 3, 'what fell due meanwhile').finally(again.stop)
    assert.deepEqual(runs, ['first 1', 'running 1', 'later 1'])
    await dropTables(engine)
  })
}

test('a service without the declaration has no outbox', async () => {
  using folder = temporaryFolder()
  const seen: { kernel?: Kernel } = {}
  const { outbox: _, ...service } = createSender({}, seen)
  const host = await open('sqlite', folder.path, service)
  assert.throws(() => seen.kernel?.outbox, /has no outbox/)
  await host.stop()
})
