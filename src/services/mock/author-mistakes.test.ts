import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findMistakes } from './author-mistakes.ts'
import type { JsonObject } from './document/json.ts'
import { serveApi } from './served-api.ts'

const responses = { '200': { description: '' } }
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } }

function mistakesOf(paths: unknown): string[] {
  const document = { openapi: '3.1.0', paths } as JsonObject
  return findMistakes(serveApi(document, 'a.yaml')).map(
    ({ level, where, text }) => `${level} ${where} ${text}`
  )
}

const rows: [string, unknown, RegExp[]][] = [
  ['a sound document', { '/a/{id}': { get: { parameters: [id], responses } } }, []],
  ['paths that are an array', [1], [/^error a\.yaml#\/paths is not an object/]],
  ['a path that is null', { '/a': null }, [/^error a\.yaml#\/paths\/~1a is not a path item/]],
  [
    'an operation that is a number',
    { '/a': { get: 7 } },
    [/^error .*~1a\/get is not an operation/]
  ],
  ['a path without a slash', { a: { get: { responses } } }, [/^warning .*must start with \/: a/]],
  [
    'a path with a query',
    { '/a?b=1': { get: { responses } } },
    [/^warning .*must not have a query/]
  ],
  ['an undescribed part', { '/a/{id}': { get: { responses } } }, [/^warning .*\{id\} of the path/]],
  [
    'a parameter without location',
    { '/a': { get: { parameters: [id], responses } } },
    [/^error .*The parameter id is not in the path/]
  ],
  [
    'a parameter without name',
    { '/a': { get: { parameters: [{ in: 'query' }], responses } } },
    [/^error .*~1a\/get\/parameters\/0 is not a parameter/]
  ],
  ['no response', { '/a': { get: {} } }, [/^warning .*has no usable response/]],
  [
    'an empty response',
    { '/a': { get: { responses: { ...responses, '404': {} } } } },
    [/^warning .*responses\/404 is not a response/]
  ],
  [
    'an invalid status',
    { '/a': { get: { responses: { abc: { description: '' } } } } },
    [/^warning .*responses\/abc is not a status/]
  ],
  [
    'an undefined scheme',
    { '/a': { get: { security: [{ key: [] }], responses } } },
    [/^warning .*The security scheme key is not defined/]
  ],
  [
    'names that are not media types',
    {
      '/a': {
        post: {
          requestBody: { content: { xml: {} } },
          responses: {
            200: { description: '', content: { json: {}, 'text/plain': {}, '*/*': {} } },
            400: { description: '', content: { '.JSON': {} } },
            404: { description: '', content: { other: {} } }
          }
        }
      }
    },
    [
      /^warning .*~1a\/post\/requestBody\/content\/xml "xml" is not a media type and is ignored; write application\/xml$/,
      /~1a\/post\/responses\/200\/content\/json "json" is not .*; write application\/json$/,
      /responses\/400\/content\/\.JSON ".JSON" is not .*; write application\/json$/,
      /content\/other "other" is not .*; a media type has two parts, such as application\/json$/
    ]
  ],
  [
    'operations that cannot be told apart',
    {
      '/a/{id}': { get: { operationId: 'x', parameters: [id], responses } },
      '/a/{b}': { get: { operationId: 'x', parameters: [{ ...id, name: 'b' }], responses } }
    },
    [
      /^warning .*has the same operationId as GET \/a\/\{id\}/,
      /^warning a\.yaml#\/paths\/~1a~1\{id\}\/get can never be reached: all its requests are requests to GET \/a\/\{b\}$/
    ]
  ],
  [
    'an operation that is hidden by one with fewer parameters',
    {
      '/a/{b}': { get: { parameters: [{ ...id, name: 'b' }], responses } },
      '/a/{b}{id}': { get: { parameters: [id, { ...id, name: 'b' }], responses } }
    },
    [/^warning .*~1\{b\}\{id\}\/get can never be reached: .* to GET \/a\/\{b\}$/]
  ],
  [
    'operations that differ in the query of their paths',
    { '/a?b=1': { get: { responses } }, '/a?b=2': { get: { responses } } },
    [/must not have a query/, /must not have a query/, /~1a\?b=1\/get can never be reached/]
  ],
  [
    'operations that only their servers tell apart',
    {
      '/a/{id}': { get: { parameters: [id], responses, servers: [{ url: '/v1' }] } },
      '/a/{b}': { get: { parameters: [{ ...id, name: 'b' }], responses } }
    },
    [/~1\{id\}\/get matches the same requests as GET \/a\/\{b\}, except under its own server$/]
  ],
  [
    'operations of which one is more literal, and of two methods',
    {
      '/a/{id}': { get: { parameters: [id], responses } },
      '/a/{id}:copy': { get: { parameters: [id], responses } },
      '/a/new': { get: { responses } },
      '/a/{b}': { post: { parameters: [{ ...id, name: 'b' }], responses } }
    },
    []
  ]
]

for (const [proves, paths, expected] of rows) {
  test(proves, () => {
    const found = mistakesOf(paths)
    assert.equal(found.length, expected.length, found.join('\n'))
    for (const [index, form] of expected.entries()) assert.match(found[index] ?? '', form)
  })
}
