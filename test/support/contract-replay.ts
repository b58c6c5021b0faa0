import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { ServiceName } from '../../src/host/service-names.ts'
import { type Nonet, start } from '../../src/host/start.ts'
import type { Exchange } from '../../src/services/mock/engine/exchange.ts'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import type { Row, Sent } from './contract-row.ts'
import { type MockServer, openMock } from './mock-server.ts'

/** File that gets one line for each replayed row; set by the test that replays them. */
export const REPLAY_FILE = process.env.NONET_CONTRACT_REPLAY

/** Prefix of the names of the replaying tests. */
export const REPLAY_MARK = 'through the proxy'

/** Result of one row. */
export interface Replayed {
  service: ServiceName
  row: string
  request: string
  /** Reason why the response was not validated, if it was not. */
  leftOut?: string
  status: number
  expected: number
  violations: readonly string[]
}

const ADMIN_TOKEN = 'the-admin-token-of-replayed-rows'
const TOKEN = { authorization: `Bearer ${ADMIN_TOKEN}` }

interface ReplaySubject {
  service: ServiceName
  isForOperators?: true
}

type Send = (base: string, sent: Sent) => Promise<{ status: number }>

/** Plays rows through the proxy, which validates the service against its published document. */
export function replay(
  title: string,
  { service, isForOperators }: ReplaySubject,
  settings: () => Promise<object>,
  rows: readonly Row[],
  send: Send
): void {
  describe(`${REPLAY_MARK}: ${title}`, () => {
    let nonet: Nonet
    let proxy: MockServer
    before(async () => {
      nonet = await start({
        services: [service],
        [service]: await settings(),
        adminToken: ADMIN_TOKEN
      })
      const published = await fetch(`${nonet.console?.url}/openapi/${service}.json`)
      const document = (await published.json()) as object
      const upstream = upstreamAt(new URL(nonet[service].url))
      proxy = await openMock(document, { upstream, cors: false })
    })
    after(async () => {
      await proxy.close()
      await nonet.stop()
      assert.deepEqual(proxy.defects, [])
    })
    for (const row of rows) {
      test(`${REPLAY_MARK}: ${row.proves}`, async () => {
        const sent = isForOperators
          ? { ...row.send, headers: { ...TOKEN, ...row.send.headers } }
          : row.send
        const { status } = await send(proxy.url, sent)
        const exchange = proxy.exchanges.at(-1)
        assert.ok(exchange)
        const line = { service, row: `${title}: ${row.proves}`, ...judge(exchange) }
        record({ ...line, status, expected: row.expect.status })
      })
    }
  })
}

function judge({ incoming, operation, diagnostics, problem }: Exchange) {
  const errors = diagnostics.filter(({ severity }) => severity === 'Error')
  const asked = errors.find(({ location }) => location[0] === 'request')
  const leftOut =
    problem?.code ??
    (operation === undefined
      ? 'no such operation in the document'
      : asked && `the request breaks the document (${asked.location[1] ?? asked.message})`)
  const violations = errors
    .filter(({ location }) => location[0] === 'response')
    .map(({ location, message }) => `${location.slice(1).join('.')}: ${message}`)
  const request = `${incoming.method} ${incoming.path}${incoming.query && `?${incoming.query}`}`
  return { request, violations, ...(leftOut === undefined ? {} : { leftOut }) }
}

function record(line: Replayed): void {
  if (REPLAY_FILE !== undefined) appendFileSync(REPLAY_FILE, `${JSON.stringify(line)}\n`)
}
