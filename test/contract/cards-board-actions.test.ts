/** What the board page changes: as a form, and as JSON for its script. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type SignedInBrowser, signIn } from './cards-browser.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

interface Board {
  link: string
  id: string
  draft: string
  published: string
  token: string
  browser: SignedInBrowser
  /** Sends an action as the script of the page does. */
  act: (
    action: string,
    fields: Record<string, string>
  ) => Promise<{ status: number; json: CardsJson }>
  card: (name: string, list?: string) => Promise<CardsJson>
  names: (list: string) => Promise<string[]>
  revision: (card: string) => Promise<string>
}

let members = 0

async function newBoard(site: Site): Promise<Board> {
  const token = await site.member(`eve${++members}`)
  const send = (method: string, path: string, body?: object): Promise<CardsJson> =>
    site.json(path, { method, token, body })
  const { id, shortUrl } = await send('POST', '/boards', {
    ...{ name: 'Projects', defaultLists: false, prefs_permissionLevel: 'public' }
  })
  const link = new URL(shortUrl).pathname.split('/')[2] ?? ''
  const list = async (name: string) =>
    (await send('POST', '/lists', { name, idBoard: id, pos: 'bottom' })).id
  const [draft, published] = [await list('Draft'), await list('Published')]
  const browser = await signIn(site, token)
  return {
    ...{ link, id, draft, published, token, browser },
    async act(action, fields) {
      const headers = { accept: 'application/json' }
      const { status, text } = await browser.post(`/b/${link}/-/${action}`, fields, { headers })
      return { status, json: JSON.parse(text) }
    },
    card: (name, idList = draft) => send('POST', '/cards', { name, idList }),
    names: async (of) =>
      (await send('GET', `/lists/${of}/cards`)).map(({ name }: CardsJson) => name),
    async revision(card) {
      const { text } = await browser.get(`/b/${link}/projects?archive=show`)
      return new RegExp(`data-card="${card}" data-revision="(\\d+)"`).exec(text)?.[1] ?? ''
    }
  }
}

