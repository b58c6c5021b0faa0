import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { OFFERED_ROUTES } from '../../src/services/mailbox/api/route-table.ts'
import { upstreamAt } from '../../src/services/mock/engine/options.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'
import { ADMIN_TOKEN } from './mailbox-site.ts'
import { EXAMPLES } from './mailbox-table-examples.ts'
import type { TableSite, Touches } from './mailbox-table-row.ts'

/**
 * One request for each route of the table, through a proxy that compares requests and responses
 * with the published document.
 */
export function playTable(title: string, touched: readonly Touches[], site: () => TableSite): void {
  describe(title, () => {
    let proxy: MockServer
    before(async () => {
      const { url, json } = site()
      const document = await json({ path: '/swagger.json' })
      proxy = await openMock(document, { upstream: upstreamAt(new URL(url)), cors: false })
    })
    after(async () => {
      await proxy.close()
      assert.deepEqual(proxy.defects, [])
    })

    for (const route of OFFERED_ROUTES) {
      const { touches, prepare } = EXAMPLES[route.name]
      if (!touched.includes(touches)) continue
      test(`${route.method} ${route.pattern}`, async () => {
        const { account, token: ownToken } = site()
        const { params, query, body, check, ...example } = await prepare(site())
        const { token = route.access === 'admin' ? ADMIN_TOKEN : ownToken } = example
        const path = fill(route.pattern, { account, ...params })
        const response = await fetch(`${proxy.url}${path}${spell(query)}`, {
          method: route.method,
          headers: {
            authorization: `Bearer ${token}`,
            ...(body !== undefined && { 'content-type': 'application/json' })
          },
          body: body === undefined ? null : JSON.stringify(body)
        })
        const bytes = Buffer.from(await response.arrayBuffer())
        const { status, headers } = response
        const text = bytes.toString()
        assert.equal(status, 200, text)
        assert.equal(headers.get('x-content-type-options'), 'nosniff')
        assert.equal(headers.get('cache-control'), 'no-store')
        const isJson = headers.get('content-type')?.startsWith('application/json')
        await check((isJson ? JSON.parse(text) : text) as never, { status, headers, bytes, text })
        assertDocumented(proxy)
      })
    }
  })
}

function fill(pattern: string, params: Readonly<Record<string, string>>): string {
  return pattern.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name] ?? assert.fail(`${pattern} needs ${name}`)
    return encodeURIComponent(value)
  })
}

function spell(query: Readonly<Record<string, string>> = {}): string {
  const text = new URLSearchParams(query).toString()
  return text === '' ? '' : `?${text}`
}

function assertDocumented({ exchanges }: MockServer): void {
  const exchange = exchanges.at(-1)
  assert.ok(exchange?.operation, 'the document has the operation')
  assert.equal(exchange.problem, undefined)
  const errors = exchange.diagnostics.filter(({ severity }) => severity === 'Error')
  assert.deepEqual(
    errors.map(({ location, message }) => `${location.join('.')}: ${message}`),
    []
  )
}
