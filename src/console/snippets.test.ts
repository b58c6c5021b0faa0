import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { curlCommand, startCommand } from './snippets.ts'

const URL_OF_BOXES = 'http://127.0.0.1:4002'

function boxesAt(url: string) {
  return {
    name: 'boxes',
    offset: 2,
    summary: '',
    compatibleWith: '',
    url,
    ports: [],
    page: undefined,
    links: [],
    example: { method: 'GET', path: '/' },
    schema: undefined
  }
}

describe('snippets', () => {
  test('curl quotes what a shell would change', () => {
    const commandOf = (path: string, body?: object, method = 'GET') =>
      curlCommand({ url: URL_OF_BOXES, example: { method, path, ...(body && { body }) } })
    assert.equal(commandOf('/a/b'), 'curl http://127.0.0.1:4002/a/b')
    assert.equal(commandOf('/a?b=1&c'), "curl 'http://127.0.0.1:4002/a?b=1&c'")
    assert.equal(commandOf('/', { a: "it's" }), `curl --json '{"a":"it'\\''s"}' ${URL_OF_BOXES}/`)
    assert.equal(commandOf('/a', undefined, 'DELETE'), `curl -X DELETE ${URL_OF_BOXES}/a`)
  })

  test('the start command leads to the same ports', () => {
    const commandFor = (url: string, console: string) => startCommand([boxesAt(url)], console)
    assert.equal(commandFor(URL_OF_BOXES, 'http://127.0.0.1:4000'), 'nonet up boxes')
    assert.equal(
      commandFor('http://127.0.0.1:5002', 'http://127.0.0.1:5000'),
      'nonet up boxes --port-base 5000'
    )
    assert.equal(
      commandFor('http://127.0.0.1:39001', 'http://127.0.0.1:4000'),
      'nonet up boxes --port console=4000 --port boxes=39001'
    )
    assert.equal(
      commandFor('https://boxes.example', 'http://nonet.example'),
      'nonet up boxes --port console=80 --port boxes=443'
    )
  })
})
