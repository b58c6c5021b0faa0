/** Webhooks by four clients of Trello, and deliveries that standardwebhooks 1.1.1 verifies. */
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { createRequire } from 'node:module'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { createTrelloClient } from 'trello.js'
import type { Models } from 'trello.js-1'
import { type Nonet, start } from '../../src/host/start.ts'
import { prepare, type Workbench } from '../contract/cards-objects.ts'
import { type CardsJson, siteOf } from '../contract/cards-site.ts'
import { type DeliveryReceiver, openReceiver } from '../support/delivery-receiver.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'

const require = createRequire(import.meta.url)
const Trello = require('trello')
const NodeTrello = require('node-trello')
const { TrelloClient }: typeof import('trello.js-1') = require('trello.js-1')

for (const engine of ENGINES) {
  describe(`webhooks of clients, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let receiver: DeliveryReceiver
    let bench: Workbench
    let idModel: string

    before(async () => {
      receiver = await openReceiver()
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      bench = await prepare(siteOf(nonet), 'ada')
      idModel = bench.board.id
    })
    after(async () => {
      await nonet.stop()
      await receiver.close()
    })

    const count = async () => (await bench.get(`/tokens/${bench.token}/webhooks`)).length

    test('trello adds one that is called, and deletes it', async () => {
      const client = new Trello('k', bench.token)
      client.uri = nonet.cards.url
      const callbackURL = `${receiver.url}/trello`
      const added = await client.addWebhook('Build', callbackURL, idModel)
      assert.deepEqual([added.description, added.callbackURL], ['Build', callbackURL])
      const card = await client.addCard('Bridge', '', bench.list.id)
      const [delivery] = await receiver.arrivals('/trello', 1)
      assert.ok(delivery !== undefined)
      const { action, model } = JSON.parse(delivery.body)
      assert.deepEqual(
        [action.type, action.data.card.id, model.id],
        ['createCard', card.id, idModel]
      )
      // As the documentation of Trello says it.
      const hash = createHmac('sha1', added.secret).update(delivery.body + callbackURL)
      assert.equal(delivery.headers['x-trello-webhook'], hash.digest('base64'))
      assert.deepEqual(await client.deleteWebhook(added.id), { _value: null })
      assert.equal(await count(), 0)
      const dead = client.addWebhook('Build', 'http://127.0.0.1:9/', idModel)
      await assert.rejects(dead, /^Error: URL \(http:\/\/127.0.0.1:9\/\) could not be reached/)
    })

    test('trello.js 2 adds, reads, changes and deletes', async () => {
      const client = createTrelloClient({
        ...{ host: `${nonet.cards.url}/1`, apiKey: 'k', apiToken: bench.token }
      })
      const callbackURL = `${receiver.url}/trello-js-2`
      const added = await client.webhooks.createWebhook({ callbackURL, idModel, active: false })
      assert.deepEqual([added.active, added.idModel], [false, idModel])
      const { id } = added
      const changed = await client.webhooks.updateWebhook({ id, description: 'Site' })
      assert.equal(changed.description, 'Site')
      assert.equal((await client.webhooks.getWebhook({ id })).firstConsecutiveFailDate, null)
      const token = bench.token
      const [listed] = await client.tokens.getTokenWebhooks({ token })
      assert.equal(listed?.id, id)
      await client.tokens.deleteTokenWebhook({ token, idWebhook: id })
      await assert.rejects(client.webhooks.getWebhook({ id }), /404 Not Found/)
      const other = await client.tokens.createTokenWebhook({ token, callbackURL, idModel })
      await client.webhooks.deleteWebhook({ id: other.id })
      assert.equal(await count(), 0)
    })

    test('trello.js 1 adds, reads and deletes', async () => {
      const client = new TrelloClient({ key: 'k', token: bench.token })
      // biome-ignore lint/complexity/useLiteralKeys: the field is private in its types
      client['instance'].defaults.baseURL = `${nonet.cards.url}/1`
      const callbackURL = `${receiver.url}/trello-js-1`
      const { id = '' } = await client.webhooks.createWebhook({ callbackURL, idModel })
      const read = await client.webhooks.getWebhook<Models.Webhook>({ id })
      assert.deepEqual([read.callbackURL, read.active], [callbackURL, true])
      await client.webhooks.deleteWebhook({ id })
      assert.equal(await count(), 0)
    })

    test('node-trello adds and deletes by path', async () => {
      const client = new NodeTrello('k', bench.token)
      client.host = nonet.cards.url
      const post = promisify(client.post.bind(client))
      const callbackURL = `${receiver.url}/node-trello`
      const added = await post('/1/webhooks', { callbackURL, idModel, description: 'x' })
      assert.equal(added.callbackURL, callbackURL)
      const remove = promisify(client.del.bind(client))
      assert.deepEqual(await remove(`/1/webhooks/${added.id}`), { _value: null })
      assert.equal(await count(), 0)
    })

    test('standardwebhooks verifies an event of publication, and no other', async () => {
      const callbackURL = `${receiver.url}/standard`
      const body = { callbackURL, idModel, events: 'publish' }
      const { secret, id } = await bench.post('/webhooks', body)
      const card = await bench.newCard({ name: 'River bridge' })
      const [delivery] = await receiver.arrivals('/standard', 1)
      assert.ok(delivery !== undefined)
      const headers = Object.fromEntries(
        Object.entries(delivery.headers).map(([name, value]) => [name, String(value)])
      )
      const verifier = new Webhook(secret)
      const { type, data } = verifier.verify(delivery.body, headers) as CardsJson
      assert.deepEqual([type, data.published[0].id], ['publish', card.id])
      assert.throws(() => verifier.verify(`${delivery.body} `, headers), /No matching signature/)
      const other = new Webhook(`whsec_${Buffer.alloc(32).toString('base64')}`)
      assert.throws(() => other.verify(delivery.body, headers), /No matching signature/)
      await bench.remove(`/webhooks/${id}`)
    })
  })
}
