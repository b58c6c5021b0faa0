/** Routes and fields of EmailEngine that are not offered: rejected with a sentence, never ignored. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { MISSING_ROUTES } from '../../src/services/mailbox/api/missing-routes.ts'
import type { ApiRoute } from '../../src/services/mailbox/api/route.ts'
import { OFFERED_ROUTES } from '../../src/services/mailbox/api/route-table.ts'
import { SCHEMAS } from '../../src/services/mailbox/api/schemas/schemas.ts'
import { ADMIN_TOKEN, sandboxes } from './mailbox-site.ts'

type Keys = readonly (string | number)[]

/** A field that is not offered, by the keys that lead to it, with the sentence of its error. */
interface MissingField {
  readonly keys: Keys
  readonly sentence: string
}

interface Schema {
  readonly notOffered?: string
  readonly type?: unknown
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
}

function missingFields({ notOffered, properties = {}, items, anyOf = [] }: Schema): MissingField[] {
  if (notOffered !== undefined) return [{ keys: [], sentence: notOffered }]
  const nested = Object.entries(properties).flatMap(([name, property]) =>
    missingFields(property).map(({ keys, sentence }) => ({ keys: [name, ...keys], sentence }))
  )
  const inItems = items === undefined ? [] : missingFields(items)
  return [
    ...nested,
    ...inItems.map(({ keys, sentence }) => ({ keys: [0, ...keys], sentence })),
    ...anyOf.flatMap(missingFields)
  ]
}

/** A value whose only field is the one of the keys. */
function valueAt([key, ...rest]: Keys): unknown {
  if (key === undefined) return 'x'
  return key === 0 ? [valueAt(rest)] : { [key]: valueAt(rest) }
}

const pathOf = ({ pattern }: Pick<ApiRoute, 'pattern'>) => pattern.replace(/:\w+/g, 'anything')
const ROUTES = [...new Map(OFFERED_ROUTES.map((route) => [route.name, route])).values()]

sandboxes('I-6, what is not offered', {}, (sandbox) => {
  test('every route of EmailEngine that is missing responds 404 with its sentence', async () => {
    assert.ok(MISSING_ROUTES.length > 40)
    for (const route of MISSING_ROUTES) {
      const response = await sandbox().json(
        {
          method: route.method,
          path: pathOf(route),
          token: ADMIN_TOKEN,
          body: route.method === 'GET' ? undefined : {}
        },
        404
      )
      assert.deepEqual(response, {
        ...{ statusCode: 404, error: 'Not Found', message: route.about, code: 'NotOffered' }
      })
    }
  })

  test('every field that is missing is rejected with its sentence, and nothing is done', async () => {
    let count = 0
    for (const route of ROUTES) {
      const { query = {}, body = {} } = SCHEMAS[route.name] ?? {}
      const inQuery = missingFields({ properties: query }).map((field) => ({ field, in: 'query' }))
      const inBody = missingFields(body).map((field) => ({ field, in: 'body' }))
      for (const { field, in: location } of [...inQuery, ...inBody]) {
        const { keys, sentence } = field
        const isQuery = location === 'query'
        const { fields } = await sandbox().json<{ fields: { key: string; message: string }[] }>(
          {
            method: route.method,
            path: pathOf(route) + (isQuery ? `?${keys[0]}=x` : ''),
            token: ADMIN_TOKEN,
            ...(!isQuery && { body: valueAt(keys) })
          },
          400
        )
        const expected = { key: keys.join('.'), message: sentence }
        const found = fields.filter(({ key }) => key === expected.key)
        assert.ok(
          found.some(({ message }) => message === sentence),
          `${route.name}: ${JSON.stringify(expected)} in ${JSON.stringify(fields)}`
        )
        assert.match(sentence, /^[A-Z].{10,}/, 'it is a sentence')
        count++
      }
    }
    assert.ok(count > 100, `${count} fields`)
  })

  test('unknown fields and parameters of every route are rejected, all at once', async () => {
    for (const route of ROUTES) {
      const parameters = await sandbox().json<{ fields: { key: string; message: string }[] }>(
        {
          method: route.method,
          path: `${pathOf(route)}?unknown1=a&unknown2=b`,
          token: ADMIN_TOKEN,
          body: route.method === 'GET' ? undefined : { unknown3: 1, unknown4: { a: 1 } }
        },
        400
      )
      const inBody = route.method === 'GET' ? [] : ['unknown3', 'unknown4']
      for (const key of ['unknown1', 'unknown2', ...inBody]) {
        const found = parameters.fields.find((field) => field.key === key)
        assert.deepEqual(found, { key, message: 'is not allowed' }, route.name)
      }
    }
  })

  test('other methods of a path get 405 with those that it has', async () => {
    const patterns = Map.groupBy([...OFFERED_ROUTES, ...MISSING_ROUTES], ({ pattern }) => pattern)
    for (const [pattern, routes] of patterns) {
      const path = pathOf({ pattern })
      const allowed: string[] = routes.map(({ method }) => method)
      const { status, headers } = await sandbox().ask({ method: 'PATCH', path })
      assert.equal(status, 405, pattern)
      assert.deepEqual(headers.get('allow')?.split(', ').toSorted(), [...new Set(allowed)].sort())
    }
  })
})
