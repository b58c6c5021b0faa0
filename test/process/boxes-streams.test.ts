/** Streams of a real process: how they end, who may be slow, and what another process tells. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { readEvents } from '../support/event-stream.ts'
import { launchLoadedNonet, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { limitedHeap, residentMegabytes } from '../support/limited-process.ts'

/** Resolves when the stream has ended by itself. */
function follow(url: string) {
  const told: { at: number; n: number }[] = []
  const controller = new AbortController()
  let isOpen: () => void
  const opened = new Promise<void>((resolve) => {
    isOpen = resolve
  })
  async function read(): Promise<'ended'> {
    for await (const { data } of readEvents(url, {}, controller.signal)) {
      isOpen()
      if (data === '') continue
      told.push({ at: performance.now(), n: JSON.parse(data).record?.n })
    }
    return 'ended'
  }
  return { told, opened, ended: read(), stop: () => controller.abort() }
}

async function until(condition: () => boolean, what: string): Promise<void> {
  const deadline = performance.now() + 20_000
  while (!condition()) {
    assert.ok(performance.now() < deadline, what)
    await wait(5)
  }
}

describe('streams of changes', { timeout: 300_000 }, () => {
  test('a stop signal ends streams and waiting answers at once, cleanly', async () => {
    await using nonet = await launchLoadedNonet(['boxes', '--ephemeral', '--quiet', '--no-console'])
    const { boxes: url = '' } = nonet.ready.services
    const followers = Array.from({ length: 20 }, () => follow(`${url}/stopped`))
    await Promise.all(followers.map(({ opened }) => opened))
    const waiting = fetch(`${url}/_changes/stopped?since=now&wait=60`)
    // Until the other process has surely read the request.
    await wait(1_000)
    const started = performance.now()
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0, stderr)
    assert.ok(performance.now() - started < 9_000, 'before the deadline of a stop')
    assert.deepEqual(await (await waiting).json(), { seq: 0, changes: [], more: false })
    for (const { ended } of followers) assert.equal(await ended, 'ended')
  })

  test('a client that does not read costs no memory, and nobody else waits for it', {
    skip: !existsSync('/proc/self/status')
  }, async (t) => {
    await using nonet = await launchNonet(['boxes', '--ephemeral', '--quiet', '--no-console'], {
      env: { NODE_OPTIONS: limitedHeap(128) }
    })
    const { boxes: url = '' } = nonet.ready.services
    const body = JSON.stringify({ n: 1, text: 'x'.repeat(256 * 1024) })
    const store = () => fetch(`${url}/slow`, { method: 'POST', body }).then((a) => a.text())
    for (let n = 0; n < 40; n++) await store()
    const before = residentMegabytes(nonet.ready.pid).now
    const sleepers = Array.from({ length: 10 }, () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.pause()
      socket.write('GET /slow HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\n\r\n')
      return socket
    })
    const reader = follow(`${url}/slow`)
    await reader.opened
    for (let n = 0; n < 200; n++) await store()
    await until(() => reader.told.length === 200, 'the reader is told everything')
    const grown = residentMegabytes(nonet.ready.pid).now - before
    t.diagnostic(`${Math.round(grown)} MB more, for 10 × 50 MB that nobody reads`)
    assert.ok(grown < 150, `${grown} MB`)
    for (const socket of sleepers) socket.destroy()
    reader.stop()
    await reader.ended.catch(() => undefined)
  })

  test('what one process writes another one tells, also after its connection broke', {
    skip: !ENGINES.includes('postgres')
  }, async (t) => {
    using folder = temporaryFolder()
    using other = temporaryFolder()
    await using database = await temporaryDatabase()
    const flags = ['boxes', '--quiet', '--no-console', '--database', database.url]
    await using writer = await launchLoadedNonet([...flags, '--data', folder.path])
    await using teller = await launchLoadedNonet([...flags, '--data', other.path])
    const follower = follow(`${teller.ready.services.boxes}/shared`)
    await follower.opened
    const delays: number[] = []
    async function store(n: number): Promise<void> {
      const url = `${writer.ready.services.boxes}/shared`
      await (await fetch(url, { method: 'POST', body: `{"n":${n}}` })).text()
      const stored = performance.now()
      await until(() => follower.told.at(-1)?.n === n, `${n} is told`)
      delays.push((follower.told.at(-1)?.at ?? 0) - stored)
    }
    for (let n = 0; n < 50; n++) await store(n)
    const median = delays.toSorted((a, b) => a - b)[25] ?? 0
    t.diagnostic(`median ${Math.round(median)} ms from one process to the other`)
    assert.ok(median < 1_000)
    const client = await connectPostgres({ url: database.url })
    await client.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and query like 'listen %'"
    )
    await client.end()
    for (let n = 50; n < 60; n++) await store(n)
    assert.deepEqual(
      follower.told.map(({ n }) => n),
      Array.from({ length: 60 }, (_, n) => n)
    )
    follower.stop()
    await follower.ended.catch(() => undefined)
  })
})
