/** What a workspace has acknowledged is there after a kill -9, on every engine. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { bearer, talkTo } from '../contract/scenarios-scene.ts'
import { EFFORT, scaled } from '../support/effort.ts'
import { ENGINES, temporaryDatabase } from '../support/engines.ts'
import { launchNonet, temporaryFolder } from '../support/launcher.ts'

const ROUNDS = { sqlite: 2 * EFFORT, postgres: scaled(1, 2) }
const WRITES = 60
const WRITERS = 8

describe('a kill in the middle of writing', { timeout: 300_000 }, () => {
  for (const engine of ENGINES) {
    test(`loses nothing that was acknowledged, on ${engine}`, async (t) => {
      using folder = temporaryFolder()
      await using database = engine === 'postgres' ? await temporaryDatabase() : undefined
      const place = database === undefined ? [] : ['--database', database.url]
      const launch = () => launchNonet(['scenarios', '--quiet', '--data', folder.path, ...place])
      const acknowledged = new Map<number, string>()
      let token = ''
      const rounds = ROUNDS[engine]
      for (let round = 0; round < rounds; round++) {
        const nonet = await launch()
        const { ask, get } = talkTo(nonet.ready.services.scenarios ?? '')
        if (round === 0) {
          const person = { email: 'kept@example.org', password: 'x' }
          token = (await get('POST /w/kill/api/register', person)).token
        }
        const write = async (writer: number): Promise<void> => {
          for (let n = 0; ; n++) {
            const name = `${round}-${writer}-${n}`
            const answer = await ask('POST /w/kill/api/users', { name }).catch(() => undefined)
            if (answer === undefined) return
            assert.equal(answer.status, 201)
            acknowledged.set(Number(JSON.parse(answer.text).id), name)
          }
        }
        const before = acknowledged.size
        const writing = Array.from({ length: WRITERS }, (_, writer) => write(writer))
        while (acknowledged.size < before + WRITES) await get('GET /api/users')
        await nonet.end('SIGKILL')
        await Promise.all(writing)
      }
      await using nonet = await launch()
      const { get } = talkTo(nonet.ready.services.scenarios ?? '')
      const found = new Map<number, string>()
      for (let page = 1, pages = 1; page <= pages; page++) {
        const list = await get(`GET /w/kill/api/users?per_page=100&page=${page}`)
        for (const { id, name } of list.data) found.set(id, name)
        pages = list.total_pages
      }
      for (const [id, name] of acknowledged) assert.equal(found.get(id), name)
      const me = await get('GET /w/kill/api/me', undefined, bearer(token))
      assert.equal(me.data.email, 'kept@example.org')
      t.diagnostic(`${acknowledged.size} writes acknowledged in ${rounds} rounds, all there`)
    })
  }
})
