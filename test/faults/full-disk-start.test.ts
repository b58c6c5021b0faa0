/** A start on a disk that is full. */
import assert from 'node:assert/strict'
import { existsSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { type Launched, launchNonet } from '../support/launcher.ts'
import { TODOS } from '../support/mock-state-documents.ts'
import { CAN_MOUNT, smallDisk } from '../support/small-disk.ts'

const LEFT_OUT = (process.env.NONET_TEST_WITHOUT ?? '').split(',').includes('tmpfs')
const limits = { skip: LEFT_OUT && 'left out by NONET_TEST_WITHOUT', timeout: 300_000 }
const MEGABYTE = 1024 * 1024
const DISK_MEGABYTES = 24
const BOX = 'box_0123456789abcdefghij'

interface FullDisk extends Disposable {
  start: () => Promise<Launched>
  reserve: string
  /** As if the workspaces had been used two minutes ago. */
  waitTwoMinutes: () => void
  fill: () => void
  free: () => void
}

function fullDisk(): FullDisk {
  assert.ok(
    CAN_MOUNT,
    'This test mounts a small disk: run it as root on Linux, or leave it out with NONET_TEST_WITHOUT=tmpfs'
  )
  const disk = smallDisk(DISK_MEGABYTES)
  const data = join(disk.path, 'data')
  const document = join(disk.path, 'todos.json')
  const ballast = join(disk.path, 'ballast')
  writeFileSync(document, JSON.stringify(TODOS))
  return {
    start: () =>
      launchNonet([
        ...['boxes', 'scenarios', 'mock', `--data=${data}`],
        ...[`--mock-documents=${document}`, '--mock-state']
      ]),
    reserve: join(data, '.nonet-reserve'),
    waitTwoMinutes() {
      const file = new DatabaseSync(join(data, 'scenarios.sqlite'))
      file.exec('update workspace set used = used - 120000')
      file.close()
    },
    fill() {
      const all = Buffer.alloc(DISK_MEGABYTES * MEGABYTE)
      assert.throws(() => writeFileSync(ballast, all), { code: 'ENOSPC' })
    },
    free: () => rmSync(ballast),
    [Symbol.dispose]: disk[Symbol.dispose]
  }
}

async function send(
  method: string,
  url: string,
  body?: object
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(url, {
    method,
    ...(body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}

interface Urls {
  box: string
  record: string
  users: string
  user: string
  todos: string
  todo: string
}

/** Stores a record in each service. */
async function store({ ready: { services } }: Launched): Promise<Urls> {
  const { boxes, scenarios, mock } = services
  const box = `${boxes}/${BOX}`
  const { _id } = (await send('POST', box, { n: 1 })).body as { _id: string }
  const workspace = (await send('POST', `${scenarios}/_workspaces`, {})).body as {
    base_url: string
  }
  const users = `${workspace.base_url}/api/users`
  const { id } = (await send('POST', users, { name: 'Ada' })).body as { id: string }
  const todos = `${mock}/todos`
  const todo = (await send('POST', todos, { title: 'one' })).body as { id: number }
  return {
    ...{ box, record: `${box}/${_id}` },
    ...{ users, user: `${users}/${id}` },
    ...{ todos, todo: `${todos}/${todo.id}` }
  }
}

/** The same paths at the URLs of another start. */
function moved(urls: Urls, from: Launched, to: Launched): Urls {
  let text = JSON.stringify(urls)
  for (const [name, url] of Object.entries(from.ready.services)) {
    text = text.replaceAll(url, to.ready.services[name] ?? '')
  }
  return JSON.parse(text)
}

async function statuses(method: string, urls: readonly string[], body?: object): Promise<number[]> {
  return Promise.all(urls.map(async (url) => (await send(method, url, body)).status))
}

async function assertRefuses({ box, users, todos }: Urls): Promise<void> {
  const [record, user, todo] = await Promise.all([
    send('POST', box, { n: 2 }),
    send('POST', users, { name: 'Bob' }),
    send('POST', todos, { title: 'two' })
  ])
  assert.deepEqual([record.status, user.status, todo.status], [507, 507, 507])
  assert.deepEqual(record.body, { message: 'No disk space left', code: 'storage_full' })
  assert.deepEqual(user.body, { error: 'No disk space left' })
  assert.equal(user.headers.get('x-error-code'), 'storage_full')
  assert.equal((todo.body as { title: string }).title, 'No disk space left')
}

/** A start on a full disk with records of an earlier one: they can be read, new ones are rejected. */
async function startFull(disk: ReturnType<typeof fullDisk>, beforeFilling: () => void) {
  await using earlier = await disk.start()
  const stored = await store(earlier)
  await earlier.end()
  beforeFilling()
  disk.waitTwoMinutes()
  disk.fill()
  const nonet = await disk.start()
  const urls = moved(stored, earlier, nonet)
  const items = [urls.record, urls.user, urls.todo]
  assert.deepEqual(await statuses('GET', items), [200, 200, 200])
  await assertRefuses(urls)
  return { nonet, urls, items }
}

test(
  'a start on a full disk reads, deletes from its reserve, and answers 507',
  limits,
  async () => {
    using disk = fullDisk()
    const { nonet, urls, items } = await startFull(disk, () => {
      assert.equal(statSync(disk.reserve).size, 2 * MEGABYTE)
    })
    await using _running = nonet
    const deleted = await statuses('DELETE', items)
    assert.ok(
      deleted.every((status) => status === 200 || status === 204),
      String(deleted)
    )
    await assertRefuses(urls)
    assert.equal(statSync(disk.reserve).size, 0)

    disk.free()
    assert.deepEqual(await statuses('POST', [urls.box], { n: 3 }), [200])
    assert.deepEqual(await statuses('POST', [urls.users], { name: 'Eve' }), [201])
    assert.equal(statSync(disk.reserve).size, 2 * MEGABYTE)
    const { code, stderr } = await nonet.end()
    assert.equal(code, 0)
    assert.match(
      stderr,
      /^nonet: The disk of .* is full: a reserve of 2 MB is used to delete data, other writes are answered with 507 until there is space\n(nonet: scenarios: journal write failed: No disk space left\n)?nonet: The disk of .* has space again, all writes are accepted\n$/
    )
  }
)

test('without a reserve a start on a full disk only reads', limits, async () => {
  using disk = fullDisk()
  const { nonet, urls, items } = await startFull(disk, () => rmSync(disk.reserve))
  await using _running = nonet
  assert.deepEqual(await statuses('DELETE', items), [507, 507, 507])
  assert.equal(existsSync(disk.reserve), false)

  disk.free()
  const deleted = await statuses('DELETE', items)
  assert.ok(
    deleted.every((status) => status === 200 || status === 204),
    String(deleted)
  )
  assert.deepEqual(await statuses('POST', [urls.box], { n: 3 }), [200])
  const { code, stderr } = await nonet.end()
  assert.equal(code, 0)
  assert.match(
    stderr,
    /nonet: The disk of .* is full and nonet has no reserve there: data can be read, but writes and deletions are answered with 507 until there is space\n/
  )
  assert.doesNotMatch(stderr, /^ +at /m)
})

test('records can be deleted from a disk that became full', limits, async () => {
  using disk = fullDisk()
  await using nonet = await disk.start()
  const urls = await store(nonet)
  disk.fill()
  const big = { pad: 'x'.repeat(60_000) }
  let status = 200
  const added: string[] = []
  while (status === 200) {
    const response = await send('POST', urls.box, big)
    status = response.status
    if (status === 200) added.push((response.body as { _id: string })._id)
  }
  assert.equal(status, 507)
  const items = [urls.record, urls.user, urls.todo]
  const deleted = await statuses('DELETE', items)
  assert.ok(
    deleted.every((one) => one === 200 || one === 204),
    String(deleted)
  )
  // Free space inside the file is used again.
  for (const id of added) assert.deepEqual(await statuses('DELETE', [`${urls.box}/${id}`]), [200])
  assert.deepEqual(await statuses('POST', [urls.box], big), [added.length > 10 ? 200 : 507])
})
