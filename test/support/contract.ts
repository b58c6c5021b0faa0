import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ServiceName } from '../../src/host/service-names.ts'
import { findService } from '../../src/host/service-registry.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import { RECORD_FILE, recordRows } from './contract-record.ts'
import { REPLAY_FILE, replay } from './contract-replay.ts'
import type { Answer, Expected, Row, Sent } from './contract-row.ts'
import { ENGINES } from './engine-names.ts'
import { exchange } from './exchange.ts'

export type { Answer, Expected, Row, Sent }

export interface Subject {
  service: ServiceName
  /** Settings of the service, or a function that returns them. */
  options?: object | (() => Promise<object>)
  /** Whether rows need the admin token where a proxy is in front. */
  isForOperators?: true
}

/** Plays each row over a real socket against the service alone, on every engine it supports. */
export function contract(title: string, subject: Subject, rows: readonly Row[]): void {
  const { service } = subject
  const settings = () => settingsOf(subject)
  const stored = findService(service)?.migrations !== undefined
  if (RECORD_FILE !== undefined) recordRows({ title, service, stored, settings }, rows)
  else if (REPLAY_FILE !== undefined) replay(title, subject, settings, rows, send)
  else if (!stored) play(title, subject, async () => ({}), rows)
  else {
    for (const engine of ENGINES) {
      // Imported here, because the module creates a database for the test file.
      const options = async () => (await import('./engines.ts')).engineOptions(engine)
      play(`${title}, on ${engine}`, subject, options, rows)
    }
  }
}

function play(
  title: string,
  subject: Subject,
  host: () => Promise<object>,
  rows: readonly Row[]
): void {
  const { service } = subject
  describe(title, () => {
    let nonet: Nonet
    before(async () => {
      const settings = { services: [service], [service]: await settingsOf(subject) }
      nonet = await start({ ...settings, ...(await host()) })
    })
    after(() => nonet.stop())
    for (const row of rows) {
      test(row.proves, async () => compare(await send(nonet[service].url, row.send), row.expect))
    }
  })
}

async function settingsOf({ options = {} }: Subject): Promise<object> {
  return typeof options === 'function' ? await options() : options
}

export function send(base: string, { path, ...sent }: Sent): Promise<Answer> {
  return exchange(base + path, sent)
}

export async function compare(answer: Answer, expect: Expected): Promise<void> {
  assert.equal(answer.status, expect.status, answer.text)
  if (expect.type !== undefined) matches(answer.headers.get('content-type'), expect.type)
  if (expect.text !== undefined) matches(answer.text, expect.text)
  if (expect.json !== undefined) assert.deepEqual(JSON.parse(answer.text), expect.json)
  for (const [name, wanted] of Object.entries(expect.headers ?? {})) {
    matches(answer.headers.get(name), wanted, name)
  }
  await expect.check?.(answer)
}

function matches(actual: string | null, wanted: RegExp | string | null, name?: string): void {
  if (wanted instanceof RegExp) assert.match(actual ?? '', wanted, name)
  else assert.equal(actual, wanted, name)
}
