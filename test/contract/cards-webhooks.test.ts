import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { runOnCards } from '../support/cards-rows.ts'
import {
  type DeliveryReceiver,
  openReceiver,
  type ReceivedDelivery,
  until
} from '../support/delivery-receiver.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import { withoutPause } from '../support/pauses.ts'
import { NOT_FOUND, prepare, UNKNOWN, type Workbench } from './cards-objects.ts'
import { type CardsJson, type Site, siteOf } from './cards-site.ts'

const DAY_MS = 24 * 3_600_000
const SECRET = /^[0-9a-f]{64}$/

/** What a receiver of Trello's webhooks computes. */
function trelloSignature({ body }: ReceivedDelivery, callback: string, secret: string): string {
  return createHmac('sha1', secret)
    .update(body + callback)
    .digest('base64')
}

for (const engine of ENGINES) {
  describe(`I-9, webhooks, on ${engine}`, () => {
    let nonet: Nonet<'cards'>
    let site: Site
    let receiver: DeliveryReceiver
    let bench: Workbench
    let paths = 0

    before(async () => {
      receiver = await openReceiver()
      nonet = await start({ services: ['cards'], ...engineOptions(engine) })
      site = siteOf(nonet)
      bench = await prepare(site, 'ada')
    })
    after(async () => {
      await nonet.stop()
      await receiver.close()
    })

    const sql = (text: string) => runOnCards(engine, nonet.folder, text)

    /** A path of the receiver that no other test uses. */
    function newPath(): string {
      paths += 1
      return `/hook-${paths}`
    }

    async function addWebhook(path: string, fields: object = {}, token = bench.token) {
      const body = { idModel: bench.board.id, callbackURL: receiver.url + path, ...fields }
      return site.json('/webhooks', { method: 'POST', token, body })
    }

    const readWebhook = (id: string, token = bench.token): Promise<CardsJson> =>
      site.json(`/webhooks/${id}`, { token })

    /** Lets what waits for its next attempt run now; another job wakes the service. */
    async function runWaiting(): Promise<void> {
      await sql("update outbox set run_at = 0 where state = 'waiting'")
      const wake = newPath()
      const webhook = await addWebhook(wake)
      await bench.newCard({ name: 'Wake' })
      await receiver.arrivals(wake, 1)
      await bench.remove(`/webhooks/${webhook.id}`)
    }

    const actionsOf = (deliveries: readonly ReceivedDelivery[]): CardsJson[] =>
      deliveries.map(({ body }) => JSON.parse(body).action)

    test('are added, read, changed and removed as at Trello', async () => {
      const path = newPath()
      const callbackURL = receiver.url + path
      const { secret, ...added } = await addWebhook(path, { description: 'Build' })
      assert.match(secret, SECRET)
      const [row] = await sql(`select secret from webhooks where id = '${added.id}'`)
      assert.match(JSON.stringify(row), /"secret":"s1\./, 'it is sealed')
      const expected = {
        id: added.id,
        description: 'Build',
        idModel: bench.board.id,
        callbackURL,
        active: true,
        consecutiveFailures: 0,
        firstConsecutiveFailDate: null
      }
      assert.deepEqual(added, expected)
      assert.deepEqual(await readWebhook(added.id), expected)
      assert.deepEqual(await bench.get(`/webhooks/${added.id}?fields=active`), {
        id: added.id,
        active: true
      })
      assert.deepEqual(await bench.get(`/webhooks/${added.id}/callbackurl`), {
        _value: callbackURL
      })
      assert.deepEqual(await bench.get(`/tokens/${bench.token}/webhooks`), [expected])
      const changed = await bench.put(`/tokens/${bench.token}/webhooks/${added.id}`, {
        description: 'Site',
        active: false,
        idModel: bench.list.id
      })
      const wanted = { ...expected, description: 'Site', active: false, idModel: bench.list.id }
      assert.deepEqual(changed, wanted)
      assert.deepEqual(await readWebhook(added.id), wanted)
      assert.deepEqual(await bench.remove(`/webhooks/${added.id}`), { _value: null })
      await bench.rejects([404, NOT_FOUND], 'GET', `/webhooks/${added.id}`)
      assert.deepEqual(await bench.get(`/tokens/${bench.token}/webhooks`), [])
    })

    test('below /tokens they are added and removed for the token of the request', async () => {
      const body = { idModel: bench.board.id, callbackURL: receiver.url + newPath() }
      const added = await bench.post(`/tokens/${bench.token}/webhooks/`, body)
      const other = await site.member('eve')
      for (const [method, path] of [
        ['GET', ''],
        ['POST', ''],
        ['GET', `/${added.id}`],
        ['PUT', `/${added.id}`],
        ['DELETE', `/${added.id}`]
      ] as const) {
        const request = { method, token: other, ...(method !== 'GET' && { body }) }
        const { status, text } = await site.api(`/tokens/${bench.token}/webhooks${path}`, request)
        assert.deepEqual([status, text], [404, NOT_FOUND], `${method} ${path}`)
      }
      const path = `/tokens/${bench.token}/webhooks/${added.id}`
      assert.deepEqual(await bench.remove(path), { _value: null })
    })

    test('belong to their token: another one of the member does not see them', async () => {
      const { id } = await addWebhook(newPath())
      const { secret: token } = await site.token({ flags: { member: 'ada' } })
      assert.deepEqual(await site.json(`/tokens/${token}/webhooks`, { token }), [])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const foreign = await site.api(`/webhooks/${id}`, { method, token })
        const unknown = await site.api(`/webhooks/${UNKNOWN}`, { method, token })
        assert.deepEqual([foreign.status, foreign.text], [404, NOT_FOUND], method)
        assert.deepEqual([unknown.status, unknown.text], [404, NOT_FOUND], method)
      }
      await bench.remove(`/webhooks/${id}`)
    })

    test('a receiver must respond to HEAD with 200', async () => {
      for (const [status, path] of [
        [404, '/head-404'],
        [302, '/head-302'],
        [204, '/head-204']
      ] as const) {
        receiver.statuses[`HEAD ${path}`] = status
        const callbackURL = receiver.url + path
        const sentence = `URL (${callbackURL}) did not return 200 status code, got ${status}`
        const body = { idModel: bench.board.id, callbackURL }
        await bench.rejects([400, sentence], 'POST', '/webhooks', body)
      }
      const { id } = await addWebhook(newPath())
      const callbackURL = `${receiver.url}/head-404`
      const sentence = `URL (${callbackURL}) did not return 200 status code, got 404`
      await bench.rejects([400, sentence], 'PUT', `/webhooks/${id}`, { callbackURL })
      assert.notEqual((await readWebhook(id)).callbackURL, callbackURL)
      await bench.remove(`/webhooks/${id}`)
      assert.deepEqual(await bench.get(`/tokens/${bench.token}/webhooks`), [])
    })

    test('URLs and values that are not possible are rejected', async () => {
      const idModel = bench.board.id
      const urls = [
        undefined,
        '',
        'example.com/hook',
        'ftp://127.0.0.1/hook',
        'http://user:password@127.0.0.1/hook',
        'http://127.0.0.1/hook#part',
        `http://127.0.0.1/${'x'.repeat(2_048)}`,
        { a: 1 }
      ]
      for (const callbackURL of urls) {
        const body = { idModel, callbackURL }
        await bench.rejects([400, 'invalid value for callbackURL'], 'POST', '/webhooks', body)
      }
      const callbackURL = receiver.url + newPath()
      for (const [body, name] of [
        [{ callbackURL }, 'idModel'],
        [{ callbackURL, idModel: 'x' }, 'idModel'],
        [{ callbackURL, idModel, active: 'maybe' }, 'active'],
        [{ callbackURL, idModel, description: 'x'.repeat(1_025) }, 'description'],
        [{ callbackURL, idModel, events: 'publish,deleted' }, 'events']
      ] as const) {
        await bench.rejects([400, `invalid value for ${name}`], 'POST', '/webhooks', body)
      }
      await bench.rejects([404, NOT_FOUND], 'POST', '/webhooks', { callbackURL, idModel: UNKNOWN })
      await bench.rejects([400, 'events needs the idModel of a board'], 'POST', '/webhooks', {
        ...{ callbackURL, idModel: bench.list.id, events: 'publish' }
      })
      assert.deepEqual(await bench.get(`/tokens/${bench.token}/webhooks`), [])
    })

    test('IP addresses of private networks are never called', async () => {
      for (const host of ['10.0.0.1', '169.254.169.254', '[::ffff:192.168.0.1]', '0.0.0.0']) {
        const body = { idModel: bench.board.id, callbackURL: `http://${host}/` }
        const { status, text } = await site.api('/webhooks', {
          ...{ method: 'POST', token: bench.token, body }
        })
        assert.equal(status, 400, host)
        assert.match(text, /could not be reached with HEAD \(ADDRESS_REFUSED\)$/, host)
      }
    })

    test('a request that came through a proxy adds no webhook to this machine', async () => {
      const body = { idModel: bench.board.id, callbackURL: receiver.url + newPath() }
      const headers = { 'x-forwarded-for': '203.0.113.9' }
      const request = { method: 'POST', token: bench.token, body, headers }
      const { status, text } = await site.api('/webhooks', request)
      assert.equal(status, 400)
      assert.match(text, /\(ADDRESS_REFUSED\)$/)
    })

    test('the same URL, model and token are rejected a second time', async () => {
      const path = newPath()
      const { id } = await addWebhook(path)
      const other = await addWebhook(path, { idModel: bench.list.id })
      const sentence = 'A webhook with that callback, model, and token already exists'
      const body = { idModel: bench.board.id, callbackURL: receiver.url + path }
      await bench.rejects([400, sentence], 'POST', '/webhooks', body)
      await bench.rejects([400, sentence], 'PUT', `/webhooks/${other.id}`, body)
      await bench.remove(`/webhooks/${id}`)
      await bench.remove(`/webhooks/${other.id}`)
    })

    test('a token has at most 50', async () => {
      const token = (await site.token({ flags: { member: 'ada' } })).secret
      const path = newPath()
      for (let count = 0; count < 50; count++) {
        await addWebhook(`${path}?${count}`, { active: false }, token)
      }
      const body = { idModel: bench.board.id, callbackURL: receiver.url + path }
      const { status, text } = await site.api('/webhooks', { method: 'POST', token, body })
      assert.deepEqual([status, text], [403, 'A token can have at most 50 webhooks'])
    })

    test('every change arrives in its order, signed, with action and model', async () => {
      const path = newPath()
      const callback = receiver.url + path
      const { id, secret } = await addWebhook(path)
      const card = await bench.newCard({ name: 'Tower', desc: 'Tall – “high”' })
      await bench.put(`/cards/${card.id}`, { name: 'Higher tower' })
      await bench.put(`/boards/${bench.board.id}`, { desc: 'Work' })
      await bench.post(`/cards/${card.id}/actions/comments`, { text: 'Nice' })
      const deliveries = await receiver.arrivals(path, 4)
      const types = ['createCard', 'updateCard', 'updateBoard', 'commentCard']
      assert.deepEqual(
        actionsOf(deliveries).map(({ type }) => type),
        types
      )
      for (const delivery of deliveries) {
        const { headers, body } = delivery
        assert.equal(headers['content-type'], 'application/json')
        assert.equal(headers['x-trello-webhook'], trelloSignature(delivery, callback, secret))
        const [, time = '', hash = ''] =
          /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-nonet-signature'])) ?? []
        assert.ok(Math.abs(Number(time) - Date.now() / 1000) < 60)
        assert.equal(hash, createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
        const { action, model, webhook, ...rest } = JSON.parse(body)
        assert.deepEqual(rest, {})
        assert.deepEqual(action, await bench.get(`/actions/${action.id}`))
        assert.equal(model.id, bench.board.id)
        assert.deepEqual(webhook, await readWebhook(id))
        assert.ok(!body.includes(secret))
      }
      const { model } = JSON.parse(deliveries.at(-1)?.body ?? '')
      assert.deepEqual(model, await bench.get(`/boards/${bench.board.id}`))
      await bench.remove(`/webhooks/${id}`)
    })

    test('a list, a card and the member are watched too', async () => {
      const card = await bench.newCard({ name: 'Watched' })
      const other = await bench.newCard({ name: 'Other' })
      const [ofList, ofDrafts, ofCard, ofMember] = [newPath(), newPath(), newPath(), newPath()]
      const member = await bench.get('/members/me')
      const added = [
        await addWebhook(ofList, { idModel: bench.list.id }),
        await addWebhook(ofDrafts, { idModel: bench.drafts.id }),
        await addWebhook(ofCard, { idModel: card.shortLink }),
        await addWebhook(ofMember, { idModel: member.id })
      ]
      assert.equal(added[2].idModel, card.id)
      await bench.put(`/cards/${card.id}`, { desc: 'One' })
      await bench.put(`/cards/${other.id}`, { desc: 'Two' })
      await bench.put(`/cards/${card.id}`, { idList: bench.drafts.id })
      const [forList, forDrafts, forCard, forMember] = [
        await receiver.arrivals(ofList, 3),
        await receiver.arrivals(ofDrafts, 1),
        await receiver.arrivals(ofCard, 2),
        await receiver.arrivals(ofMember, 3)
      ]
      assert.equal(actionsOf(forDrafts)[0].data.listBefore.id, bench.list.id)
      assert.equal(JSON.parse(forList[0]?.body ?? '').model.name, 'Projects')
      const models = forCard.map(({ body }) => JSON.parse(body).model)
      assert.deepEqual(
        models.map(({ desc, idList }) => [desc, idList]),
        [
          ['One', bench.list.id],
          ['One', bench.drafts.id]
        ]
      )
      assert.equal(models[0].url.startsWith(`${site.url}/c/`), true)
      assert.equal(JSON.parse(forMember[0]?.body ?? '').model.username, 'ada')
      await bench.remove(`/cards/${card.id}`)
      await bench.rejects([404, NOT_FOUND], 'GET', `/webhooks/${added[2].id}`)
      for (const { id } of [added[0], added[1], added[3]]) await bench.remove(`/webhooks/${id}`)
    })

    test('a failed delivery is repeated with the same bytes, and later ones wait', async () => {
      const path = newPath()
      const { id } = await addWebhook(path)
      receiver.statuses[path] = 500
      const first = await bench.newCard({ name: 'First' })
      await bench.newCard({ name: 'Second' })
      await receiver.arrivals(path, 1)
      await until(async () => (await readWebhook(id)).consecutiveFailures === 1, 'a failure')
      const { firstConsecutiveFailDate } = await readWebhook(id)
      assert.ok(Math.abs(Date.parse(firstConsecutiveFailDate) - Date.now()) < 60_000)
      const waits = (await sql(
        "select min(run_at) as time from outbox where state = 'waiting' and attempts = 1"
      )) as { time: number }[]
      const delay = Number(waits[0]?.time) - Date.now()
      assert.ok(delay > 10_000 && delay < 60_000, `the next attempt in ${delay} ms`)
      await runWaiting()
      await until(async () => (await readWebhook(id)).consecutiveFailures === 2, 'another failure')
      assert.equal((await readWebhook(id)).firstConsecutiveFailDate, firstConsecutiveFailDate)
      receiver.statuses[path] = 200
      await runWaiting()
      await until(() => receiver.received(path).length >= 5, 'all deliveries')
      const deliveries = receiver.received(path)
      const [one, two, three] = deliveries
      assert.deepEqual([two?.body, three?.body], [one?.body, one?.body])
      assert.equal(JSON.parse(one?.body ?? '').action.data.card.id, first.id)
      const names = actionsOf(deliveries.slice(3)).map(({ data }) => data.card.name)
      assert.deepEqual(names.slice(0, 2), ['Second', 'Wake'])
      await until(async () => (await readWebhook(id)).consecutiveFailures === 0, 'a success')
      assert.equal((await readWebhook(id)).firstConsecutiveFailDate, null)
      await bench.remove(`/webhooks/${id}`)
    })

    test('a receiver that responds with 410 ends its webhook', async () => {
      const path = newPath()
      const { id } = await addWebhook(path)
      receiver.statuses[path] = 410
      await bench.newCard()
      await receiver.arrivals(path, 1)
      const isGone = async () =>
        (await site.api(`/webhooks/${id}`, { token: bench.token })).status === 404
      await until(isGone, 'the end of the webhook')
      await bench.newCard()
      await runWaiting()
      assert.equal(receiver.received(path).length, 1)
    })

    test('a thousand errors within thirty days disable it, and the owner activates it', async () => {
      const path = newPath()
      const { id } = await addWebhook(path)
      receiver.statuses[path] = 503
      const set = (failures: number, days: number) =>
        sql(`update webhooks set consecutive_failures = ${failures}, first_failure_at =
          '${new Date(Date.now() - days * DAY_MS).toISOString()}' where id = '${id}'`)
      await set(998, 31)
      await bench.newCard()
      await until(async () => (await readWebhook(id)).consecutiveFailures === 999, 'the error 999')
      assert.equal((await readWebhook(id)).active, true)
      await set(5_000, 29)
      await runWaiting()
      await until(async () => (await readWebhook(id)).consecutiveFailures === 5_001, 'one more')
      assert.equal((await readWebhook(id)).active, true)
      await set(999, 31)
      await runWaiting()
      await until(async () => (await readWebhook(id)).active === false, 'its end')
      assert.equal((await readWebhook(id)).consecutiveFailures, 1_000)
      const sent = receiver.received(path).length
      await runWaiting()
      assert.equal(receiver.received(path).length, sent)
      const waits = `select id from outbox where lane = 'webhook:${id}' and state = 'waiting'`
      await until(async () => (await sql(waits)).length === 0, 'the end of what waits')
      receiver.statuses[path] = 200
      const again = await bench.put(`/webhooks/${id}`, { active: true })
      assert.deepEqual([again.consecutiveFailures, again.firstConsecutiveFailDate], [0, null])
      await bench.newCard({ name: 'Again' })
      await receiver.arrivals(path, sent + 1)
      await bench.remove(`/webhooks/${id}`)
    })

    test('nothing is sent to webhooks that are not active or are removed', async () => {
      const [inactive, removed] = [newPath(), newPath()]
      await addWebhook(inactive, { active: false })
      const { id } = await addWebhook(removed)
      receiver.statuses[removed] = 500
      await bench.newCard()
      await receiver.arrivals(removed, 1)
      await until(async () => (await readWebhook(id)).consecutiveFailures === 1, 'a failure')
      receiver.statuses[removed] = 200
      await bench.remove(`/webhooks/${id}`)
      await runWaiting()
      assert.equal(receiver.received(removed).length, 1)
      assert.equal(receiver.received(inactive).length, 0)
    })

    test('nothing is sent for a token that is revoked, not even what waits', async () => {
      for (const end of ['console', 'client']) {
        const path = newPath()
        const { id: tokenId, secret: token } = await site.token({ flags: { member: 'ada' } })
        const { id } = await addWebhook(path, {}, token)
        receiver.statuses[path] = 500
        await bench.newCard()
        await receiver.arrivals(path, 1)
        await until(async () => (await readWebhook(id, token)).consecutiveFailures === 1, 'it')
        receiver.statuses[path] = 200
        if (end === 'console') await site.revoke(tokenId)
        else await site.json(`/tokens/${token}`, { method: 'DELETE', token })
        await bench.newCard()
        await runWaiting()
        const isGone = async () =>
          (await sql(`select id from webhooks where id = '${id}'`)).length === 0
        await until(isGone, 'the end of the webhook')
        await runWaiting()
        assert.equal(receiver.received(path).length, 1, end)
      }
    })

    test('nothing is sent for a token that has expired', async () => {
      const path = newPath()
      const expires = new Date(Date.now() + 4_000).toISOString()
      const { secret: token } = await site.token({ flags: { member: 'ada' }, expires })
      const { id } = await addWebhook(path, {}, token)
      await until(async () => (await site.api('/members/me', { token })).status === 401, 'its end')
      await bench.newCard()
      const isGone = async () =>
        (await sql(`select id from webhooks where id = '${id}'`)).length === 0
      await until(isGone, 'the end of the webhook')
      assert.equal(receiver.received(path).length, 0)
    })

    test('nothing is sent about a board that the token does not see', async () => {
      const path = newPath()
      const member = newPath()
      const flags = { member: 'ada', board: bench.board.id }
      const { secret: token } = await site.token({ flags })
      const card = await bench.newCard({ name: 'Leaving' })
      const ofCard = await addWebhook(path, { idModel: card.id }, token)
      const me = await site.json('/members/me', { token })
      const ofMember = await addWebhook(member, { idModel: me.id }, token)
      const elsewhere = await bench.post('/boards', { name: 'Elsewhere' })
      const [list] = await bench.get(`/boards/${elsewhere.id}/lists`)
      await bench.put(`/cards/${card.id}`, { idBoard: elsewhere.id, idList: list.id })
      await bench.put(`/cards/${card.id}`, { desc: 'Secret' })
      await bench.put(`/boards/${bench.board.id}`, { desc: 'Seen' })
      const [seen] = await receiver.arrivals(member, 1)
      assert.equal(actionsOf(seen === undefined ? [] : [seen])[0].type, 'updateBoard')
      const isOff = async () => (await readWebhook(ofCard.id, token)).active === false
      await until(isOff, 'the end of the webhook')
      assert.equal((await readWebhook(ofMember.id, token)).active, true)
      assert.equal(receiver.received(path).length, 0)
      assert.equal(receiver.received(member).length, 1)
      await site.json(`/webhooks/${ofMember.id}`, { method: 'DELETE', token })
    })

    test('a board that is deleted takes its webhooks and what waits with it', async () => {
      const [ofBoard, ofCard] = [newPath(), newPath()]
      const board = await bench.post('/boards', { name: 'Short' })
      const [list] = await bench.get(`/boards/${board.id}/lists`)
      const card = await bench.post('/cards', { idList: list.id, name: 'One' })
      const added = [
        await addWebhook(ofBoard, { idModel: board.id }),
        await addWebhook(ofCard, { idModel: card.id })
      ]
      receiver.statuses[ofBoard] = 500
      receiver.statuses[ofCard] = 500
      await bench.put(`/cards/${card.id}`, { name: 'Two' })
      await receiver.arrivals(ofBoard, 1)
      await receiver.arrivals(ofCard, 1)
      for (const { id } of added) {
        await until(async () => (await readWebhook(id)).consecutiveFailures === 1, 'a failure')
      }
      await bench.remove(`/boards/${board.id}`)
      for (const { id } of added) await bench.rejects([404, NOT_FOUND], 'GET', `/webhooks/${id}`)
      await runWaiting()
      await receiver.arrivals(ofBoard, 1)
      await receiver.arrivals(ofCard, 1)
    })

    test('an event with very long texts arrives with shorter ones', async () => {
      const path = newPath()
      const card = await bench.newCard({ desc: '\u0001'.repeat(16_000) })
      const { id } = await addWebhook(path, { idModel: card.id })
      await bench.put(`/cards/${card.id}`, { desc: '\u0002'.repeat(16_000) })
      const [delivery] = await receiver.arrivals(path, 1)
      assert.ok(Buffer.byteLength(delivery?.body ?? '') <= 100 * 1024)
      const { model, action, truncated } = JSON.parse(delivery?.body ?? '')
      assert.deepEqual([model.id, action.type, truncated], [card.id, 'updateCard', true])
      assert.ok('\u0002'.repeat(16_000).startsWith(model.desc) && model.desc.length >= 500)
      await bench.remove(`/webhooks/${id}`)
    })

    test('with events it tells what is published, once for changes that belong together', () =>
      withoutPause(1_500, async () => {
        const path = newPath()
        const { secret, ...added } = await addWebhook(path, { events: 'unpublish,publish' })
        assert.match(secret, /^whsec_[\w+/]{43}=$/)
        assert.deepEqual(added.events, ['publish', 'unpublish'])
        assert.deepEqual(await readWebhook(added.id), added)
        const draft = await bench.newCard({ name: 'Draft', idList: bench.drafts.id })
        const cards = [await bench.newCard({ name: 'One' }), await bench.newCard({ name: 'Two' })]
        const [delivery] = await receiver.arrivals(path, 1)
        assert.ok(delivery !== undefined)
        const { headers, body } = delivery
        const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']]
        const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
        const hash = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
        assert.equal(headers['webhook-signature'], `v1,${hash}`)
        const { type, data } = JSON.parse(body)
        assert.deepEqual([type, data.board.id], ['publish', bench.board.id])
        assert.deepEqual(
          data.published.map((card: CardsJson) => card.id),
          cards.map((card) => card.id)
        )
        assert.ok(!body.includes(draft.id))
        const changed = await bench.put(`/webhooks/${added.id}`, { events: 'update' })
        assert.deepEqual(changed.events, ['update'])
        await bench.remove(`/webhooks/${added.id}`)
        const { id: plain } = await addWebhook(path)
        const sentence = 'events is only for webhooks that were added with it'
        await bench.rejects([400, sentence], 'PUT', `/webhooks/${plain}`, { events: 'publish' })
        await bench.remove(`/webhooks/${plain}`)
      }))

    test('a webhook that leads to the API itself changes nothing', async () => {
      const callbackURL = `${site.url}/1/boards/${bench.board.id}/lists?name=Again&token=${bench.token}`
      const { id } = await bench.post('/webhooks', { idModel: bench.board.id, callbackURL })
      const lists = await bench.get(`/boards/${bench.board.id}/lists`)
      await bench.newCard()
      await until(async () => (await readWebhook(id)).consecutiveFailures === 1, 'the rejection')
      assert.deepEqual(await bench.get(`/boards/${bench.board.id}/lists`), lists)
      await bench.remove(`/webhooks/${id}`)
    })
  })
}

test('I-9, the secret of the settings signs deliveries, and no response shows one', async () => {
  await using receiver = await openReceiver()
  await using nonet = await start({ services: ['cards'], cards: { webhookSecret: 's3cret' } })
  const site = siteOf(nonet)
  const bench = await prepare(site, 'ada')
  const callbackURL = `${receiver.url}/hook`
  const added = await bench.post('/webhooks', { idModel: bench.board.id, callbackURL })
  assert.equal(added.secret, undefined)
  await bench.newCard()
  const [delivery] = await receiver.arrivals('/hook', 1)
  assert.ok(delivery !== undefined)
  assert.equal(
    delivery.headers['x-trello-webhook'],
    trelloSignature(delivery, callbackURL, 's3cret')
  )
})

test('I-9, webhooks do not lead to this machine while others can reach the service', async () => {
  await using receiver = await openReceiver()
  await using nonet = await start({ services: ['cards'], trustedProxy: ['127.0.0.1'] })
  const site = siteOf(nonet)
  const bench = await prepare(site, 'ada')
  const body = { idModel: bench.board.id, callbackURL: `${receiver.url}/hook` }
  const { status, text } = await site.api('/webhooks', {
    ...{ method: 'POST', token: bench.token, body }
  })
  assert.equal(status, 400)
  assert.match(text, /\(ADDRESS_REFUSED\)$/)
})
