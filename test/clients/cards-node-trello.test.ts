/** node-trello 1.3.0, unmodified, with nothing changed but its `host`. */
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { PIXEL } from '../contract/statuses-site.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { temporaryFolder } from '../support/launcher.ts'

const Trello = createRequire(import.meta.url)('node-trello')

interface Stored {
  id: string
  name: string
  [field: string]: unknown
}

type Call = <T = Stored>(path: string, fields?: object) => Promise<T>
type Calls = Readonly<Record<'get' | 'post' | 'put' | 'del', Call>>

for (const engine of ENGINES) {
  describe(`node-trello, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let calls: Calls
    let board: Stored
    let list: Stored
    let card: Stored

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      calls = open(await site.member('ada'))
    })
    after(() => nonet.stop())

    /** Its methods with promises instead of callbacks. */
    function open(token: string): Calls {
      const client = new Trello('k', token)
      client.host = nonet.cards.url
      const call = (name: keyof Calls): Call => {
        const send = promisify(client[name].bind(client))
        return async (path, fields = {}) => parsed(await send(path, fields))
      }
      return { get: call('get'), post: call('post'), put: call('put'), del: call('del') }
    }

    test('makes and changes a board, lists, labels and cards; the token is in the body', async () => {
      const { get, post, put, del } = calls
      board = await post('/1/boards', { name: 'Portfolio', defaultLists: false })
      list = await post('/1/lists', { name: 'Published', idBoard: board.id })
      const label = await post('/1/labels', { idBoard: board.id, name: 'Web', color: 'sky' })
      card = await post('/1/cards', { idList: list.id, name: 'Bridge', idLabels: [label.id] })
      await put(`/1/cards/${card.id}`, { desc: 'Line\nbreak', due: null })
      const read = await get(`/1/cards/${card.id}?fields=name,desc,idLabels`)
      const { desc, idLabels } = read
      assert.deepEqual(read, { id: card.id, name: 'Bridge', desc, idLabels })
      assert.deepEqual([desc, idLabels], ['Line\nbreak', [label.id]])
      assert.deepEqual(await del(`/1/cards/${card.id}/idLabels/${label.id}`), { _value: null })
      const lists = await get<Stored[]>(`/1/boards/${board.id}/lists`)
      assert.deepEqual(
        lists.map(({ name }) => name),
        ['Published']
      )
      const cards = await get<Stored[]>(`/1/lists/${list.id}/cards`, { fields: 'name' })
      assert.deepEqual(cards, [{ id: card.id, name: 'Bridge' }])
    })

    test('uploads a file after the fields of a form, and adds a link', async () => {
      using folder = temporaryFolder()
      const file = join(folder.path, 'view.png')
      await writeFile(file, PIXEL)
      const path = `/1/cards/${card.id}/attachments`
      const made = await calls.post(path, { attachment: createReadStream(file) })
      assert.deepEqual([made.name, made.isUpload, made.bytes], ['view.png', true, PIXEL.length])
      const url = 'https://example.org/page'
      const link = await calls.post(path, { attachment: url })
      assert.deepEqual([link.url, link.isUpload], [url, false])
      const all = await calls.get<Stored[]>(path)
      assert.deepEqual(
        all.map(({ id }) => id),
        [made.id, link.id]
      )
      assert.deepEqual(await calls.del(`${path}/${link.id}`), { limits: {} })
    })

    test('custom fields, comments, checklists, the search, the member and a batch', async () => {
      const { get, post, put } = calls
      const field = await post('/1/customFields', {
        idModel: board.id,
        modelType: 'board',
        name: 'URL',
        type: 'text',
        pos: 'bottom'
      })
      const item = { value: { text: 'https://example.org' } }
      await put(`/1/cards/${card.id}/customField/${field.id}/item`, item)
      const [found] = await get<Stored[]>(`/1/cards/${card.id}/customFieldItems`)
      assert.deepEqual(found?.value, item.value)
      await post(`/1/cards/${card.id}/actions/comments`, { text: 'Nice' })
      const [action] = await get<Stored[]>(`/1/cards/${card.id}/actions`)
      assert.equal(action?.type, 'commentCard')
      const checklist = await post(`/1/cards/${card.id}/checklists`, { name: 'Steps' })
      await post(`/1/checklists/${checklist.id}/checkItems`, { name: 'One' })
      const items = await get<Stored[]>(`/1/checklists/${checklist.id}/checkItems`)
      assert.equal(items.length, 1)
      const { cards } = await get<{ cards: Stored[] }>('/1/search', {
        query: 'bridge',
        idBoards: board.id
      })
      assert.deepEqual(
        cards.map(({ id }) => id),
        [card.id]
      )
      assert.equal((await get('/1/members/me')).username, 'ada')
      const batch = await get('/1/batch', { urls: `/cards/${card.id}/name,/members/me/username` })
      assert.deepEqual(batch, [{ '200': { _value: 'Bridge' } }, { '200': { _value: 'ada' } }])
    })

    test('errors are the text of the response', async () => {
      await assert.rejects(calls.get('/1/cards/zzz'), { message: 'invalid id', statusCode: 400 })
      const unknown = { message: 'The requested resource was not found.', statusCode: 404 }
      const other = open(await site.member('bob'))
      await assert.rejects(other.put(`/1/cards/${card.id}`, { name: 'Mine' }), unknown)
      await assert.rejects(other.del(`/1/boards/${board.id}`), unknown)
      const bad = open('0'.repeat(64)).post('/1/boards', { name: 'x' })
      await assert.rejects(bad, { message: 'invalid token', statusCode: 401 })
    })

    test('deletes with a body', async () => {
      assert.deepEqual(await calls.del(`/1/cards/${card.id}`), { limits: {} })
      assert.deepEqual(await calls.get(`/1/boards/${board.id}/cards`), [])
    })
  })
}

/** Responses to its uploads are text. */
function parsed<T>(body: T | string): T {
  return typeof body === 'string' ? JSON.parse(body) : body
}
