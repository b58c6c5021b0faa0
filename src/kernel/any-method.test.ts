import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import fastify from 'fastify'
import { allowAnyMethod, methodsExcept } from './any-method.ts'

test('every method is routed, and its body is not read', async () => {
  const app = fastify()
  allowAnyMethod(app)
  const methods = methodsExcept('CONNECT', 'HEAD')
  app.route({ method: methods, url: '/', handler: async ({ body }) => String(body) })
  for (const method of methods) {
    const options = {
      method: method as 'GET',
      url: '/',
      headers: { 'content-type': 'application/json' },
      payload: '{'
    }
    const { statusCode, payload } = await app.inject(options)
    assert.deepEqual([statusCode, payload], [200, 'undefined'], method)
  }
  await app.close()
})

test('all methods except the named ones', () => {
  const others = methodsExcept('GET', 'CONNECT')
  assert.equal(others.length, METHODS.length - 2)
  assert.ok(!others.includes('GET') && others.includes('QUERY'))
})
