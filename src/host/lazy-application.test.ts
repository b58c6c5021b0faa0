import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import type { Service } from '../kernel/service.ts'
import { createLazyApplication } from './lazy-application.ts'

const service: Service = {
  name: 'later',
  label: 'I-99',
  summary: 'is set up with the first request',
  compatibleWith: 'nothing',
  example: { method: 'GET', path: '/' },
  settings: {},
  renderError: ({ statusCode = 500, message }) => ({
    status: statusCode,
    body: message,
    type: 'text/plain'
  }),
  openapi: () => ({}),
  mount: async () => ({})
}

test('routes that could not be set up are set up by the next request', async (t) => {
  const reported: string[] = []
  let calls = 0
  const application = createLazyApplication(
    service,
    {
      routes(app) {
        calls++
        if (calls === 1) throw Object.assign(new Error('no database'), { statusCode: 503 })
        app.get('/', async () => 'ready')
      }
    },
    { presentError: (_request, _url, rendered) => rendered },
    ({ message }) => reported.push(message)
  )
  const server = createServer(application.handler).listen(0, '127.0.0.1')
  t.after(async () => {
    server.close()
    server.closeAllConnections()
    await application.close()
  })
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const ask = async () => {
    const response = await fetch(`http://127.0.0.1:${port}/`)
    return [response.status, await response.text()]
  }
  assert.deepEqual(await ask(), [503, 'no database'])
  assert.deepEqual(await ask(), [200, 'ready'])
  assert.deepEqual(await ask(), [200, 'ready'])
  assert.deepEqual([calls, reported], [2, ['no database']])
})
