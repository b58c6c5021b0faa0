import assert from 'node:assert/strict'
import { test } from 'node:test'
import fastify from 'fastify'
import { allowRequestedHeaders, preflightPolicy, sendPreflight } from './cors.ts'

test('a preflight gets status 204, the policy, and the headers it requests', async () => {
  const app = fastify()
  app.options('/', (request, reply) =>
    sendPreflight(reply, {
      ...allowRequestedHeaders(request.headers),
      ...preflightPolicy('GET, POST', 600)
    })
  )
  const headers = { 'access-control-request-headers': 'x-a, x-b' }
  const asked = await app.inject({ method: 'OPTIONS', url: '/', headers })
  assert.equal(asked.statusCode, 204)
  assert.equal(asked.payload, '')
  assert.deepEqual(Object.entries(asked.headers).slice(0, 4), [
    ['access-control-allow-headers', 'x-a, x-b'],
    ['access-control-allow-methods', 'GET, POST'],
    ['access-control-max-age', '600'],
    ['vary', 'Access-Control-Request-Headers']
  ])
  const plain = await app.inject({ method: 'OPTIONS', url: '/' })
  assert.equal(plain.headers['access-control-allow-headers'], undefined)
  await app.close()
})
