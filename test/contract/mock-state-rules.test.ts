/** What counts as a collection, what its records start with, and what responses show of them. */
import assert from 'node:assert/strict'
import { on } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type MockedApi, type MockInTestOptions, mock } from '../../src/host/mock.ts'
import { NOTES, PROJECTS, TODOS } from '../support/mock-state-documents.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

function write(name: string, content: unknown): string {
  const file = join(scratchFolder(), name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

function keep(document: object, options: MockInTestOptions = {}): Promise<MockedApi> {
  return mock(write('document.json', document), { state: true, ...options })
}

async function ask(
  { url }: MockedApi,
  line: string,
  body?: unknown,
  headers: Record<string, string> = {}
) {
  const [method = 'GET', path = '/'] = line.split(' ')
  const answer = await fetch(url + path, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? null : JSON.stringify(body)
  })
  const text = await answer.text()
  const isJson = /json/.test(answer.headers.get('content-type') ?? '')
  return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text }
}

async function pathsOf(api: MockedApi): Promise<string[]> {
  const { body } = await ask(api, 'GET /__nonet/state')
  return body.collections.map(({ path }: { path: string }) => path)
}

/** What `mock` warns of reaches the process. */
async function nextWarning(text: RegExp): Promise<void> {
  for await (const [warning] of on(process, 'warning', { signal: AbortSignal.timeout(30_000) })) {
    if (text.test(warning.message)) return
  }
}

/** Each test has its own mock, and some wait for a file to be read again. */
const AT_ONCE = { concurrency: 4 }

const text = { type: 'string' }
const ok = (schema: object, type = 'application/json') => ({
  200: { description: 'ok', content: { [type]: { schema } } }
})
const takes = (schema: object) => ({
  requestBody: { content: { 'application/json': { schema } } }
})
const thing = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: text }
}
/** A list with something in it, so that it counts though nothing creates. */
const things = {
  200: {
    description: 'ok',
    content: {
      'application/json': {
        schema: { type: 'array', items: thing },
        example: [{ id: 1, name: 'a' }]
      }
    }
  }
}
const api = (paths: object) => ({
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  paths: { '/ping': { get: { responses: { 204: { description: 'pong' } } } }, ...paths }
})

describe('what is a collection', AT_ONCE, () => {
  const rows: readonly { proves: string; paths: object; found: string[] }[] = [
    {
      proves: 'a list and an item',
      paths: {
        '/things': { get: { responses: things } },
        '/things/{id}': { get: { responses: ok(thing) } }
      },
      found: ['/things']
    },
    {
      proves: 'a list without items is none',
      paths: { '/things': { get: { responses: things } } },
      found: []
    },
    {
      proves: 'an object in the place of the list is none',
      paths: {
        '/things': { get: { responses: ok(thing) }, post: { responses: ok(thing) } },
        '/things/{id}': { get: { responses: ok(thing) } }
      },
      found: []
    },
    {
      proves: 'what is not JSON is none',
      paths: {
        '/things': { post: { responses: ok(text, 'text/plain') } },
        '/things/{id}': { get: { responses: ok(text, 'text/plain') } }
      },
      found: []
    },
    {
      proves: 'an item of an item is none',
      paths: {
        '/things': { get: { responses: things } },
        '/things/{id}': { get: { responses: ok(thing) } },
        '/things/{id}/{part}': { get: { responses: ok(thing) } }
      },
      found: ['/things']
    },
    {
      proves: 'slashes at the end, and no list at all',
      paths: {
        '/things/': { post: { ...takes(thing), responses: ok(thing) } },
        '/things/{id}/': { get: { responses: ok(thing) } }
      },
      found: ['/things']
    },
    {
      proves: 'a list that nothing fills stays as it was',
      paths: {
        '/things': { get: { responses: ok({ type: 'array', items: thing }) } },
        '/things/{id}': { get: { responses: ok(thing) } }
      },
      found: []
    },
    {
      proves: 'an envelope whose list says nothing of its items',
      paths: {
        '/things': {
          get: {
            responses: ok({
              type: 'object',
              properties: {
                data: { type: 'array', items: {} },
                names: { type: 'array', items: text }
              }
            })
          },
          post: { ...takes(thing), responses: ok(thing) }
        },
        '/things/{id}': { get: { responses: ok(thing) } }
      },
      found: ['/things']
    },
    {
      proves: 'three levels',
      paths: {
        '/a': { get: { responses: things } },
        '/a/{x}': { get: { responses: ok(thing) } },
        '/a/{id}/b': { get: { responses: things } },
        '/a/{id}/b/{b}': { get: { responses: ok(thing) } },
        '/a/{a}/b/{b}/c': { get: { responses: things } },
        '/a/{a}/b/{b}/c/{c}': { get: { responses: ok(thing) } }
      },
      found: ['/a', '/a/{id}/b', '/a/{a}/b/{b}/c']
    }
  ]
  for (const { proves, paths, found } of rows) {
    test(proves, async () => {
      await using kept = await keep(api(paths))
      assert.deepEqual(await pathsOf(kept), found)
    })
  }

  test('what is none is mocked as before', async () => {
    const paths = { '/things': { get: { responses: ok({ type: 'array', items: thing }) } } }
    await using kept = await keep(api(paths))
    await using plain = await mock(write('document.json', api(paths)))
    const [one, other] = await Promise.all([kept, plain].map((each) => ask(each, 'GET /things')))
    assert.deepEqual(one?.body, other?.body)
  })
})

