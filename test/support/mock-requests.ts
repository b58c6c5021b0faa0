/** Sends requests to one described operation, without HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../src/services/mock/document/json.ts'
import { buildApi } from '../../src/services/mock/model/build.ts'
import { createRequestCheck, type RequestCheck } from '../../src/services/mock/request/check.ts'
import { createRouter } from '../../src/services/mock/routing/router.ts'
import { createSchemas } from '../../src/services/mock/schema/schemas.ts'

export async function sendBody(
  requestBody: JsonObject | undefined,
  type: string | undefined,
  body: string | Uint8Array | undefined
): Promise<RequestCheck> {
  const operation = requestBody === undefined ? {} : { requestBody }
  const document: JsonObject = { openapi: '3.1.0', paths: { '/a': { post: operation } } }
  const [built] = buildApi(document).operations
  assert.ok(built)
  const { check } = createRequestCheck(built, createSchemas(document))
  const incoming = {
    method: 'POST',
    path: '/a',
    query: '',
    headers: type === undefined ? {} : { 'content-type': type },
    body: typeof body === 'string' ? Buffer.from(body) : body
  }
  return await check(incoming, new Map())
}

/** The value that was read, or the codes of the errors. */
async function playBody(...[body, type, sent]: Parameters<typeof sendBody>): Promise<unknown> {
  const { diagnostics, values } = await sendBody(body, type, sent)
  if (diagnostics.length > 0) return diagnostics.map(({ code, message }) => code ?? message)
  return values.body === undefined ? 'none' : JSON.parse(JSON.stringify(values.body))
}

export type BodyRow = [
  proves: string,
  requestBody: JsonObject | undefined,
  type: string | undefined,
  body: string | Uint8Array | undefined,
  expected: unknown
]

export function contentOf(
  type: string,
  schema: JsonObject | boolean,
  more: JsonObject = {}
): JsonObject {
  return { content: { [type]: { schema, ...more } } }
}

export function testBodies(rows: readonly BodyRow[]): void {
  for (const [proves, requestBody, type, body, expected] of rows) {
    test(proves, async () => assert.deepEqual(await playBody(requestBody, type, body), expected))
  }
}

interface Sent {
  path?: string
  query?: string
  header?: string
  cookie?: string
}

/** Sends one parameter named `Color`; returns the value that was read, or the error codes. */
async function playParameter(parameter: JsonObject, sent: Sent): Promise<unknown> {
  const place = String(parameter.in)
  const path = place === 'path' ? '/a/{Color}' : '/a/x'
  const document: JsonObject = {
    openapi: '3.1.0',
    paths: { [path]: { get: { parameters: [{ name: 'Color', ...parameter }], responses: {} } } },
    components: { schemas: { Integers: { type: 'array', items: { type: 'integer' } } } }
  }
  const api = buildApi(document)
  const match = createRouter([{ api, label: 'a' }]).route('GET', `/a/${sent.path ?? 'x'}`)
  const { check } = createRequestCheck(match.operation, createSchemas(document))
  const headers = {
    ...(sent.header === undefined ? {} : { color: sent.header }),
    ...(sent.cookie === undefined ? {} : { cookie: sent.cookie })
  }
  const incoming = { method: 'GET', path: '', query: sent.query ?? '', headers, body: undefined }
  const { diagnostics, values } = await check(incoming, match.pathValues)
  const errors = diagnostics.filter(({ severity }) => severity === 'Error')
  if (errors.length > 0) return errors.map(({ code }) => code)
  const read = values[place as 'path' | 'query' | 'header' | 'cookie'].color
  return read === undefined ? 'absent' : JSON.parse(JSON.stringify(read))
}

export type ParameterRow = [proves: string, parameter: JsonObject, sent: Sent, expected: unknown]

export function testParameters(place: string, rows: readonly ParameterRow[]): void {
  for (const [proves, parameter, sent, expected] of rows) {
    test(`${place}: ${proves}`, async () => {
      const required = place === 'path' ? { required: true } : {}
      const whole = { in: place, ...required, ...parameter }
      assert.deepEqual(await playParameter(whole, sent), expected)
    })
  }
}
