/** Schemas of thousands of properties: their bodies are generated while others are served. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { documentOf } from '../support/mock-rows.ts'
import { type MockServer, openMock } from '../support/mock-server.ts'

const COUNT = 3000
/** Compiling the schema of `/parts` takes more than twice as long. */
const MAX_CPU_MS = 3000
const PART = {
  type: 'object',
  required: ['a'],
  properties: {
    a: { type: 'string', format: 'date-time' },
    b: { type: 'array', items: { type: 'string', pattern: '^[a-z]{3,9}$' } }
  }
}

function wide(property: object) {
  const names = Array.from({ length: COUNT }, (_, index) => `p${index}`)
  const schema = { type: 'object', properties: Object.fromEntries(names.map((n) => [n, property])) }
  const content = { 'application/json': { schema } }
  return {
    get: { responses: { '200': { description: '', content } } },
    post: { requestBody: { content }, responses: { '204': { description: '' } } }
  }
}

describe('an operation whose schema has 3,000 optional properties', () => {
  let mock: MockServer
  before(async () => {
    const small = { get: { responses: { '204': { description: '' } } } }
    const paths = { '/texts': wide({ type: 'string' }), '/parts': wide(PART), '/small': small }
    mock = await openMock(documentOf(paths))
  })
  after(() => mock.close())

  const rows: [path: string, least: number][] = [
    ['/texts', COUNT],
    ['/parts', 2000]
  ]
  for (const [path, least] of rows) {
    for (const prefer of ['dynamic=false', 'dynamic=true, seed=1']) {
      test(`${path} with ${prefer} has a large and valid body`, async () => {
        const answer = await fetch(mock.url + path, { headers: { prefer } })
        assert.equal(answer.status, 200)
        const body: object = await answer.json()
        const count = Object.keys(body).length
        assert.ok(count >= least, `${count} members`)
        const pointer = `#/paths/~1${path.slice(1)}/get/responses/200/content/application~1json/schema`
        assert.ok(mock.served.generator.isSurelyValid(pointer, 'response', body))
        const headers = { 'content-type': 'application/json' }
        const sent = { method: 'POST', headers, body: JSON.stringify(body) }
        assert.equal((await fetch(mock.url + path, sent)).status, 204)
      })
    }
  }

  for (const [path] of rows) {
    test(`an invalid request to ${path} is refused without much work`, async () => {
      const start = process.cpuUsage()
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ p5: 1, p7: [], p2999: 1 })
      for (let count = 0; count < 3; count += 1) {
        const answer = await fetch(mock.url + path, { method: 'POST', headers, body })
        assert.equal(answer.status, 422)
        const { validation }: { validation: { location: string[] }[] } = await answer.json()
        const where = validation.map(({ location }) => location.join('.'))
        assert.deepEqual(where, ['body.p5', 'body.p7', 'body.p2999'])
      }
      const { user, system } = process.cpuUsage(start)
      assert.ok(user + system < MAX_CPU_MS * 1000, `${user + system} microseconds`)
    })
  }

  test('others are answered meanwhile', async () => {
    const order: string[] = []
    const ask = async (path: string, prefer: string) => {
      await (await fetch(mock.url + path, { headers: { prefer } })).text()
      order.push(path)
    }
    await ask('/small', 'seed=1')
    order.length = 0
    await Promise.all([
      ask('/parts', 'dynamic=true, seed=2'),
      ask('/parts', 'dynamic=true, seed=3'),
      ask('/small', 'seed=1')
    ])
    assert.deepEqual(order, ['/small', '/parts', '/parts'])
  })
})