describe('ids', AT_ONCE, () => {
  const rows: readonly [string, object, object, unknown][] = [
    ['id', { id: { type: 'integer' } }, {}, { id: 1 }],
    ['thingId', { id: { type: 'integer' } }, {}, { id: 1 }],
    ['thing_id', { thingId: { type: 'integer' } }, {}, { thingId: 1 }],
    ['id', { thingId: { type: 'integer' } }, {}, { thingId: 1 }],
    ['thingName', { name: text, id: text }, { name: 'a' }, { name: 'a' }],
    ['slug', { slug: text }, { slug: 'own' }, { slug: 'own' }],
    ['username', { name: text, login: text }, { name: 'A', login: 'a' }, { login: 'a', name: 'A' }],
    ['id', { id: { type: 'integer', minimum: 100 } }, {}, { id: 100 }],
    ['id', { id: text }, {}, { id: '1' }],
    ['id', { id: { ...text, pattern: '^t-[a-z]{3}$' } }, {}, /^t-[a-z]{3}$/],
    ['id', { id: { type: 'integer' } }, { id: 9 }, { id: 9 }],
    ['id', { id: { type: 'integer' } }, { id: 0 }, { id: 1 }],
    ['id', { id: { type: 'integer', readOnly: true } }, {}, { id: 1 }],
    ['id', { title: text }, { title: 'hidden' }, { title: 'hidden' }]
  ]
  for (const [parameter, properties, body, expected] of rows) {
    const words = `{${parameter}} of ${Object.keys(properties)}, given ${JSON.stringify(body)}`
    test(words, async () => {
      const schema = { type: 'object', properties }
      const path = { name: parameter, in: 'path', required: true, schema: {} }
      await using kept = await keep(
        api({
          '/things': { post: { ...takes(schema), responses: ok(schema) } },
          [`/things/{${parameter}}`]: { parameters: [path], get: { responses: ok(schema) } }
        })
      )
      const made = await ask(kept, 'POST /things', body)
      const first = made.body.login ?? Object.values(made.body)[0]
      if (expected instanceof RegExp) assert.match(String(first), expected)
      else assert.deepEqual(made.body, expected)
      const id = 'title' in properties ? 1 : first
      assert.deepEqual((await ask(kept, `GET /things/${id}`)).body, made.body)
    })
  }

  test('a request may have an envelope as well', async () => {
    const box = { type: 'object', required: ['thing'], properties: { thing } }
    const named = { type: 'object', properties: { name: text } }
    const asked = { type: 'object', required: ['thing'], properties: { thing: named } }
    await using kept = await keep(
      api({
        '/things': { post: { ...takes(asked), responses: ok(box) } },
        '/things/{id}': {
          get: { responses: ok(box) },
          patch: { ...takes(asked), responses: ok(box) }
        }
      })
    )
    const made = await ask(kept, 'POST /things', { thing: { name: 'a' } })
    assert.deepEqual(made.body, { thing: { id: 1, name: 'a' } })
    await ask(kept, 'PATCH /things/1', { thing: { name: 'b' } })
    assert.deepEqual((await ask(kept, 'GET /things/1')).body, { thing: { id: 1, name: 'b' } })
  })

  test('an operation without a success is mocked as it was, and what needs it', async () => {
    const refused = { 405: { description: 'no' } }
    await using kept = await keep(
      api({
        '/things': { post: { ...takes(thing), responses: refused } },
        '/things/{id}': { get: { responses: ok(thing) } }
      })
    )
    assert.deepEqual(await pathsOf(kept), [])
    assert.equal((await ask(kept, 'POST /things', { id: 1, name: 'a' })).status, 405)
    assert.equal((await ask(kept, 'GET /things/1')).status, 200)
  })

  test('an id that is taken is a conflict', async () => {
    await using kept = await keep(
      api({
        '/things': {
          post: { ...takes(thing), responses: ok(thing) },
          put: { ...takes(thing), responses: ok(thing) }
        },
        '/things/{id}': { get: { responses: ok(thing) } }
      })
    )
    assert.equal((await ask(kept, 'POST /things', { id: 3, name: 'a' })).status, 200)
    const again = await ask(kept, 'POST /things', { id: 3, name: 'b' })
    assert.deepEqual([again.status, again.body.code], [409, 'RECORD_EXISTS'])
    assert.equal((await ask(kept, 'GET /things/3')).body.name, 'a')
    assert.equal((await ask(kept, 'POST /things', { id: 0, name: 'c' })).body.id, 4)
    // A replacement may also name its record in the body alone.
    assert.equal((await ask(kept, 'PUT /things', { id: 3, name: 'd' })).body.name, 'd')
    assert.equal((await ask(kept, 'PUT /things', { id: 8, name: 'd' })).status, 404)
  })
})

