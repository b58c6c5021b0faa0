/** The recipe for MSW in docs/how-to/front-end-tests.md, with the real library. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { type Nonet, start } from '../../src/host/start.ts'

const ORIGIN = 'https://api.example.com'

interface Handler {
  all: (path: string, resolve: (call: { request: Request }) => Promise<Response>) => object
}
interface Library {
  http: Handler
  HttpResponse: { error: () => Response }
}
interface Server {
  listen: (options: object) => void
  close: () => void
}

async function load<Module>(name: string): Promise<Module> {
  return import(pathToFileURL(createRequire(import.meta.url).resolve(name)).href)
}

describe('MSW that sends what it has no handler for to a workspace', () => {
  let nonet: Nonet<'scenarios'>
  let server: Server
  before(async () => {
    nonet = await start({ services: ['scenarios'] })
    const { http, HttpResponse } = await load<Library>('msw')
    const { setupServer } = await load<{ setupServer: (...handlers: object[]) => Server }>(
      'msw/node'
    )
    const workspace = `${nonet.scenarios.url}/w/checkout`
    server = setupServer(
      http.all(`${ORIGIN}/*`, ({ request }) => {
        const { pathname, search } = new URL(request.url)
        const forwarded = new Request(`${workspace}${pathname}${search}`, request)
        return fetch(forwarded).catch(() => HttpResponse.error())
      })
    )
    server.listen({ onUnhandledRequest: 'bypass' })
  })
  after(async () => {
    server.close()
    await nonet.stop()
  })

  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body)
  })

  test('writes are kept there', async () => {
    const created = await fetch(`${ORIGIN}/api/users`, post({ name: 'neo' }))
    assert.equal(created.status, 201)
    const { id } = (await created.json()) as { id: string }
    const found = await fetch(`${ORIGIN}/api/users/${id}`)
    assert.equal(((await found.json()) as { data: { name: string } }).data.name, 'neo')
  })

  test('a rule of the workspace is what a handler for one test is in MSW', async () => {
    const control = `${nonet.scenarios.url}/_workspaces/checkout`
    await fetch(`${control}/rules`, {
      ...post([{ path: '/api/users', times: 1, scenario: 'status:503' }]),
      method: 'PUT'
    })
    const statuses = []
    for (let n = 0; n < 2; n++) statuses.push((await fetch(`${ORIGIN}/api/users`)).status)
    assert.deepEqual(statuses, [503, 200])
    await fetch(`${control}/reset`, { method: 'POST' })
    assert.equal((await fetch(`${ORIGIN}/api/users/13`)).status, 404)
  })

  test('a torn connection is a failed fetch', async () => {
    await assert.rejects(fetch(`${ORIGIN}/api/users?scenario=reset`))
  })
})
