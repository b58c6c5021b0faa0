/** A disk that is full and a database that stops, under a mock that keeps state. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { TODOS } from '../support/mock-state-documents.ts'
import { createPostgresServer } from '../support/postgres-server.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const LEFT_OUT = (process.env.NONET_TEST_WITHOUT ?? '').split(',').includes('tmpfs')
const MEGABYTE = 1024 * 1024

function options(data: string) {
  const file = join(scratchFolder(), 'todos.json')
  writeFileSync(file, JSON.stringify(TODOS))
  const mock = { documents: [file], state: true }
  return { services: ['mock'], data, console: false, mock } as const
}

async function add(url: string, session: number, length: number): Promise<Response> {
  return fetch(`${url}/todos?__session=s${session}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ title: 't', note: 'x'.repeat(length) })
  })
}

test('a full disk is answered with 507, and is over when there is space', {
  skip: LEFT_OUT && 'left out by NONET_TEST_WITHOUT',
  timeout: 300_000
}, async () => {
  assert.ok(
    CAN_MOUNT,
    'This test mounts a small disk: run it as root on Linux, or leave it out with NONET_TEST_WITHOUT=tmpfs'
  )
  using disk = smallDisk(16)
  const ballast = join(disk.path, 'ballast')
  writeFileSync(ballast, Buffer.alloc(6 * MEGABYTE))
  await using nonet = await start(options(join(disk.path, 'data')))
  const { url } = nonet.mock
  const kept: { session: number; id: number }[] = []
  let session = 0
  // Down to the last bytes, so that there is no room left for anything.
  for (const size of [400_000, 40_000, 4000, 40]) {
    let refused: Response | undefined
    for (; refused === undefined; session++) {
      assert.ok(session < 90, 'the disk was never full')
      const answer = await add(url, session, size)
      if (answer.status === 201)
        kept.push({ session, id: ((await answer.json()) as { id: number }).id })
      else refused = answer
    }
    assert.equal(refused.status, 507)
    assert.equal(((await refused.json()) as { code: string }).code, 'STORAGE_FULL')
  }
  for (const { session, id } of kept) {
    assert.equal((await fetch(`${url}/todos/${id}?__session=s${session}`)).status, 200)
  }
  rmSync(ballast)
  assert.equal((await add(url, 95, 1000)).status, 201)
})

test('a PostgreSQL that stops is answered with 503 until it is back', {
  timeout: 300_000
}, async () => {
  const binaries = process.env.NONET_POSTGRES_BIN
  assert.ok(binaries, 'NONET_POSTGRES_BIN is set by npm test')
  await using server = await createPostgresServer({ binaries, fsync: true })
  await server.start()
  const place = { ...options(scratchFolder()), database: server.url }
  await using nonet = await start(place)
  const { url } = nonet.mock
  const made = await add(url, 1, 10)
  assert.equal(made.status, 201)
  const { id } = (await made.json()) as { id: number }
  await server.stop('fast')
  for (const answer of [await add(url, 1, 10), await fetch(`${url}/todos?__session=s1`)]) {
    assert.equal(answer.status, 503)
    assert.equal(answer.headers.get('retry-after'), '1')
    assert.equal(((await answer.json()) as { code: string }).code, 'STORAGE_UNAVAILABLE')
  }
  const shown = await fetch(`${url}/__nonet/state`)
  assert.equal(shown.status, 503)
  await server.start()
  // The server takes connections again when it has started, so the very next request may use it.
  assert.equal((await fetch(`${url}/todos/${id}?__session=s1`)).status, 200)
})
