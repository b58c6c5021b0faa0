/** A disk that is full in the middle of writing. */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const LEFT_OUT = (process.env.NONET_TEST_WITHOUT ?? '').split(',').includes('tmpfs')
const MEGABYTE = 1024 * 1024

/** Bursts until one is refused; what was acknowledged, by id. */
async function fill(url: string, stored: Map<string, string>): Promise<Response> {
  for (let burst = 0; ; burst++) {
    const texts = Array.from(
      { length: 20 },
      (_, n) => `{"n":"${burst}-${n}","pad":"${'x'.repeat(20_000)}"}`
    )
    const answers = await Promise.all(
      texts.map((body) => fetch(`${url}/full`, { method: 'POST', body }))
    )
    for (const [index, answer] of answers.entries()) {
      if (answer.status !== 200) continue
      const { _id } = (await answer.json()) as { _id: string }
      stored.set(_id, texts[index] ?? '')
    }
    const refused = answers.find(({ status }) => status !== 200)
    if (refused !== undefined) return refused
    assert.ok(burst < 200, 'the disk was never full')
  }
}

async function assertStored(url: string, stored: ReadonlyMap<string, string>): Promise<void> {
  for (const [id, sent] of stored) {
    const text = await (await fetch(`${url}/full/${id}`)).text()
    assert.ok(text.startsWith(`{"_id":"${id}",${sent.slice(1, -1)},"_createdOn"`), id)
  }
}

test('a full disk is answered with 507, damages nothing, and is over when there is space', {
  skip: LEFT_OUT && 'left out by NONET_TEST_WITHOUT',
  timeout: 300_000
}, async (t) => {
  assert.ok(
    CAN_MOUNT,
    'This test mounts a small disk: run it as root on Linux, or leave it out with NONET_TEST_WITHOUT=tmpfs'
  )
  using disk = smallDisk(16)
  const [large = '', small = ''] = ['large', 'small'].map((name) => join(disk.path, name))
  writeFileSync(large, Buffer.alloc(4 * MEGABYTE))
  writeFileSync(small, Buffer.alloc(5 * MEGABYTE))
  const data = join(disk.path, 'data')
  let nonet: Nonet<'boxes'> = await start({ services: ['boxes'], data, console: false })
  const stored = new Map<string, string>()
  const refused = await fill(nonet.boxes.url, stored)
  assert.equal(refused.status, 507)
  assert.equal(refused.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  assert.deepEqual(await refused.json(), {
    message: 'No disk space left',
    code: 'storage_full'
  })
  const before = stored.size
  assert.ok(before > 0)
  await assertStored(nonet.boxes.url, stored)
  rmSync(large)
  assert.equal((await fill(nonet.boxes.url, stored)).status, 507)
  assert.ok(stored.size > before, 'it works again')
  await assertStored(nonet.boxes.url, stored)
  const { _count } = await (await fetch(`${nonet.boxes.url}/_meta/full`)).json()
  assert.equal(_count, stored.size, 'nothing refused was stored')
  await nonet.stop()
  rmSync(small)
  const file = new DatabaseSync(join(data, 'boxes.sqlite'))
  assert.deepEqual({ ...file.prepare('pragma integrity_check').get() }, { integrity_check: 'ok' })
  file.close()
  nonet = await start({ services: ['boxes'], data, console: false })
  await assertStored(nonet.boxes.url, stored)
  await nonet.stop()
  t.diagnostic(`${stored.size} records of 20 kB kept`)
})
