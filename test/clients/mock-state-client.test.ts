/** Clients generated from three documents, whose calls leave something behind. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { loadDocument } from '../../src/services/mock/document/load.ts'
import { temporaryFolder } from '../support/launcher.ts'
import { NOTES, PROJECTS, TODOS } from '../support/mock-state-documents.ts'
import { openStatePlace, STATE_KINDS } from '../support/mock-state-place.ts'
import { openClientProject } from '../support/typed-client.ts'

const TIMEOUT_MS = 400_000

const HEAD = `
import createClient from 'openapi-fetch'
const [baseUrl = '', session = ''] = process.argv.slice(2)
const headers = { prefer: 'session=' + session }
`

/** Each client does the round and exports what it saw. */
const CLIENTS = {
  todos: `${HEAD}
import type { paths } from './todos.ts'
const api = createClient<paths>({ baseUrl: baseUrl + '/todos', headers })
const made = await api.POST('/todos', { body: { title: 'Weed', done: false } as never })
const todoId = made.data?.id ?? 0
const path = { todoId }
const list = await api.GET('/todos', { params: { query: { limit: 5 } } })
const patched = await api.PATCH('/todos/{todoId}', { params: { path }, body: { done: true } })
const one = await api.GET('/todos/{todoId}', { params: { path } })
const gone = await api.DELETE('/todos/{todoId}', { params: { path } })
const none = await api.GET('/todos/{todoId}', { params: { path } })
const left = await api.GET('/todos')
const message: string | undefined = none.error?.message
export const seen = {
  id: todoId, titles: list.data?.map((todo) => todo.title), done: [patched.data?.done, one.data?.done],
  message, left: left.data?.length,
  statuses: [made, list, patched, one, gone, none].map(({ response }) => response.status)
}
`,
  projects: `${HEAD}
import type { paths } from './projects.ts'
const api = createClient<paths>({ baseUrl: baseUrl + '/projects/api', headers })
const project = await api.POST('/projects', { body: { name: 'Pond' } })
const id = project.data?.data.id ?? 0
const projects = await api.GET('/projects', { params: { query: { per_page: 50 } } })
const made = await api.POST('/projects/{id}/tasks', { params: { path: { id } }, body: { text: 'Dig' } })
const path = { id, task_id: made.data?.task_id ?? 0 }
const list = await api.GET('/projects/{id}/tasks', { params: { path: { id } } })
const other = await api.GET('/projects/{id}/tasks', { params: { path: { id: 7 } } })
const patched = await api.PATCH('/projects/{id}/tasks/{task_id}', { params: { path }, body: { open: false } })
const gone = await api.DELETE('/projects/{id}/tasks/{task_id}', { params: { path } })
const none = await api.GET('/projects/{id}/tasks/{task_id}', { params: { path } })
export const seen = {
  id, names: projects.data?.data.map(({ name }) => name), total: projects.data?.total,
  tasks: list.data?.tasks.map(({ text, project_id }) => [text, project_id]),
  count: [list.data?.meta.count, other.data?.meta.count], open: patched.data?.open,
  statuses: [project, projects, made, list, other, patched, gone, none].map(({ response }) => response.status)
}
`,
  notes: `${HEAD}
import type { paths } from './notes.ts'
const api = createClient<paths>({ baseUrl: baseUrl + '/notes', headers })
const made = await api.POST('/notes', { body: { text: 'one', tags: ['a'] } as never })
const id = made.data?.id ?? ''
const list = await api.GET('/notes')
const patched = await api.PATCH('/notes/{id}', {
  params: { path: { id } },
  headers: { 'content-type': 'application/json-patch+json' },
  body: [{ op: 'test', path: '/text', value: 'one' }, { op: 'add', path: '/tags/0', value: 'b' }]
})
const gone = await api.DELETE('/notes/{id}', { params: { path: { id } } })
const none = await api.GET('/notes/{id}', { params: { path: { id } } })
export const seen = {
  isUuid: /^[0-9a-f-]{36}$/.test(id), ids: list.data?.items.map((note) => note.id === id),
  more: list.data?.hasMore, tags: patched.data?.tags,
  statuses: [made, list, patched, gone, none].map(({ response }) => response.status)
}
`
}

const EXPECTED = {
  todos: {
    id: 5,
    titles: ['Buy milk', 'Sow peas', 'Weed'],
    done: [true, true],
    message: 'There is no such to-do.',
    left: 2,
    statuses: [201, 200, 200, 200, 204, 404]
  },
  projects: {
    id: 8,
    names: ['Shed', 'Pond'],
    total: 2,
    tasks: [['Dig', 8]],
    count: [1, 0],
    open: false,
    statuses: [201, 200, 201, 200, 200, 200, 204, 404]
  },
  notes: {
    isUuid: true,
    ids: [true],
    more: false,
    tags: ['b', 'a'],
    statuses: [201, 200, 200, 204, 404]
  }
}

type Name = keyof typeof CLIENTS

const NAMES: readonly Name[] = ['todos', 'projects', 'notes']
/** Runs all clients at the same time and prints what each saw. */
const ALL = `${NAMES.map((name) => `import { seen as ${name} } from './${name}-client.ts'`).join('\n')}
console.log(JSON.stringify({ ${NAMES.join(', ')} }))
`
const DOCUMENTS: Readonly<Record<Name, object>> = { todos: TODOS, projects: PROJECTS, notes: NOTES }

describe('a stateful round of generated clients', { timeout: TIMEOUT_MS }, () => {
  const folder = temporaryFolder()
  const { generate, compile, run } = openClientProject(folder.path)

  before(async () => {
    writeFileSync(join(folder.path, 'all.ts'), ALL)
    for (const name of NAMES) {
      writeFileSync(join(folder.path, `${name}.json`), JSON.stringify(DOCUMENTS[name]))
      writeFileSync(join(folder.path, `${name}-client.ts`), CLIENTS[name])
      // The generator reads version 3 only.
      const { document } = await loadDocument(new URL(`file:///${name}.json`), async () =>
        JSON.stringify(DOCUMENTS[name])
      )
      writeFileSync(join(folder.path, `${name}-3.1.json`), JSON.stringify(document))
      await generate(`${name}-3.1.json`, `${name}.ts`)
    }
  })
  after(() => folder[Symbol.dispose]())

  test('the clients compile', async () => {
    const { stdout } = await compile(...NAMES.map((name) => `${name}-client.ts`))
    assert.equal(stdout, '')
  })

  for (const kind of STATE_KINDS) {
    test(`create, list, patch, delete; two sessions at once; ${kind}`, async () => {
      await using place = await openStatePlace(kind, folder.path)
      await using nonet = await start({
        services: ['mock'],
        console: false,
        ...place.options,
        mock: {
          documents: NAMES.map((name) => `${name}=${join(folder.path, `${name}.json`)}`),
          state: true
        }
      })
      // Both see the state as if they were alone in it, whatever the other has done.
      const rounds = ['one', 'other'].map(async (session) => {
        const { code, stdout, stderr } = await run('all.ts', [nonet.mock.url, session])
        assert.equal(code, 0, stderr)
        assert.deepEqual(JSON.parse(stdout), EXPECTED, `session ${session}`)
      })
      await Promise.all(rounds)
    })
  }
})
