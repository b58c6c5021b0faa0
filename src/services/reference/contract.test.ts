import assert from 'node:assert/strict'
import { test } from 'node:test'
import createError from '@fastify/error'
import { RESOURCES, renderError, TYPES } from './contract.ts'

function check(code: string, status: number | undefined, wanted: [number, string]): void {
  const error = Object.assign(new (createError(code, 'secret', status))(), { statusCode: status })
  const { body, ...rendered } = renderError(error)
  assert.deepEqual([rendered.status, JSON.parse(String(body)).detail], wanted)
  assert.equal(rendered.type, 'application/json')
  assert.equal(rendered.headers?.['access-control-allow-origin'], '*')
}

test('a defect is reported without details', () => {
  check('ANY', undefined, [500, 'A server error occurred.'])
  check('ANY', 500, [500, 'A server error occurred.'])
})

test('the message of a client error is sent', () => {
  check('ANY', 400, [400, 'secret'])
  check('ANY', 499, [499, 'secret'])
})

test('an invalid URL is an unknown URL', () => {
  check('ROUTE_NOT_FOUND', 404, [404, 'Not found'])
  check('FST_ERR_BAD_URL', 400, [404, 'Not found'])
  check('FST_ERR_MAX_PARAM_LENGTH', 414, [404, 'Not found'])
})

test('every mirrored relation is stored on the other side', () => {
  for (const type of TYPES) {
    for (const field of RESOURCES[type].fields) {
      if (field.kind !== 'links' || field.mirrors === undefined) continue
      const stored = RESOURCES[field.to].fields.find(({ name }) => name === field.mirrors)
      assert.ok(stored !== undefined && 'to' in stored && stored.to === type, field.name)
    }
  }
})
