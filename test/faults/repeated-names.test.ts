/**
 * Repeated names, headers, parts and parameters, as many as the limits of each service allow, do
 * not block the event loop of the process that serves them.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { EFFORT, scaled } from '../support/effort.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { sendPlain } from '../support/plain-http.ts'
import { CASES, type Case, DOCUMENT, RULES, type ServiceName } from './repeated-names-cases.ts'

/** A machine without other load stays below 50 ms. */
const MAX_MS = 250
const GOOD_MS = 50
/** Until one stays below the good limit. */
const TRIES = scaled(1, 2)
/** Five were not enough on a machine whose host throttled it: the best of them took 256 ms. */
const MOST_TRIES = 15 * EFFORT
/** Number of the slowest requests that the report names. */
const SHOWN = 4
const TOKEN = 'token-of-the-operator'

interface Blocked {
  delayMs: number
  cpuMs: number
}

type Urls = Record<ServiceName, { url: string }>

describe('repeated names', { timeout: 300_000 }, () => {
  const folder = temporaryFolder()
  let server: ChildProcess
  let urls: Urls
  let ended: Promise<never>

  before(async () => {
    const document = join(folder.path, 'document.json')
    writeFileSync(document, JSON.stringify(DOCUMENT))
    const settings = {
      console: false,
      trustedProxy: ['127.0.0.1'],
      outboundAllow: ['127.0.0.1'],
      adminToken: TOKEN,
      forms: { acceptForms: true, webhook: 'http://127.0.0.1:9/' },
      mock: { documents: [document] }
    }
    const module = join(import.meta.dirname, 'repeated-names-server.ts')
    server = fork(module, [JSON.stringify(settings)])
    ended = once(server, 'exit').then(() => assert.fail('the server has ended'))
    ended.catch(() => undefined)
    urls = await nextMessage<Urls>()
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${TOKEN}` }
    const control = `${urls.scenarios.url}/_workspaces`
    const made = await sendPlain(control, { method: 'POST', headers, body: '{"id":"rules"}' })
    assert.equal(made.status, 201)
    const body = JSON.stringify(RULES)
    const set = await sendPlain(`${control}/rules/rules`, { method: 'PUT', headers, body })
    assert.equal(set.status, 200)
  })

  after(async () => {
    if (server.exitCode === null) {
      server.disconnect()
      await once(server, 'exit')
    }
    folder[Symbol.dispose]()
  })

  async function nextMessage<T>(): Promise<T> {
    const [message] = await Promise.race([once(server, 'message'), ended])
    return message as T
  }

  async function ask<T>(message: string): Promise<T> {
    server.send(message)
    return nextMessage<T>()
  }

  /** The delay, or the CPU time if that is less: the machine may have given the time to others. */
  async function measure({ service, path, method = 'GET', headers = {} }: Case, body?: string) {
    await ask('reset')
    const request = { method, headers, ...(body === undefined ? {} : { body }) }
    const { status = 0 } = await sendPlain(urls[service].url + path, request)
    const { delayMs, cpuMs } = await ask<Blocked>('read')
    return { status, ms: Math.min(delayMs, cpuMs) }
  }

  async function best(one: Case): Promise<number> {
    const body = one.body?.()
    let least = Number.POSITIVE_INFINITY
    for (let n = 0; n < MOST_TRIES && least > (n < TRIES ? GOOD_MS : MAX_MS); n++) {
      const { status, ms } = await measure(one, body)
      assert.ok(status > 0 && status !== 431, `${one.about}: ${status}`)
      least = Math.min(least, ms)
    }
    return least
  }

  for (const service of new Set(CASES.map((one) => one.service))) {
    test(`do not block ${service}`, async (t) => {
      const figures: { ms: number; about: string }[] = []
      for (const one of CASES.filter((each) => each.service === service)) {
        figures.push({ ms: await best(one), about: one.about })
      }
      const sorted = figures.toSorted((one, other) => other.ms - one.ms)
      const texts = sorted.map(({ ms, about }) => `${about}: ${ms.toFixed(1)} ms`)
      t.diagnostic(`${figures.length} requests; ${texts.slice(0, SHOWN).join('; ')}`)
      const slow = texts.slice(0, sorted.filter(({ ms }) => ms > MAX_MS).length)
      assert.deepEqual(slow, [])
    })
  }
})
