/** What the public and holders of limited credentials must not learn or break. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentBoard, titles } from './cards-content-board.ts'
import { type CardsJson, sites } from './cards-site.ts'

const NAMES = Array.from({ length: 3000 }, (_, index) => `a${index % 7}`).join(',')

sites('Privacy and limits of cards', {}, (site) => {
  test('attachments name their member to members only', async () => {
    const board = await contentBoard(site(), 'Named')
    const { token, key } = board
    const card = await board.add({ name: 'Shown' })
    const { id, idMember } = await board.addImage(card.id)
    const paths = [
      `/cards/${card.id}/attachments`,
      `/cards/${card.id}/attachments/${id}`,
      `/cards/${card.id}?attachments=true&members=true`,
      `/boards/${board.id}?fields=all&cards=all&card_attachments=true&members=all`
    ]
    assert.match(idMember, /^[0-9a-f]{24}$/)
    for (const path of paths) {
      assert.equal((await site().api(path, { token })).text.includes(idMember), true, path)
      const { status, text } = await site().api(path, { token: key })
      assert.deepEqual([status, text.includes(idMember)], [200, false], path)
      assert.equal(text.includes(id), true, path)
    }
  })

  test('a preview of one card opens no feed of the others, and ends with the board', async () => {
    const board = await contentBoard(site(), 'Previews')
    await board.add({ name: 'Not for this preview' })
    const draft = await board.add({ name: 'Preview me', idList: board.lists.draft })
    await board.addImage(draft.id)
    const create = async (body: object): Promise<string> => {
      const path = `/content/${board.slug}/preview-tokens`
      const { text } = await site().ask(path, { method: 'POST', body, token: board.token })
      return JSON.parse(text).token
    }
    const [ofCard, ofBoard] = [await create({ card: draft.id }), await create({})]
    for (const path of ['/feed.json', '/feed.xml']) {
      assert.equal((await board.read(path, ofCard)).status, 404, path)
      assert.equal((await board.read(path, ofBoard)).status, 200, path)
    }
    const [{ images }] = (await board.readJson('/cards', ofCard)).cards
    const image = images[0].url.slice(site().url.length)
    assert.equal((await site().ask(image)).status, 200)

    const close = (closed: boolean) =>
      site().json(`/boards/${board.id}`, { method: 'PUT', body: { closed }, token: board.token })
    const statuses = async () => {
      const found: number[] = []
      for (const token of [ofCard, ofBoard, board.key]) {
        for (const path of ['', '/cards', `/cards/${draft.id}`, '/openapi.json']) {
          found.push((await board.read(path, token)).status)
        }
      }
      return [...found, (await site().ask(image)).status]
    }
    const open = [200, 200, 200, 200]
    assert.deepEqual(await statuses(), [...open, ...open, 200, 200, 404, 200, 200])
    await close(true)
    assert.deepEqual(await statuses(), Array(13).fill(404))
    await close(false)
    assert.deepEqual(titles(await board.readJson('/cards', ofCard)), ['Preview me'])
    await site().json(`/boards/${board.id}`, { method: 'DELETE', token: board.token })
    assert.deepEqual(await statuses(), Array(13).fill(404))
  })

  test('long lists of types and names are no errors of the server', async () => {
    const board = await contentBoard(site(), 'Many types')
    const card = await board.add({ name: 'One' })
    const paths = [
      `/boards/${board.id}/actions?filter=${NAMES}`,
      `/cards/${card.id}/actions?filter=${NAMES}`,
      `/cards/${card.id}?actions=${NAMES}`,
      `/boards/${board.id}?actions=${NAMES}`,
      `/boards/${board.id}/cards?fields=${NAMES}`
    ]
    for (const path of paths) {
      const { status } = await site().api(path, { token: board.token })
      assert.equal(status, 200, path.slice(0, 60))
    }
    const many = Array.from({ length: 600 }, (_, index) => `type${index}`).join(',')
    const { status, text } = await site().api(`/boards/${board.id}/actions?filter=${many}`, {
      token: board.token
    })
    assert.deepEqual([status, text], [400, 'invalid value for filter'])
  })

  test('names of JavaScript are no colours, and years have four digits', async () => {
    const board = await contentBoard(site(), 'Values')
    const { id } = await board.add({ name: 'One' })
    const put = (path: string, body: object) =>
      site().api(path, { method: 'PUT', body, token: board.token })
    for (const background of ['__proto__', 'constructor', 'blue']) {
      const { text } = await put(`/boards/${board.id}`, { 'prefs/background': background })
      assert.equal(JSON.parse(text).prefs.backgroundColor, '#0079BF', background)
    }
    for (const due of ['9999-12-31 23:59 -23:59', '0000-01-01 00:00 +23:59']) {
      const { status, text } = await put(`/cards/${id}`, { due })
      assert.deepEqual([status, text], [400, 'invalid value for due'], due)
      const value = { value: { date: due } }
      const path = `/cards/${id}/customField/${board.fields.completed}/item`
      assert.equal((await put(path, value)).status, 400, due)
    }
  })

  test('a copy with a file has no more attachments than a card may have', async () => {
    const board = await contentBoard(site(), 'Copies')
    const { id } = await board.add({ name: 'Full' })
    for (let count = 0; count < 50; count++) {
      const body = { url: `https://example.org/${count}` }
      await site().json(`/cards/${id}/attachments`, { method: 'POST', body, token: board.token })
    }
    const body = { idList: board.lists.draft, idCardSource: id }
    const copy = (more: object) =>
      site().api('/cards', { method: 'POST', body: { ...body, ...more }, token: board.token })
    const rejected = await copy({ urlSource: 'https://example.org/x' })
    assert.deepEqual(
      [rejected.status, rejected.text],
      [403, 'A card can have at most 50 attachments']
    )
    assert.equal((await copy({})).status, 200)
    const cards = await site().json(`/lists/${board.lists.draft}/cards`, { token: board.token })
    assert.deepEqual(
      cards.map(({ badges }: CardsJson) => badges.attachments),
      [50]
    )
  })
})

sites('Parallel changes of cards', { cards: { maxAttachments: 5 } }, (site) => {
  test('numbers, slugs and positions are used once, and limits hold', async () => {
    const board = await contentBoard(site(), 'Parallel')
    const { token } = board
    const times = <T>(count: number, action: (index: number) => Promise<T>): Promise<T[]> =>
      Promise.all(Array.from({ length: count }, (_, index) => action(index)))
    const added = await times(20, () => board.add({ name: 'Same name', pos: 'top' }))
    for (const member of ['idShort', 'pos', 'shortLink']) {
      assert.equal(new Set(added.map((card: CardsJson) => card[member])).size, 20, member)
    }
    const { cards } = await board.readJson('/cards')
    assert.equal(new Set(cards.map(({ slug }: CardsJson) => slug)).size, 20)

    const [{ id }] = added
    const attached = await times(10, (index) =>
      site().api(`/cards/${id}/attachments`, {
        method: 'POST',
        body: { url: `https://example.org/${index}` },
        token
      })
    )
    assert.deepEqual(attached.map(({ status }) => status).sort(), [
      ...Array(5).fill(200),
      ...Array(5).fill(403)
    ])
    const slugs = await times(5, (index) =>
      board.patch(`/cards/${added[index].id}`, { slug: 'wanted' })
    )
    assert.deepEqual(slugs.map(({ status }) => status).sort(), [200, 409, 409, 409, 409])
    const boards = await times(6, () =>
      site().json('/boards', { method: 'POST', body: { name: 'Twin', defaultLists: false }, token })
    )
    assert.equal(new Set(boards.map((one) => one.id)).size, 6)
    const [edited, removed] = await Promise.all([
      times(5, (index) =>
        site().api(`/cards/${id}`, { method: 'PUT', body: { desc: `Text ${index}` }, token })
      ),
      site().api(`/boards/${board.id}`, { method: 'DELETE', token })
    ])
    assert.equal(removed.status, 200)
    for (const { status } of edited) assert.ok(status === 200 || status === 404, `${status}`)
    assert.equal((await site().api(`/cards/${id}`, { token })).status, 404)
  })
})
