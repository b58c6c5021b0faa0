/** Clients of the original reference API, unmodified, with nothing changed but their base URL. */
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'

const require = createRequire(import.meta.url)
const SwapiTypescript = require('swapi-typescript')
const StarWarsApi = require('star-wars-api')

const TYPES = ['films', 'people', 'planets', 'species', 'starships', 'vehicles']

let nonet: Nonet<'reference'>
before(async () => {
  nonet = await start({ services: ['reference'] })
})
after(() => nonet.stop())

describe('swapi-typescript', () => {
  async function request({ url, query = {} }: { url: string; query?: Record<string, string> }) {
    const asked = new URL(url)
    for (const [name, value] of Object.entries(query)) asked.searchParams.set(name, value)
    return (await fetch(asked)).json()
  }

  function open() {
    return new SwapiTypescript({ baseOrigin: `${nonet.reference.url}/api/`, request })
  }

  test('finds the six types at the root', async () => {
    const map = await open().resourceMap()
    assert.deepEqual(Object.keys(map).sort(), TYPES)
    assert.equal(map.people, `${nonet.reference.url}/api/people/`)
  })

  test('reads a record', async () => {
    const person = await open().person(1)
    assert.equal(person.url, `${nonet.reference.url}/api/people/1/`)
    assert.match(person.height, /^\d+ cm$/)
  })

  test('pages through a list', async () => {
    const client = open()
    const first = await client.people()
    const urls: string[] = []
    for (let number = 1; number <= Math.ceil(first.count / first.results.length); number++) {
      const { results, next } = await client.people(number)
      urls.push(...results.map(({ url }: { url: string }) => url))
      assert.equal(next === null, urls.length === first.count)
    }
    assert.equal(new Set(urls).size, first.count)
  })
})

describe('star-wars-api', () => {
  function open() {
    return Object.assign(new StarWarsApi(), { baseUrl: `${nonet.reference.url}/api/` })
  }

  test('reads a record without a trailing slash', async () => {
    const person = await open().get('people', 1)
    assert.equal(person.url, `${nonet.reference.url}/api/people/1/`)
  })

  test('reads several, and one by its own address', async () => {
    const client = open()
    const [first, second] = await client.planets([1, 2])
    assert.notEqual(first.name, second.name)
    assert.deepEqual(await client.get(first.url), first)
  })

  test('reads the root and a schema', async () => {
    const client = open()
    assert.deepEqual(Object.keys(await client.describe()).sort(), TYPES)
    const { properties } = await client.schema('people')
    assert.equal(properties.name.type, 'string')
  })

  test('rejects what is not there', async () => {
    await assert.rejects(open().get('people', 99_999), /404/)
  })
})
