import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { start } from '../../src/host/start.ts'
import { reference } from '../../src/services/reference/index.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { smallUniverse, writeFolder } from './reference-universe.ts'

/** Nothing imported, nothing configured. */
const NO_DATA = { folder: '/no/such/folder', settings: {} }

/** A file host that knows one thing: a folder is its `index.json`. */
async function openFileHost(folder: string) {
  const server = createServer((request, response) => {
    const path = request.url?.endsWith('/') ? `${request.url}index.json` : request.url
    readFile(join(folder, path ?? '')).then(
      (content) => response.end(content),
      () => response.writeHead(404).end()
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
    }
  }
}

async function read(url: string) {
  const answer = await fetch(url)
  assert.equal(answer.status, 200, url)
  return answer.json()
}

test('a file host serves the tree as nonet serves the records', async () => {
  const folder = scratchFolder()
  await using host = await openFileHost(folder)
  const told = await reference.tools?.export?.(folder, {
    ...NO_DATA,
    from: undefined,
    baseUrl: `${host.url}//`
  })
  assert.match(
    told ?? '',
    new RegExp(`^Wrote \\d+ files to ${folder}; serve them at ${host.url}/api/\\.$`)
  )
  await using nonet = await start({
    services: ['reference'],
    publicUrl: { reference: host.url }
  })
  const served = nonet.reference.url
  for (const path of [
    '/api/',
    '/api/people/1/',
    '/api/films/7/',
    '/api/people/schema/',
    '/api/all.json'
  ]) {
    assert.deepEqual(await read(host.url + path), await read(served + path), path)
  }
  const picture = '/api/people/1/image.svg'
  assert.equal(
    await (await fetch(host.url + picture)).text(),
    await (await fetch(served + picture)).text()
  )
})

test('every page of a list is reached by next, and the way back by previous', async () => {
  const folder = scratchFolder()
  await using host = await openFileHost(folder)
  await reference.tools?.export?.(folder, { ...NO_DATA, from: undefined, baseUrl: host.url })
  const seen: string[] = []
  const ways: (string | null)[] = []
  let next: string | null = `${host.url}/api/people/`
  while (next !== null) {
    const list: {
      next: string | null
      previous: string | null
      count: number
      results: { url: string }[]
    } = await read(next)
    assert.equal(list.count, 88)
    seen.push(...list.results.map(({ url }) => url))
    ways.push(list.previous)
    next = list.next
  }
  assert.deepEqual(
    seen,
    Array.from({ length: 88 }, (_, index) => `${host.url}/api/people/${index + 1}/`)
  )
  assert.deepEqual(ways.slice(0, 3), [
    null,
    `${host.url}/api/people/`,
    `${host.url}/api/people/page/2/`
  ])
})

test('a data set of your own, and an empty type', async () => {
  const small = { ...smallUniverse(), vehicles: [] }
  for (const film of small.films) film.vehicles = []
  const from = await writeFolder(small)
  const to = join(scratchFolder(), 'deep', 'er')
  await reference.tools?.export?.(to, { ...NO_DATA, from, baseUrl: 'https://x.example' })
  const list = JSON.parse(await readFile(join(to, 'api/vehicles/index.json'), 'utf8'))
  assert.deepEqual(list, { count: 0, next: null, previous: null, results: [] })
  const ann = JSON.parse(await readFile(join(to, 'api/people/1/index.json'), 'utf8'))
  assert.deepEqual(
    [ann.name, ann.height, ann.url],
    ['Ann', '160 cm', 'https://x.example/api/people/1/']
  )
})