sites('actions of the board page', {}, (site) => {
  test('a card moves beside others that are resolved when it arrives', async () => {
    const { act, card, names, revision, draft, published } = await newBoard(site())
    const [one, two, three] = [await card('One'), await card('Two'), await card('Three')]
    const move = async (id: string, fields: Record<string, string>) =>
      act('cards/move', { card: id, revision: await revision(id), ...fields })
    const moved = await move(three.id, { to: 'list', list: draft, before: two.id })
    assert.equal(moved.status, 200)
    assert.equal(moved.json.card.revision, Number(await revision(three.id)))
    assert.equal(moved.json.undo.text, '“Three” was moved to Draft.')
    assert.deepEqual(await names(draft), ['One', 'Three', 'Two'])
    await move(one.id, { to: 'list', list: published })
    // Its neighbour is in another list now, so the other one counts.
    await move(three.id, { to: 'list', list: draft, before: one.id, after: two.id })
    assert.deepEqual(await names(draft), ['Two', 'Three'])
    for (const [to, wanted] of [
      ['up', ['Three', 'Two']],
      ['up', ['Three', 'Two']],
      ['down', ['Two', 'Three']],
      ['published', ['Two']],
      ['published', ['Two']],
      ['draft', ['Two', 'Three']],
      ['archive', ['Two']],
      ['board', ['Two', 'Three']],
      ['top', ['Three', 'Two']]
    ] as const) {
      assert.equal((await move(three.id, { to })).status, 200, to)
      assert.deepEqual(await names(draft), wanted, to)
    }
  })

  test('a form leads back to the board with its filter, scripts get JSON', async () => {
    const { browser, link, card, revision, published, names } = await newBoard(site())
    const { id } = await card('One')
    const fields = { card: id, revision: await revision(id), to: 'published', view: '?q=one&x=//y' }
    const { status, headers } = await browser.post(`/b/${link}/-/cards/move`, fields)
    assert.equal(status, 303)
    assert.equal(headers.get('location'), `../../../../b/${link}/projects?q=one#card-${id}`)
    assert.deepEqual(await names(published), ['One'])
    const added = await browser.post(`/b/${link}/-/cards`, { list: published, name: ' Two ' })
    assert.equal(added.status, 303)
    assert.deepEqual(await names(published), ['One', 'Two'])
  })

  test('a card that changed meanwhile is not moved or deleted, and the response says so', async () => {
    const { browser, link, act, card, revision, draft, published, names, token } = await newBoard(
      site()
    )
    const { id } = await card('One')
    const old = { card: id, revision: await revision(id) }
    await site().json(`/cards/${id}`, { method: 'PUT', token, body: { name: 'Renamed' } })
    for (const [action, fields] of [
      ['cards/move', { ...old, to: 'published' }],
      ['cards/delete', old]
    ] as const) {
      const { status, json } = await act(action, fields)
      assert.equal(status, 409)
      assert.equal(json.error, 'CARD_CHANGED')
      assert.match(json.message, /“Renamed” was changed by eve\d+ .* it is in Draft now/)
      assert.deepEqual(json.conflict.list, { id: draft, name: 'Draft' })
      const page = await browser.post(`/b/${link}/-/${action}`, fields)
      assert.equal(page.status, 409)
      assert.match(page.text, /role="alert">Meanwhile “Renamed” was changed/)
      assert.match(page.text, /data-card=/)
    }
    assert.deepEqual([await names(draft), await names(published)], [['Renamed'], []])
  })

  test('a deletion is confirmed on a page, hides the card everywhere and can be undone', async () => {
    const {
      browser,
      link,
      act,
      card,
      revision,
      draft,
      names,
      token,
      id: board
    } = await newBoard(site())
    const { id, shortLink } = await card('One')
    const confirm = await browser.get(`/b/${link}/-/cards/${id}/delete`)
    assert.match(confirm.text, /Delete this card\?/)
    assert.deepEqual(await names(draft), ['One'])
    const deleted = await act('cards/delete', { card: id, revision: await revision(id) })
    assert.deepEqual(await names(draft), [])
    assert.equal((await site().ask(`/c/${shortLink}`, { token })).status, 404)
    assert.doesNotMatch(
      (await site().api(`/search?query=One&idBoards=${board}`, { token })).text,
      new RegExp(id)
    )
    const page = await browser.get(`/b/${link}/projects`)
    assert.match(page.text, /“One” was deleted\./)
    const { undo } = deleted.json
    assert.equal((await act('undo', { undo: undo.id })).status, 200)
    assert.deepEqual(await names(draft), ['One'])
    const again = await act('undo', { undo: undo.id })
    assert.deepEqual([again.status, again.json.error], [409, 'UNDO_ENDED'])
    // Undone by the member alone.
    const next = await act('cards/delete', { card: id, revision: await revision(id) })
    const other = await newBoard(site())
    assert.equal((await other.act('undo', { undo: next.json.undo.id })).status, 409)
  })

  test('bad input, other boards and missing rights change nothing', async () => {
    const mine = await newBoard(site())
    const other = await newBoard(site())
    const { id } = await mine.card('One')
    const foreign = await other.card('Secret')
    const revision = await mine.revision(id)
    const cases: readonly [number, string, Record<string, string>][] = [
      [400, 'cards/move', { card: id, revision: 'x', to: 'up' }],
      [400, 'cards/move', { card: id, revision, to: 'sideways' }],
      [400, 'cards/move', { card: id, to: 'up' }],
      [400, 'cards/move', { card: 'x', revision, to: 'up' }],
      [400, 'cards/move', { card: id, revision, to: 'list', list: 'x' }],
      [404, 'cards/move', { card: id, revision, to: 'list', list: other.draft }],
      [404, 'cards/move', { card: foreign.id, revision: '1', to: 'up' }],
      [404, 'cards/delete', { card: foreign.id, revision: '1' }],
      [404, 'cards', { list: other.draft, name: 'x' }],
      [400, 'cards', { list: mine.draft, name: ' ' }],
      [400, 'undo', { undo: 'x' }]
    ]
    for (const [status, action, fields] of cases) {
      const done = await mine.act(action, fields)
      assert.equal(done.status, status, `${action} ${JSON.stringify(fields)}: ${done.json.message}`)
    }
    assert.deepEqual(await other.names(other.draft), ['Secret'])
    assert.deepEqual(await mine.names(mine.draft), ['One'])
    const path = `/b/${mine.link}/-/cards/move`
    const fields = new URLSearchParams({ card: id, revision, to: 'published' })
    const { cookie } = mine.browser
    for (const headers of [{}, { cookie }, { cookie, origin: 'http://elsewhere.example' }]) {
      const { status } = await site().ask(path, { method: 'POST', body: fields, headers })
      assert.ok([401, 403].includes(status), String(status))
    }
    assert.equal((await other.browser.get(`/b/${mine.link}/-/cards/${id}/delete`)).status, 404)
    assert.equal((await site().ask(`/b/${mine.link}/-/cards/${id}/delete`)).status, 404)
    assert.deepEqual(await mine.names(mine.published), [])
  })

  test('a token without the scope write sees the board without forms', async () => {
    const { link, token, card } = await newBoard(site())
    await card('Draft one')
    const member = JSON.parse((await site().api('/members/me', { token })).text)
    const reading = await site().token({ scopes: ['read'], flags: { member: member.username } })
    const browser = await signIn(site(), reading.secret)
    const { text } = await browser.get(`/b/${link}/projects`)
    assert.match(text, /Draft one/)
    assert.doesNotMatch(text, /cards\/move|data-add/)
  })
})
