/** A client whose types are generated from the document that is mocked. */
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { ROOT, temporaryFolder } from '../support/launcher.ts'
import { openClientProject } from '../support/typed-client.ts'

const DOCUMENT = join(ROOT, 'data/mock/garden.yaml')
const TIMEOUT_MS = 400_000

const CLIENT = `
import createClient from 'openapi-fetch'
import type { components, paths } from './garden.ts'

type Plant = components['schemas']['Plant']
const garden = createClient<paths>({ baseUrl: process.argv[2] ?? '' })

const list = await garden.GET('/plants', { params: { query: { limit: 2, bed: [1, 2] } } })
const names: string[] = (list.data ?? []).map((plant: Plant) => plant.name)

const one = await garden.GET('/plants/{id}', { params: { path: { id: 1 } } })
const state: 'sown' | 'growing' | 'ripe' | 'eaten' | undefined = one.data?.state

const sown = await garden.POST('/plants', { body: { name: 'Chard', bed: 2 } as Plant })
const id: number | undefined = sown.data?.id

const moved = await garden.PATCH('/plants/{id}', {
  params: { path: { id: 1 } },
  body: { bed: 2 },
  headers: { 'content-type': 'application/merge-patch+json' }
})
const bed: number | undefined = moved.data?.bed

const gone = await garden.DELETE('/plants/{id}', { params: { path: { id: 1 } } })

const unknown = await garden.GET('/plants/{id}', {
  params: { path: { id: 1 } },
  headers: { prefer: 'code=404' }
})
const message: string | undefined = unknown.error?.message

const refused = await garden.GET('/plants/{id}', { params: { path: { id: 0 } } })

console.log(JSON.stringify({
  names, state, id, bed: typeof bed, message,
  statuses: [list, one, sown, moved, gone, unknown, refused].map(({ response }) => response.status)
}))
`

/** Each line is wrong by the document, and the compiler says so. */
const WRONG = `
import createClient from 'openapi-fetch'
import type { paths } from './garden.ts'
const garden = createClient<paths>({ baseUrl: '' })
await garden.GET('/trees')
await garden.GET('/plants/{id}', { params: { path: { id: 'one' } } })
await garden.POST('/plants', { body: { bed: 2 } })
const { data } = await garden.GET('/plants/{id}', { params: { path: { id: 1 } } })
const state: 'sown' | undefined = data?.state
`

describe('openapi-fetch with types of openapi-typescript', { timeout: TIMEOUT_MS }, () => {
  const folder = temporaryFolder()
  const { generate, compile, run } = openClientProject(folder.path)

  before(async () => {
    writeFileSync(join(folder.path, 'client.ts'), CLIENT)
    writeFileSync(join(folder.path, 'wrong.ts'), WRONG)
    await generate(DOCUMENT, 'garden.ts')
  })
  after(() => folder[Symbol.dispose]())

  test('the client compiles, and a wrong one does not', async () => {
    const [right, wrong] = await Promise.all([compile('client.ts'), compile('wrong.ts')])
    assert.deepEqual(right, { code: 0, stdout: '', stderr: '' })
    const lines = [...wrong.stdout.matchAll(/^wrong\.ts\((\d+),/gm)].map(([, line]) => line)
    assert.deepEqual(lines, ['5', '6', '7', '9'])
  })

  test('the client gets from the mock what its types promise', async () => {
    await using nonet = await start({ services: ['mock'] })
    const { code, stdout, stderr } = await run('client.ts', [nonet.mock.url])
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), {
      names: ['Basil', 'Runner bean'],
      state: 'growing',
      id: 3,
      bed: 'number',
      message: 'There is no such plant.',
      statuses: [200, 200, 201, 200, 204, 404, 422]
    })
  })
})
