/**
 * How static sites read boards: gatsby-source-trello 1.0.10, unmodified, and requests of tutorials.
 * The plugin has no setting for its host: what it sends to api.trello.com by `node:https` is sent
 * to the service, as with an entry of a hosts file and a certificate.
 */
import assert from 'node:assert/strict'
import { request } from 'node:http'
import https, { type RequestOptions } from 'node:https'
import { createRequire } from 'node:module'
import { after, before, describe, type TestContext, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { type Site, siteOf } from '../contract/cards-site.ts'
import { buildWorld, type World } from '../support/cards-world.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const { sourceNodes } = createRequire(import.meta.url)('gatsby-source-trello/gatsby-node.js')

interface Node {
  id: string
  name: string
  internal: { type: string; content?: string; mediaType?: string; contentDigest: string }
  [field: string]: unknown
}

for (const engine of ENGINES) {
  describe(`boards in site generators, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let token: string
    let world: World
    const BRIDGE = 'A *bridge* of stone'

    before(async () => {
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      token = await site.member('ada')
      world = await buildWorld(site, token)
      const { card, textField, field, option } = world
      await site.json(`/cards/${card}`, { method: 'PUT', token, body: { desc: BRIDGE } })
      const customFieldItems = [
        { idCustomField: textField, value: { text: 'Ada & co' } },
        { idCustomField: field, idValue: option }
      ]
      const items = { method: 'PUT', token, body: { customFieldItems } }
      await site.json(`/cards/${card}/customFields`, items)
    })
    after(() => nonet.stop())

    function redirectTrello(t: TestContext): void {
      const { hostname, port } = new URL(nonet.cards.url)
      t.mock.method(https, 'request', ({ agent: _, ...options }: RequestOptions) => {
        assert.equal(options.host, 'api.trello.com')
        const target = { protocol: 'http:', host: hostname, hostname, port }
        return request({ ...options, ...target })
      })
    }

    test('gatsby-source-trello creates a node of every board, list and card', async (t) => {
      redirectTrello(t)
      const nodes: Node[] = []
      const boundActionCreators = { createNode: (node: Node) => nodes.push(node) }
      const options = { apiKey: 'k', secret: token, teamId: world.organization }
      await sourceNodes({ boundActionCreators }, options)
      const ofType = (type: string) => nodes.filter(({ internal }) => internal.type === type)
      const [board] = ofType('TrelloBoard').filter(({ id }) => id === world.board)
      assert.equal(board?.name, 'Work')
      assert.ok(Array.isArray(board.lists___NODE) && board.lists___NODE.includes(world.list))
      const cards = ofType('TrelloCard')
      const bridge = cards.find(({ id }) => id === world.card)
      assert.equal(bridge?.internal.content, BRIDGE)
      assert.equal(bridge.internal.mediaType, 'text/markdown')
      assert.match(bridge.internal.contentDigest, /^[0-9a-f]{32}$/)
      assert.ok(Array.isArray(bridge.attachments) && bridge.attachments.length === 1)
      assert.equal(bridge.attachments[0].id, world.attachment)
      const items = bridge.customFieldItems
      assert.ok(Array.isArray(items))
      assert.deepEqual(
        items.map(({ value, idValue }) => value ?? idValue).toSorted(),
        [world.option, { text: 'Ada & co' }].toSorted()
      )
      const published = ofType('TrelloList').find(({ id }) => id === world.list)
      const owned = published?.cards___NODE
      assert.ok(Array.isArray(owned) && owned.includes(world.card))
      assert.ok(!owned.includes(world.draft))
      assert.equal(cards.find(({ id }) => id === world.draft)?.name, 'Secret')
    })

    test('Husky reads the cards of a list, with an empty name among the fields', async () => {
      const fields = 'desc,descData,labels,name,pos,url,idAttachmentCover,dateLastActivity,'
      const more = 'attachments=true&members=true&customFieldItems=true'
      const query = `key=k&token=${token}&fields=${fields}&${more}`
      const cards: Node[] = await site.json(`/lists/${world.list}/cards?${query}`)
      const bridge = cards.find(({ id }) => id === world.card)
      const wanted = ['id', ...fields.split(',').filter((name) => name !== '')]
      assert.deepEqual(
        Object.keys(bridge ?? {}).toSorted(),
        [...wanted, 'attachments', 'members', 'customFieldItems'].toSorted()
      )
      assert.equal(bridge?.idAttachmentCover, world.attachment)
      assert.ok(Array.isArray(bridge.customFieldItems) && bridge.customFieldItems.length === 2)
    })

    test('a portfolio page reads cards and the names of custom fields', async () => {
      const auth = `key=k&token=${token}`
      const path = `/boards/${world.board}`
      const nested = 'attachments=true&customFieldItems=true'
      const cards: Node[] = await site.json(`${path}/cards?${nested}&${auth}`)
      const fields: Node[] = await site.json(`${path}/customFields?${auth}`)
      const bridge = cards.find(({ id }) => id === world.card)
      const items = bridge?.customFieldItems
      assert.ok(Array.isArray(items))
      const values = items.map(({ idCustomField, value, idValue }) => {
        const field = fields.find(({ id }) => id === idCustomField)
        const options = Array.isArray(field?.options) ? field.options : []
        const option = options.find(({ id }) => id === idValue)
        return [field?.name, value?.text ?? option?.value.text]
      })
      assert.deepEqual(values.toSorted(), [
        ['Client', 'Ada & co'],
        ['Size', 'Large']
      ])
    })

    test('11ty reads <board url>.json of a public board without a token, and no drafts', async () => {
      const { url } = await site.json(`/boards/${world.board}`, { token })
      const closed = await fetch(`${url}.json`)
      assert.equal(closed.status, 404, 'the board is private')
      await site.json(`/boards/${world.board}`, {
        method: 'PUT',
        token,
        body: { 'prefs/permissionLevel': 'public' }
      })
      const links = [`${url}.json`, `${nonet.cards.url}/b/${world.boardLink}.json`]
      for (const link of links) {
        const response = await fetch(link)
        assert.equal(response.status, 200, link)
        const board = await response.json()
        const shown: Node[] = board.cards.filter(
          (card: Node) => card.idList === world.list && card.closed === false
        )
        const bridge = shown.find(({ id }) => id === world.card)
        assert.deepEqual([bridge?.name, bridge?.desc], ['Bridge', BRIDGE])
        const [image] = Array.isArray(bridge?.attachments) ? bridge.attachments : []
        const picture = await fetch(image.url)
        assert.equal(picture.status, 200, 'an image of a public board needs no token')
        assert.doesNotMatch(JSON.stringify(board), /Secret|Drafts/)
      }
    })
  })
}
