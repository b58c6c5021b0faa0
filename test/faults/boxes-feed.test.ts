/**
 * Followers of a box under load: some are cut off all the time, the server is killed with -9 and
 * started again, and in the end each has seen every change once and in order.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { EFFORT } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { readEvents } from '../support/event-stream.ts'
import { type Launched, launchNonet, temporaryFolder } from '../support/launcher.ts'
import { createRandom, type Random } from '../support/random.ts'

const KILLS = EFFORT > 1 ? 10 : 2
/** The log of a box keeps 10,000 changes, and nobody may fall further behind here. */
const CHANGES_PER_LIFE = Math.floor((EFFORT > 1 ? 7_000 : 900) / (KILLS + 1))
const WRITERS = 12
const BOX = 'followed'
const DEADLINE_MS = 60_000

interface Told {
  seq: number
  op: string
  _id: string
}

interface Done {
  op: string
  id: string
}

/** Creates, replaces and deletes; what was acknowledged must be told. */
function startWriters(url: () => string, done: Done[]) {
  let writing = true
  async function ask(method: string, path: string, body?: string): Promise<string | undefined> {
    const answer = await fetch(`${url()}/${BOX}${path}`, { method, body: body ?? null }).catch(
      () => undefined
    )
    const text = await answer?.text().catch(() => undefined)
    if (answer?.status !== 200) await wait(5)
    return answer?.status === 200 ? text : undefined
  }
  async function lane(number: number): Promise<void> {
    for (let n = 0; writing; n++) {
      const made = await ask('POST', '', `{"lane":${number},"n":${n}}`)
      if (made === undefined) continue
      const { _id: id } = JSON.parse(made)
      done.push({ op: 'create', id })
      if (await ask('PUT', `/${id}`, `{"lane":${number},"n":-${n}}`))
        done.push({ op: 'update', id })
      if (n % 3 === 0 && (await ask('DELETE', `/${id}`))) done.push({ op: 'delete', id })
    }
  }
  const lanes = Array.from({ length: WRITERS }, (_, number) => lane(number))
  return async function stop(): Promise<void> {
    writing = false
    await Promise.all(lanes)
  }
}

/** Comes back to where it was whenever it is cut off, by itself or by the server. */
function startFollower(url: () => string, random: Random | undefined) {
  const told: Told[] = []
  const resets: string[] = []
  let last = '0'
  let following = true
  let connections = 0
  let current = new AbortController()

  async function follow(): Promise<void> {
    while (following) {
      current = new AbortController()
      const cut = random && setTimeout(() => current.abort(), 20 + random.below(250))
      connections++
      try {
        const headers = { 'last-event-id': last }
        for await (const { id, event, data } of readEvents(
          `${url()}/${BOX}`,
          headers,
          current.signal
        )) {
          if (event === 'reset') resets.push(data)
          else if (data !== '') told.push(JSON.parse(data))
          last = id ?? last
        }
      } catch {
        await wait(5)
      }
      clearTimeout(cut)
    }
  }
  const ended = follow()
  return {
    told,
    resets,
    connections: () => connections,
    async stop() {
      following = false
      current.abort()
      await ended
    }
  }
}

async function kill({ ready, child }: Launched): Promise<void> {
  process.kill(ready.pid, 'SIGKILL')
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('close', resolve))
  }
}

async function wholeLog(url: string): Promise<Told[]> {
  const log: Told[] = []
  for (let since = 0, more = true; more; ) {
    const answer = await fetch(`${url}/_changes/${BOX}?since=${since}&limit=1000`)
    const page = await answer.json()
    assert.equal(answer.status, 200, JSON.stringify(page))
    log.push(...page.changes)
    since = page.seq
    more = page.more
  }
  return log
}

describe('followers of a box', { timeout: 600_000 }, () => {
  for (const engine of ENGINES) {
    test(`on ${engine}: ${KILLS} killed servers and cut connections cost no change`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const flags = ['boxes', '--no-console', '--quiet', '--data', folder.path]
      if (database !== undefined) flags.push('--database', database.url)
      let nonet = await launchNonet(flags)
      const url = () => nonet.ready.services.boxes ?? ''
      const done: Done[] = []
      const random = createRandom(5)
      const followers = [
        startFollower(url, undefined),
        startFollower(url, random),
        startFollower(url, random)
      ]
      const stop = startWriters(url, done)
      for (let life = 0; life <= KILLS; life++) {
        const enough = done.length + CHANGES_PER_LIFE
        while (done.length < enough) await wait(10)
        if (life === KILLS) break
        await kill(nonet)
        nonet = await launchNonet(flags)
      }
      await stop()
      const log = await wholeLog(url())
      const deadline = performance.now() + DEADLINE_MS
      for (const { told } of followers) {
        while ((told.at(-1)?.seq ?? 0) < (log.at(-1)?.seq ?? 0)) {
          assert.ok(performance.now() < deadline, `${told.length} of ${log.length} were told`)
          await wait(20)
        }
      }
      for (const follower of followers) {
        await follower.stop()
        assert.deepEqual(follower.resets, [])
        assert.deepEqual(keyed(follower.told), keyed(log))
      }
      await nonet.end()
      const tellings = new Set(log.map(({ op, _id }) => `${op} ${_id}`))
      for (const { op, id } of done)
        assert.ok(tellings.has(`${op} ${id}`), `${op} ${id} is missing`)
      assert.equal(tellings.size, log.length, 'no change is told twice')
      const seqs = log.map(({ seq }) => seq)
      assert.deepEqual(
        seqs,
        seqs.toSorted((a, b) => a - b)
      )
      const cuts = followers.map(({ connections }) => connections()).join(', ')
      t.diagnostic(`${done.length} acknowledged, ${log.length} told, connections ${cuts}`)
    })
  }
})

/** The order within one record shows that nothing was mixed up. */
function keyed(told: readonly Told[]): string[] {
  return told.map(({ seq, op, _id }) => `${seq} ${op} ${_id}`)
}