describe('seeds', AT_ONCE, () => {
  test('a file takes the place of the examples of its collections', async () => {
    const seedData = write(
      'seed.yaml',
      `/todos:\n  - { id: 11, title: Prune, done: true, pin: '1' }\n  - { title: Graft }\n`
    )
    await using kept = await keep(TODOS, { seedData })
    const { body } = await ask(kept, 'GET /todos')
    assert.deepEqual(
      body.map(({ id, title, done }: Record<string, unknown>) => [id, title, done]),
      [
        [11, 'Prune', true],
        [2, 'Graft', false]
      ]
    )
    assert.equal((await ask(kept, 'POST /todos', { title: 'x' })).body.id, 12)
  })

  test('below parents by path or by a property of theirs', async () => {
    const seedData = write('seed.json', {
      projects: [
        { id: 1, name: 'A' },
        { id: 2, name: 'B' }
      ],
      '/projects/1/tasks': [{ task_id: 1, text: 'of A' }],
      '/projects/{id}/tasks': [{ task_id: 5, project_id: 2, text: 'of B' }]
    })
    await using kept = await keep(PROJECTS, { seedData })
    const texts = async (id: number) =>
      (await ask(kept, `GET /projects/${id}/tasks`)).body.tasks.map(
        (task: { text: string }) => task.text
      )
    assert.deepEqual([await texts(1), await texts(2)], [['of A'], ['of B']])
    await ask(kept, 'DELETE /projects/2')
    assert.equal((await ask(kept, 'GET /projects/2/tasks')).status, 404)
  })

  const wrong: readonly [string, unknown, RegExp][] = [
    [
      'an unknown collection',
      { '/nope': [] },
      /seed\.json#\/~1nope is not a collection.* \/todos$/
    ],
    ['no list', { '/todos': {} }, /#\/~1todos must be an array of records/],
    ['no object', { '/todos': [5] }, /#\/~1todos\/0 must be an object/],
    ['a wrong value', { '/todos': [{ id: 1, title: 7 }] }, /#\/~1todos\/0\/title must be string/],
    ['no object at all', [], /seed\.json must contain an object/]
  ]
  for (const [proves, content, message] of wrong) {
    test(`${proves} is an error at the start with file and pointer`, async () => {
      const seedData = write('seed.json', content)
      await assert.rejects(keep(TODOS, { seedData }), { message })
    })
  }

  test('a seed file without state is a mistake', async () => {
    const seedData = write('seed.json', {})
    await assert.rejects(mock(write('d.json', TODOS), { seedData }), {
      message: /--seed-data requires --state/
    })
  })

  test('a changed file is read again; a broken one changes nothing', async () => {
    const seedData = write('seed.json', { '/todos': [{ id: 1, title: 'first' }] })
    await using kept = await keep(TODOS, { seedData, reload: true })
    const titleOf = async () => (await ask(kept, 'GET /todos')).body[0]?.title
    await ask(kept, 'POST /todos', { title: 'mine' })
    const rejected = nextWarning(/seed\.json.* still served/)
    writeFileSync(seedData, '{"/todos":5}')
    await rejected
    assert.equal(await titleOf(), 'first')
    writeFileSync(seedData, JSON.stringify({ '/todos': [{ id: 1, title: 'second' }] }))
    while ((await titleOf()) !== 'second') await delay(50)
    assert.equal((await ask(kept, 'GET /todos/2')).body.title, 'mine')
  })

  test('ignored examples seed nothing', async () => {
    await using kept = await keep(TODOS, { ignoreExamples: true })
    assert.deepEqual((await ask(kept, 'GET /todos')).body, [])
  })

  test('examples that name no parent are below each of them', async () => {
    const list = {
      description: 'ok',
      content: {
        'application/json': {
          schema: { type: 'array', items: thing },
          example: [{ id: 1, name: 'common' }]
        }
      }
    }
    await using kept = await keep(
      api({
        '/owners/{id}/things': { get: { responses: { 200: list } } },
        '/owners/{id}/things/{thing}': {
          get: { responses: ok(thing) },
          delete: { responses: { 204: { description: 'gone' } } }
        }
      })
    )
    assert.equal((await ask(kept, 'DELETE /owners/a/things/1')).status, 204)
    assert.deepEqual((await ask(kept, 'GET /owners/a/things')).body, [])
    assert.equal((await ask(kept, 'GET /owners/b/things')).body.length, 1)
  })
})

describe('determinism and responses', AT_ONCE, () => {
  test('the same calls give the same bytes, times aside', async () => {
    const calls = async (options: MockInTestOptions) => {
      await using kept = await keep(NOTES, options)
      const made = [
        await ask(kept, 'POST /notes', { text: 'a', tags: [] }),
        await ask(kept, 'POST /notes', { text: 'b', tags: [] }),
        await ask(kept, 'GET /notes')
      ]
      return JSON.stringify(made.map(({ body }) => body))
    }
    assert.equal(await calls({}), await calls({}))
    assert.equal(
      await calls({ seed: 'x', dynamic: true }),
      await calls({ seed: 'x', dynamic: true })
    )
    assert.notEqual(await calls({ seed: 'x' }), await calls({ seed: 'y' }))
  })

  test('without --state nothing is kept and nothing is shown', async () => {
    await using plain = await mock(write('document.json', TODOS))
    await ask(plain, 'POST /todos', { title: 'x' })
    assert.equal((await ask(plain, 'GET /todos')).body.length, 2)
    const shown = await ask(plain, 'GET /__nonet/state')
    assert.deepEqual([shown.status, shown.body.code], [404, 'STATE_OFF'])
  })

  test('an error that a pair of examples shows comes before the state', async () => {
    const post = {
      requestBody: {
        content: {
          'application/json': {
            schema: thing,
            examples: {
              twice: { value: { id: 1, name: 'a' } },
              fine: { value: { id: 2, name: 'b' } }
            }
          }
        }
      },
      responses: {
        ...ok(thing),
        409: {
          description: 'Twice',
          content: {
            'application/json': {
              schema: { type: 'object' },
              examples: { twice: { value: { again: true } } }
            }
          }
        }
      }
    }
    const document = api({
      '/things': { post },
      '/things/{id}': { get: { responses: ok(thing) } }
    })
    await using kept = await keep(document)
    const twice = await ask(kept, 'POST /things', { id: 1, name: 'a' })
    assert.deepEqual([twice.status, twice.body], [409, { again: true }])
    assert.equal((await ask(kept, 'GET /things/1')).status, 404)
    assert.equal((await ask(kept, 'POST /things', { id: 2, name: 'b' })).status, 200)
    assert.equal((await ask(kept, 'GET /things/2')).status, 200)
  })

  test('XML for who accepts nothing else', async () => {
    const document = structuredClone(TODOS) as { paths: Record<string, Record<string, object>> }
    const read = document.paths['/todos/{todoId}']?.get as {
      responses: Record<string, { content: Record<string, unknown> }>
    }
    const content = read.responses[200]?.content ?? {}
    content['application/xml'] = content['application/json']
    await using kept = await keep(document)
    await ask(kept, 'PATCH /todos/1', { title: 'Buy <oats>' })
    const { body } = await ask(kept, 'GET /todos/1', undefined, { accept: 'application/xml' })
    assert.match(body, /<title>Buy &lt;oats&gt;<\/title>/)
  })
})
