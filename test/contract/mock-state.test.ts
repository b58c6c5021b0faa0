/** Collections that keep what is written: `nonet mock --state`. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { NOTES, PROJECTS, TODOS } from '../support/mock-state-documents.ts'
import { openStatePlace, STATE_KINDS } from '../support/mock-state-place.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const NOWHERE = '00000000-0000-4000-8000-000000000000'

interface Answer {
  status: number
  type: string | null
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: bodies are compared whole
  body: any
}

type Ask = (line: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>

function talkTo(url: string): Ask {
  return async function ask(line, body, headers = {}) {
    const [method = 'GET', path = '/'] = line.split(' ')
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers
      },
      body: body === undefined ? null : JSON.stringify(body)
    })
    const text = await answer.text()
    const violations = answer.headers.get('sl-violations')
    assert.equal(violations, null, `${line}: ${violations}`)
    return {
      status: answer.status,
      type: answer.headers.get('content-type'),
      headers: answer.headers,
      body: text === '' ? undefined : JSON.parse(text)
    }
  }
}

for (const kind of STATE_KINDS) {
  describe(`state in ${kind}`, () => {
    const folder = scratchFolder()
    let nonet: Nonet<'mock'>
    let place: Awaited<ReturnType<typeof openStatePlace>>
    let todos: Ask
    let projects: Ask
    let notes: Ask

    before(async () => {
      const documents = Object.entries({ todos: TODOS, projects: PROJECTS, notes: NOTES }).map(
        ([name, document]) => {
          const file = join(folder, `${name}.json`)
          writeFileSync(file, JSON.stringify(document))
          return `${name}=${file}`
        }
      )
      place = await openStatePlace(kind, folder)
      nonet = await start({
        services: ['mock'],
        console: false,
        ...place.options,
        mock: { documents, state: true }
      })
      todos = talkTo(`${nonet.mock.url}/todos`)
      projects = talkTo(`${nonet.mock.url}/projects`)
      notes = talkTo(`${nonet.mock.url}/notes`)
    })
    after(async () => {
      await nonet.stop()
      await place[Symbol.asyncDispose]()
    })

    test('a collection starts with the examples of its document', async () => {
      const { status, body, headers } = await todos('GET /todos')
      assert.deepEqual([status, headers.get('x-total-count')], [200, '2'])
      assert.deepEqual(
        body.map((todo: { id: number }) => todo.id),
        [1, 4]
      )
      const one = await todos('GET /todos/4')
      assert.deepEqual(one.body, body[1])
    })

    test('the operator adds, edits and deletes records that the document would not', async () => {
      const admin = talkTo(`${nonet.mock.url}/__nonet/state`)
      const at = (path: string) => `?session=operator&path=${encodeURIComponent(path)}`
      const session = { prefer: 'session=operator' }
      const wrong = await admin(`POST /records${at('/todos/todos')}`, { title: 7 })
      assert.deepEqual([wrong.status, wrong.body.code], [422, 'INVALID_RECORD'])
      assert.ok(wrong.body.validation.length > 0)
      const made = await admin(`POST /records${at('/todos/todos')}&validate=false`, { title: 7 })
      assert.deepEqual([made.status, made.body.path], [201, '/todos/todos/5'])
      assert.deepEqual(made.body.record, { id: 5, title: 7 })
      const taken = await admin(`POST /records${at('/todos/todos')}&validate=false`, { id: 5 })
      assert.deepEqual([taken.status, taken.body.code], [409, 'RECORD_TAKEN'])
      const saved = { ...(await todos('GET /todos/1', undefined, session)).body, title: 'Edited' }
      assert.equal((await admin(`PUT /records${at('/todos/todos/1')}`, saved)).status, 200)
      assert.equal((await todos('GET /todos/1', undefined, session)).body.title, 'Edited')
      const moved = await admin(`PUT /records${at('/todos/todos/1')}`, { ...saved, id: 9 })
      assert.deepEqual([moved.status, moved.body.code], [422, 'INVALID_RECORD'])
      assert.equal((await admin(`DELETE /records${at('/todos/todos/1')}`)).status, 204)
      assert.equal((await todos('GET /todos/1', undefined, session)).status, 404)
      const gone = await admin(`DELETE /records${at('/todos/todos/1')}`)
      assert.deepEqual([gone.status, gone.body.code], [404, 'RECORD_UNKNOWN'])
      const { records } = (await admin(`GET ${at('/todos/todos')}`)).body
      assert.deepEqual(
        records.map(({ id }: { id: number }) => id),
        [4, 5]
      )
      // Other sessions have their own records.
      assert.equal((await todos('GET /todos/1')).status, 200)
    })

    test('an edit does not overwrite a later change of the record', async () => {
      const path = '/todos/todos/4'
      const page = async () => {
        const query = new URLSearchParams({ path, session: 'late' })
        const url = `${nonet.mock.url}/__nonet/state?${query}`
        return (await fetch(url, { headers: { accept: 'text/html' } })).text()
      }
      const [, version = ''] = /name="version" value="(\w+)"/.exec(await page()) ?? []
      const session = { prefer: 'session=late' }
      await todos('PATCH /todos/4', { title: 'Later' }, session)
      const save = async (title: string, of: string) =>
        fetch(`${nonet.mock.url}/__nonet/state/save`, {
          method: 'POST',
          headers: { accept: 'text/html' },
          redirect: 'manual',
          body: new URLSearchParams({
            ...{ path, session: 'late', version: of, unchecked: 'yes' },
            record: JSON.stringify({ id: 4, title })
          })
        })
      const rejected = await save('Mine', version)
      const shown = await rejected.text()
      assert.equal(rejected.status, 409)
      assert.match(shown, /was changed or deleted after this page was opened/)
      // Both versions are on the page: the text of the form and the stored record.
      assert.match(shown, /&quot;title&quot;:&quot;Mine&quot;/)
      assert.match(shown, /Later/)
      const [, next = ''] = /name="version" value="(\w+)"/.exec(shown) ?? []
      assert.equal((await save('Mine', next)).status, 303)
      assert.equal((await todos('GET /todos/4', undefined, session)).body.title, 'Mine')
    })

    test('create, read, list, replace, patch, remove', async () => {
      const session = { prefer: 'session=round' }
      const sent = { title: 'Weed', pin: 'secret', colour: 'red' }
      const made = await todos('POST /todos', sent, session)
      assert.equal(made.status, 201)
      assert.equal(made.headers.get('location'), '/todos/todos/5')
      const { createdAt, updatedAt, ...rest } = made.body
      // Closed schemas show neither what they do not know nor what only requests have.
      assert.deepEqual(rest, { id: 5, title: 'Weed', done: false })
      for (const time of [createdAt, updatedAt]) {
        assert.ok(Math.abs(Date.now() - Date.parse(time)) < 60_000, time)
      }
      assert.deepEqual((await todos('GET /todos/5', undefined, session)).body, made.body)

      const changed = await todos('PATCH /todos/5', { note: 'thistles' }, session)
      assert.deepEqual([changed.status, changed.body.note], [200, 'thistles'])
      assert.equal(changed.body.createdAt, createdAt)
      const merge = { ...session, 'content-type': 'application/merge-patch+json' }
      const cleared = await todos('PATCH /todos/5', { note: null, done: true }, merge)
      assert.deepEqual([cleared.body.note, cleared.body.done], [undefined, true])

      const replaced = await todos('PUT /todos/5', { title: 'Hoe' }, session)
      assert.deepEqual(
        [replaced.status, replaced.body.id, replaced.body.title, replaced.body.createdAt],
        [200, 5, 'Hoe', createdAt]
      )
      const list = await todos('GET /todos', undefined, session)
      assert.deepEqual(
        list.body.map(({ id, title }: { id: number; title: string }) => [id, title]),
        [
          [1, 'Buy milk'],
          [4, 'Sow peas'],
          [5, 'Hoe']
        ]
      )
      const gone = await todos('DELETE /todos/5', undefined, session)
      assert.deepEqual([gone.status, gone.body], [204, undefined])
      assert.equal((await todos('DELETE /todos/5', undefined, session)).status, 404)
      // An id is never given twice.
      assert.equal((await todos('POST /todos', { title: 'Rake' }, session)).body.id, 6)
    })

    test('a record of the seed can be changed and removed', async () => {
      const session = { prefer: 'session=seed' }
      await todos('PATCH /todos/1', { title: 'Buy oats' }, session)
      await todos('DELETE /todos/4', undefined, session)
      const { body } = await todos('GET /todos', undefined, session)
      assert.deepEqual(
        body.map(({ id, title }: { id: number; title: string }) => [id, title]),
        [[1, 'Buy oats']]
      )
      assert.equal((await todos('GET /todos/4', undefined, session)).status, 404)
    })

    test('an unknown id gets the documented 404, else a problem of ours', async () => {
      const documented = await todos('GET /todos/99')
      assert.deepEqual(documented.body, { message: 'There is no such to-do.' })
      assert.equal(documented.status, 404)
      const { status, type, body } = await todos('PUT /todos/99', { title: 'x' })
      assert.deepEqual([status, type], [404, 'application/problem+json'])
      assert.equal(body.code, 'RECORD_NOT_FOUND')
      assert.match(body.detail, /Record 99 does not exist in \/todos\/todos\./)
    })

    test('requests are checked before anything is written', async () => {
      const session = { prefer: 'session=checked' }
      for (const [line, body] of [
        ['POST /todos', { title: '' }],
        ['POST /todos', {}],
        ['PUT /todos/1', { title: 5 }],
        ['GET /todos/abc', undefined]
      ] as const) {
        assert.equal((await todos(line, body, session)).status, 422, line)
      }
      assert.equal((await todos('GET /todos', undefined, session)).body.length, 2)
    })

    test('a preference for a status or an example wins over the state', async () => {
      const session = 'session=prefer'
      const forced = await todos('GET /todos/1', undefined, { prefer: `code=404, ${session}` })
      assert.equal(forced.status, 404)
      await todos('DELETE /todos/1', undefined, { prefer: `code=204, ${session}` })
      assert.equal((await todos('GET /todos/1', undefined, { prefer: session })).status, 200)
    })

    test('limit and offset as the document has them', async () => {
      const page = await todos('GET /todos?limit=1&offset=1')
      assert.deepEqual([page.body.length, page.body[0].id], [1, 4])
      assert.equal(page.headers.get('x-total-count'), '2')
      assert.deepEqual((await todos('GET /todos?limit=0')).body, [])
      assert.deepEqual((await todos('GET /todos?offset=70')).body, [])
      // Not documented, so it means nothing.
      assert.equal((await todos('GET /todos?page=2')).body.length, 2)
    })

    test('envelopes with pages, counted', async () => {
      const session = { prefer: 'session=pages' }
      for (const name of ['Pond', 'Fence', 'Gate']) {
        const made = await projects('POST /projects', { name }, session)
        assert.equal(made.status, 201)
      }
      const first = await projects('GET /projects', undefined, session)
      assert.deepEqual(first.body, {
        data: [
          { id: 7, name: 'Shed' },
          { id: 8, name: 'Pond' }
        ],
        total: 4,
        page: 1,
        per_page: 2,
        total_pages: 2
      })
      const last = await projects('GET /projects?page=2&per_page=3', undefined, session)
      assert.deepEqual(last.body, {
        data: [{ id: 10, name: 'Gate' }],
        total: 4,
        page: 2,
        per_page: 3,
        total_pages: 2
      })
      const one = await projects('GET /projects/9', undefined, session)
      assert.deepEqual(one.body, { data: { id: 9, name: 'Fence' } })
    })

    test('collections below a parent are apart, and go with it', async () => {
      const session = { prefer: 'session=nested' }
      const { body: made } = await projects('POST /projects', { name: 'Pond' }, session)
      assert.deepEqual(made, { data: { id: 8, name: 'Pond' } })
      const task = await projects('POST /projects/8/tasks', { text: 'Dig' }, session)
      assert.deepEqual(task.body, { task_id: 1, project_id: 8, text: 'Dig', open: true })
      await projects('POST /projects/7/tasks', { text: 'Paint' }, session)
      const below = await projects('GET /projects/8/tasks', undefined, session)
      assert.deepEqual(below.body, { tasks: [task.body], meta: { count: 1 } })
      assert.equal((await projects('GET /projects/7/tasks/1', undefined, session)).status, 404)
      const changed = await projects('PATCH /projects/8/tasks/1', { open: false }, session)
      assert.deepEqual(changed.body, { ...task.body, open: false })
      assert.equal((await projects('GET /projects/99/tasks', undefined, session)).status, 404)
      assert.equal((await projects('POST /projects/99/tasks', { text: 'x' }, session)).status, 404)
      const gone = await projects('DELETE /projects/8', undefined, session)
      assert.deepEqual([gone.status, gone.body], [200, { message: 'gone' }])
      assert.equal((await projects('GET /projects/8/tasks', undefined, session)).status, 404)
      assert.equal((await projects('GET /projects/7/tasks', undefined, session)).status, 200)
      const based = await projects('GET /api/projects/7/tasks', undefined, session)
      assert.deepEqual(based.body.meta, { count: 1 })
    })

    test('uuids, JSON Patch, cursors, and a replacement that creates', async () => {
      const session = { prefer: 'session=notes' }
      const made = await notes('POST /notes', { text: 'one', tags: [] }, session)
      assert.match(made.body.id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-/)
      const line = `/notes/${made.body.id}`
      const patch = { ...session, 'content-type': 'application/json-patch+json' }
      const changed = await notes(
        `PATCH ${line}`,
        [
          { op: 'add', path: '/tags/-', value: 'a' },
          { op: 'copy', from: '/tags/0', path: '/tags/-' },
          { op: 'replace', path: '/id', value: NOWHERE },
          { op: 'test', path: '/text', value: 'one' },
          { op: 'replace', path: '/text', value: 'two' }
        ],
        patch
      )
      assert.deepEqual(changed.body, { ...made.body, text: 'two', tags: ['a', 'a'] })
      for (const operations of [
        [{ op: 'test', path: '/text', value: 'one' }],
        [{ op: 'remove', path: '/nothing' }],
        [{ op: 'remove', path: '/text' }],
        [{ op: 'replace', path: '/tags', value: 'no list' }],
        [{ op: 'add', path: '/__proto__/polluted', value: true }],
        [{ op: 'move', from: '/tags', path: '/tags/0' }],
        [{ op: 'replace', path: '', value: 5 }]
      ]) {
        const refused = await notes(`PATCH ${line}`, operations, patch)
        assert.equal(refused.status, 409, JSON.stringify(operations))
        assert.deepEqual(refused.body, { message: 'The patch does not fit.' })
      }
      assert.deepEqual((await notes(`GET ${line}`, undefined, session)).body, changed.body)

      const put = await notes(`PUT /notes/${NOWHERE}`, { text: 'mine', tags: [] }, session)
      assert.deepEqual([put.status, put.body.id], [201, NOWHERE])
      assert.equal(put.headers.get('location'), `${nonet.mock.url}/notes/notes/${NOWHERE}`)
      const again = await notes(`PUT /notes/${NOWHERE}`, { text: 'ours', tags: [] }, session)
      assert.deepEqual([again.status, again.body.text], [200, 'ours'])

      const first = await notes('GET /notes?limit=1', undefined, session)
      assert.deepEqual([first.body.items.length, first.body.hasMore], [1, true])
      const next = `GET /notes?limit=1&cursor=${first.body.nextCursor}`
      const second = await notes(next, undefined, session)
      assert.deepEqual(second.body, { items: [again.body], hasMore: false, nextCursor: null })
    })

    test('sessions see the seed and themselves, and start alike', async () => {
      const [one, other] = ['one', 'other'].map((name) => ({ prefer: `session=${name}` }))
      const made = await Promise.all(
        [one, other].map((session) => todos('POST /todos', { title: 'Mine' }, session))
      )
      assert.deepEqual(
        made.map(({ body }) => body.id),
        [5, 5]
      )
      await todos('DELETE /todos/5', undefined, one)
      assert.equal((await todos('GET /todos/5', undefined, other)).status, 200)
      assert.equal((await todos('GET /todos/5')).status, 404)
      const twin = await todos('GET /todos?__session=other')
      assert.equal(twin.body.length, 3)
    })

    test('many at once get an id each', async () => {
      const session = { prefer: 'session=many' }
      const made = await Promise.all(
        Array.from({ length: 20 }, (_, n) => todos('POST /todos', { title: `n${n}` }, session))
      )
      const ids = made.map(({ body }) => body.id).sort((a, b) => a - b)
      assert.deepEqual(
        ids,
        Array.from({ length: 20 }, (_, n) => n + 5)
      )
    })

    test('the state is shown and reset under /__nonet/', async () => {
      const admin = talkTo(`${nonet.mock.url}/__nonet`)
      const session = { prefer: 'session=shown' }
      await projects('POST /projects/7/tasks', { text: 'Paint' }, session)
      const { body } = await admin('GET /state?session=shown')
      const shown = Object.fromEntries(
        body.collections.map(({ path, places }: { path: string; places: object[] }) => [
          path,
          places
        ])
      )
      assert.deepEqual(shown, {
        '/todos/todos': [{ path: '/todos/todos', records: 2 }],
        '/projects/projects': [{ path: '/projects/projects', records: 1 }],
        '/projects/projects/{id}/tasks': [{ path: '/projects/projects/7/tasks', records: 1 }],
        '/notes/notes': [{ path: '/notes/notes', records: 0 }]
      })
      assert.ok(body.sessions.some((one: { session: string }) => one.session === 'shown'))
      const path = '/projects/projects/7/tasks'
      const listed = await admin(`GET /state?session=shown&path=${path}`)
      assert.equal(listed.body.records[0].text, 'Paint')
      const reset = await admin('DELETE /state?session=shown')
      assert.deepEqual(reset.body, { reset: 'shown' })
      assert.deepEqual((await admin(`GET /state?session=shown&path=${path}`)).body.records, [])
      const unknown = await admin('GET /state?path=/nowhere')
      assert.deepEqual([unknown.status, unknown.body.code], [404, 'COLLECTION_UNKNOWN'])
      assert.equal((await admin('POST /state/reset')).status, 200)
      assert.deepEqual((await admin('GET /state')).body.sessions, [])
    })
  })
}
