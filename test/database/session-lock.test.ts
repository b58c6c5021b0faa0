/** Locks that one of several processes has; two databases opened here stand for two processes. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { createPostgresSignals } from '../../src/kernel/database/postgres-channel.ts'
import type { PostgresLocation } from '../../src/kernel/database/postgres-connection.ts'
import { connectPostgres } from '../../src/kernel/database/postgres-connection.ts'
import { openPostgresLock } from '../../src/kernel/database/postgres-lock.ts'
import type { SessionLock } from '../../src/kernel/database/session-lock.ts'
import { ENGINES, temporaryPlace } from '../support/engines.ts'
import { withoutPause } from '../support/pauses.ts'
import { openRelay } from '../support/tcp-relay.ts'
import { SHORT_TIMING } from './lock-timing.ts'
import { openThings } from './things.ts'

const DEADLINE_MS = 60_000

async function until(condition: () => unknown, what: string): Promise<void> {
  const deadline = performance.now() + DEADLINE_MS
  while (!(await condition())) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`)
    await wait(5)
  }
}

for (const engine of ENGINES) {
  test(`a process alone has a lock until it stops, on ${engine}`, async () => {
    await using place = temporaryPlace(engine)
    const database = await openThings(place)
    const told: boolean[] = []
    assert.equal(await database.findLockHolder('work'), undefined)
    const lock = database.openLock('work', (isHeld) => told.push(isHeld))
    await until(() => told.length > 0, 'the lock')
    assert.deepEqual(told, [true])
    assert.equal(lock.isHeld(), true)
    const { pid, host, isThisProcess } = (await database.findLockHolder('work')) ?? {}
    assert.deepEqual({ pid, host, isThisProcess }, { ...own(), isThisProcess: true })
    assert.equal(await database.findLockHolder('other'), undefined)
    assert.throws(() => database.openLock('work', () => {}), /work is open already/)
    await lock.stop()
    await lock.stop()
    assert.equal(lock.isHeld(), false)
    assert.equal(await database.findLockHolder('work'), undefined)
    assert.deepEqual(told, [true])
    const again = database.openLock('work', () => {})
    await until(() => again.isHeld(), 'the lock again')
    await again.stop()
    await database.close()
  })
}

function own() {
  return { pid: process.pid, host: hostname() }
}

describe('two processes on one PostgreSQL', { skip: !ENGINES.includes('postgres') }, () => {
  test('one has the lock, both know which, and the other gets it at once when it stops', () =>
    withoutPause(1_000, async () => {
      await using place = serverPlace()
      const databases = [await openThings(place), await openThings(place)] as const
      const told: string[] = []
      const locks: SessionLock[] = []
      for (const [index, database] of databases.entries()) {
        const lock = database.openLock('work', (isHeld) => told.push(`${index} ${isHeld}`))
        locks.push(lock)
        await until(() => lock.holder(), 'the first attempt')
      }
      assert.deepEqual(told, ['0 true', '1 false'])
      assert.deepEqual(
        locks.map((lock) => lock.isHeld()),
        [true, false]
      )
      const seen = await databases[1].findLockHolder('work')
      assert.deepEqual(
        { pid: seen?.pid, isThisProcess: seen?.isThisProcess },
        { pid: process.pid, isThisProcess: false }
      )
      assert.equal(seen?.startedAt, locks[0]?.holder()?.startedAt)
      const stoppedAt = performance.now()
      await locks[0]?.stop()
      await until(() => locks[1]?.isHeld(), 'the lock of the other')
      assert.ok(performance.now() - stoppedAt < 1_900, 'it does not wait for its next attempt')
      assert.deepEqual(told, ['0 true', '1 false', '1 true'])
      assert.equal(databases[1].lastLockHolder('work')?.isThisProcess, true)
      await locks[1]?.stop()
      for (const database of databases) await database.close()
    }))

  test('a holder whose connection the server ends has the lock again, and goes on', async () => {
    await using place = serverPlace()
    const database = await openThings(place)
    const told: boolean[] = []
    const lock = database.openLock('work', (isHeld) => told.push(isHeld))
    await until(() => told.length > 0, 'the lock')
    for (let round = 0; round < 3; round++) {
      assert.equal(await endSessions(place), 1)
      await until(() => !lock.isHeld(), 'the loss')
      await until(() => lock.isHeld(), 'the lock again')
    }
    assert.deepEqual(told, [true])
    await lock.stop()
    await database.close()
  })

  test('the name of the session is that of the process, whatever the URL of the database says', async () => {
    await using place = serverPlace()
    const named = new URL(place.url)
    named.searchParams.set('application_name', 'mine')
    const database = await openThings({ ...place, url: named.href })
    const lock = database.openLock('work', () => {})
    await until(() => lock.isHeld(), 'the lock')
    const other = await openThings(place)
    assert.equal((await other.findLockHolder('work'))?.pid, process.pid)
    await lock.stop()
    await database.close()
    await other.close()
  })

  test('a holder that loses its network stops before another one has the lock', async () => {
    await using place = serverPlace()
    await (await openThings(place)).close()
    const url = new URL(place.url)
    using network = await openRelay(Number(url.port), url.hostname)
    url.host = `127.0.0.1:${network.port}`
    const told: string[] = []
    const cut = competitor({ ...place, url: url.href }, (text) => told.push(`cut ${text}`))
    await until(() => told.length === 1, 'the lock of the first')
    const other = competitor(place, (text) => told.push(`other ${text}`))
    await until(() => other.lock.holder(), 'the first attempt of the other')
    network.silence(true)
    await until(() => told.length === 4, 'the lock of the other')
    assert.deepEqual(told, ['cut held', 'other lost', 'cut lost', 'other held'])
    network.silence(false)
    network.cut()
    await until(() => told.length === 5, 'it sees the new holder')
    assert.equal(cut.lock.holder()?.isThisProcess, false)
    assert.equal(cut.lock.isHeld(), false)
    assert.deepEqual(told.slice(4), ['cut lost'])
    await cut.stop()
    await other.stop()
  })

  test('a paused process loses the lock, and stops its work when it goes on', async () => {
    await using place = serverPlace()
    await (await openThings(place)).close()
    const child = spawnCompetitor(place)
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text) => {
      printed += text
    })
    await until(() => printed === 'held\n', 'the lock of the process')
    const told: string[] = []
    const other = competitor(place, (text) => told.push(text))
    await until(() => other.lock.holder()?.pid === child.pid, 'the first attempt of the other')
    child.kill('SIGSTOP')
    await until(() => told.length === 2, 'the lock of the other')
    child.kill('SIGCONT')
    // When it goes on, and when it sees the new holder.
    await until(() => printed === 'held\nlost\nlost\n', 'the end of its work')
    child.kill('SIGKILL')
    await once(child, 'close')
    assert.deepEqual(told, ['lost', 'held'])
    assert.equal(printed, 'held\nlost\nlost\n')
    await other.stop()
  })

  test('a process that was killed leaves the lock to the next', async () => {
    await using place = serverPlace()
    await (await openThings(place)).close()
    const child = spawnCompetitor(place)
    await once(child.stdout, 'data')
    const other = competitor(place, () => {})
    await until(() => other.lock.holder()?.pid === child.pid, 'the first attempt of the other')
    child.kill('SIGKILL')
    await until(() => other.lock.isHeld(), 'the lock of the other')
    await other.stop()
  })
})

function serverPlace() {
  const place = temporaryPlace('postgres')
  assert.ok(place.engine === 'postgres')
  return place
}

function spawnCompetitor({ url, schema }: PostgresLocation) {
  const script = join(import.meta.dirname, 'lock-process.ts')
  return spawn(process.execPath, [...process.execArgv, script, url, schema], {
    stdio: ['ignore', 'pipe', 'inherit']
  })
}

/** With short times, which a database does not offer. */
function competitor(place: PostgresLocation, tell: (text: 'held' | 'lost') => void) {
  const sockets = new Set<Socket>()
  const channel = createPostgresSignals(place, sockets)
  const listener = (isHeld: boolean) => tell(isHeld ? 'held' : 'lost')
  const context = { location: place, sockets, channel }
  const lock = openPostgresLock(context, 'work', listener, SHORT_TIMING)
  return {
    lock,
    async stop() {
      await lock.stop()
      for (const socket of sockets) socket.destroy()
      await channel.close()
    }
  }
}

/** Sessions with a name of their own are those of locks; other test files have some on this server. */
async function endSessions(place: PostgresLocation): Promise<number | null> {
  const client = await connectPostgres(place)
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name like 'nonet %@%'`
  )
  await client.end()
  return rowCount
}
