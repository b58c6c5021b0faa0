/** The editor of a card: what its forms change, and what they say. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jpeg, openBoard, type TestBoard, upload } from '../support/cards-files.ts'
import { type SignedInBrowser, signIn } from './cards-browser.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

const MAX_FILE = 100_000
const OPTIONS = { cards: { maxFileBytes: MAX_FILE, maxAttachments: 4 } }
const JSON_WANTED = { accept: 'application/json' }
const NAVIGATION = { accept: 'text/html', 'sec-fetch-mode': 'navigate' }

interface Edited extends TestBoard {
  browser: SignedInBrowser
  /** Short links. */
  link: string
  boardLink: string
  json: (path: string, request?: object) => Promise<CardsJson>
}

type Fields = Readonly<Record<string, string | readonly string[] | Uint8Array>>

async function open(site: Site): Promise<Edited> {
  const board = await openBoard(site)
  const { token } = board
  const json = (path: string, request = {}) => site.json(path, { token, ...request })
  const { shortLink: link } = await json(`/cards/${board.card}?fields=shortLink`)
  const { shortLink: boardLink } = await json(`/boards/${board.board}?fields=shortLink`)
  return { ...board, json, link, boardLink, browser: await signIn(site, token) }
}

function bodyOf(fields: Fields): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof Uint8Array) {
      form.append('file', new Blob([new Uint8Array(value)]), name)
    } else for (const one of [value].flat()) form.append(name, one)
  }
  return form
}

/** The fields of the form as the page has them. */
async function formOf({ browser, link }: Edited): Promise<Record<string, string | string[]>> {
  const { headers } = await browser.get(`/c/${link}`)
  const { status, text } = await browser.get(
    new URL(headers.get('location') ?? '', `http://x/c/${link}`).pathname
  )
  assert.equal(status, 200)
  const [, form = ''] = /<form class="editor"(.*?)<\/form>/s.exec(text) ?? []
  const fields: Record<string, string | string[]> = {}
  const add = (name: string, value: string) => {
    const before = fields[name]
    fields[name] = before === undefined ? value : [before, value].flat()
  }
  for (const [tag] of form.matchAll(/<input [^>]*>/g)) {
    const of = (name: string) => new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1] ?? ''
    const isChoice = ['radio', 'checkbox'].includes(of('type'))
    if (of('type') === 'file' || (isChoice && !tag.includes(' checked'))) continue
    add(of('name'), unescapeText(of('value')))
  }
  for (const [, name = '', options = ''] of form.matchAll(
    /<select [^>]*name="([^"]*)"[^>]*>(.*?)<\/select>/gs
  )) {
    add(name, /value="([^"]*)" selected/.exec(options)?.[1] ?? '')
  }
  const [, text2 = ''] = /<textarea [^>]*>\n?(.*?)<\/textarea>/s.exec(form) ?? []
  add('description', unescapeText(text2))
  return fields
}

function unescapeText(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&amp;', '&')
}

/** Sends the form with changes; scripts get JSON. */
async function send(
  edited: Edited,
  changes: Fields,
  { action = 'save', json = false, path = '' } = {}
) {
  const form = path === '' ? await formOf(edited) : {}
  return edited.browser.post(
    path || `/c/${edited.link}/-/${action}`,
    {},
    {
      body: bodyOf({ ...form, ...changes }),
      headers: json ? JSON_WANTED : NAVIGATION
    }
  )
}

async function save(edited: Edited, changes: Fields): Promise<void> {
  const { status, text } = await send(edited, changes, { json: true })
  assert.equal(status, 200, text)
}

/** The sentence for the field. */
async function errorFor(edited: Edited, name: string, changes: Fields): Promise<string> {
  const { status, text } = await send(edited, changes, { json: true })
  assert.equal(status, 400, text)
  return JSON.parse(text).errors[name]
}

async function content(site: Site, { token, board, card }: Edited): Promise<CardsJson> {
  const { status, text } = await site.ask(`/content/${board}/cards/${card}`, { token })
  assert.equal(status, 200, text)
  return JSON.parse(text)
}

async function setZone(site: Site, { token, board }: Edited, timeZone: string): Promise<void> {
  const { status } = await site.ask(`/content/${board}`, {
    method: 'PATCH',
    token,
    body: { timeZone }
  })
  assert.equal(status, 200)
}

sites('The editor of cards', OPTIONS, (site) => {
  test('one save changes texts, labels, date, URL, list and slug with one revision', async () => {
    const edited = await open(site())
    const before = await content(site(), edited)
    const { status, headers, text } = await send(edited, {
      ...{ title: '  A longer Ponte ', description: 'First\r\n\r\n**second**' },
      ...{ labelName: 'steel', labelColor: 'blue', completed: '2026-05-12' },
      ...{ url: 'https://example.org/bridge', slug: 'the-bridge' }
    })
    assert.equal(status, 303, text)
    assert.equal(headers.get('location'), `../../../c/${edited.link}/1-a-longer-ponte?saved=1`)
    const after = await content(site(), edited)
    assert.deepEqual(
      [after.title, after.description, after.completedAt, after.url, after.slug, after.revision],
      ...[
        [
          'A longer Ponte',
          'First\n\n**second**',
          '2026-05-12',
          'https://example.org/bridge',
          'the-bridge',
          before.revision + 1
        ]
      ]
    )
    assert.deepEqual(
      after.labels.map((one: CardsJson) => [one.name, one.color]),
      [['steel', 'blue']]
    )
    const actions = await edited.json(`/cards/${edited.card}/actions?filter=all`)
    const types = actions.map((one: CardsJson) => one.type)
    assert.ok(types.includes('updateCard') && types.includes('updateCustomFieldItem'), types.join())
    const found = await edited.json('/search?query=ponte&modelTypes=cards')
    assert.deepEqual(
      found.cards.map((one: CardsJson) => one.id),
      [edited.card]
    )
    await save(edited, {})
    assert.equal((await content(site(), edited)).revision, after.revision)
  })

  test('the public revision changes only with what is public', async () => {
    const edited = await open(site())
    const revision = async () =>
      JSON.parse((await site().ask(`/content/${edited.board}`)).text).revision
    const first = await revision()
    await save(edited, { list: edited.drafts })
    const second = await revision()
    await save(edited, { description: 'A draft' })
    assert.deepEqual([second > first, await revision()], [true, second])
  })

  test('a state chooses a list, and a list a state', async () => {
    const edited = await open(site())
    const list = async () => (await content(site(), edited)).list.id
    await save(edited, { state: 'draft' })
    assert.equal(await list(), edited.drafts)
    await save(edited, { state: 'published' })
    assert.equal(await list(), edited.published)
    await save(edited, { list: edited.drafts })
    assert.equal((await formOf(edited)).state, 'draft')
  })

  test('a stale form overwrites nothing: both versions are shown, and one more choice saves', async () => {
    const edited = await open(site())
    const stale = await formOf(edited)
    await edited.json(`/cards/${edited.card}`, { method: 'PUT', body: { desc: 'Theirs' } })
    const mine = { ...stale, description: 'Mine' }
    const json = await send(edited, mine, { json: true })
    assert.deepEqual([json.status, JSON.parse(json.text).error], [409, 'CARD_CHANGED'])
    const page = await send(edited, mine)
    assert.equal(page.status, 409)
    assert.match(page.text, /Stored now<\/h3><p[^>]*>Theirs</)
    assert.match(page.text, /Yours<\/h3><p[^>]*>Mine</)
    assert.equal((await content(site(), edited)).description, 'Theirs')
    const [, revision = ''] = /name="revision" value="(\d+)"/.exec(page.text) ?? []
    assert.equal((await send(edited, { ...mine, revision })).status, 303)
    assert.equal((await content(site(), edited)).description, 'Mine')
    assert.equal((await send(edited, { revision: '' })).status, 400)
  })

  test('each wrong field has its sentence, and what was typed is kept', async () => {
    const edited = await open(site())
    const fields = [
      ['Count', 'number'],
      ['When', 'date'],
      ['Kind', 'list']
    ] as const
    const ids: string[] = []
    for (const [name, type] of fields) {
      const body = {
        idModel: edited.board,
        modelType: 'board',
        name,
        type,
        display_cardFront: true,
        pos: 'bottom'
      }
      ids.push((await edited.json('/customFields', { method: 'POST', body })).id)
    }
    const [count, when, kind] = ids
    const wrong: readonly [name: string, changes: Fields, sentence: RegExp][] = [
      ['title', { title: '  ' }, /Enter a title/],
      ['title', { title: 'x'.repeat(16_385) }, /16,385 characters; the maximum is 16,384/],
      ['description', { description: 'x'.repeat(16_385) }, /the maximum is 16,384/],
      ['description', { description: 'a\0b' }, /cannot be stored/],
      ['url', { url: 'javascript:alert(1)' }, /http/],
      ['url', { url: 'ftp://example.org/' }, /http/],
      ['url', { url: 'example.org' }, /http/],
      ['completed', { completed: '2026-02-30' }, /no day/],
      ['completed', { completed: '12.05.2026' }, /no day/],
      ['slug', { slug: 'Not A Slug' }, /lower-case/],
      ['label', { label: '0123456789abcdef01234567' }, /label/],
      ['labelName', { labelColor: 'red' }, /name/],
      ['labelName', { labelName: 'x', labelColor: 'octarine' }, /colours/],
      ['list', { list: '0123456789abcdef01234567' }, /list/],
      ['publishAt', { state: 'scheduled', publishAt: '' }, /day and time/],
      ['publishAt', { state: 'scheduled', publishAt: '2026-13-01T00:00' }, /no time/],
      ['cover', { cover: '0123456789abcdef01234567' }, /images/],
      [`field.${count}`, { [`field.${count}`]: 'many' }, /number/],
      [`field.${when}`, { [`field.${when}`]: 'soon' }, /day/],
      [`field.${kind}`, { [`field.${kind}`]: '0123456789abcdef01234567' }, /option/]
    ]
    const before = await content(site(), edited)
    for (const [name, changes, sentence] of wrong) {
      assert.match(
        await errorFor(edited, name, changes),
        sentence,
        JSON.stringify(changes).slice(0, 80)
      )
    }
    const { status, text } = await send(edited, { title: '', description: 'Typed <b>', url: 'x' })
    assert.equal(status, 400)
    for (const part of [
      'Typed &lt;b&gt;',
      'Enter a title',
      'aria-invalid="true"',
      'http:// or https://'
    ]) {
      assert.ok(text.includes(part), part)
    }
    assert.deepEqual(await content(site(), edited), before)
  })

  test('a slug that is used has its sentence; without one the title decides again', async () => {
    const edited = await open(site())
    const body = { name: 'Other', idList: edited.published }
    await edited.json('/cards', { method: 'POST', body })
    const { status, text } = await send(edited, { slug: 'other' })
    assert.equal(status, 409)
    assert.match(text, /The slug other is already used/)
    await save(edited, { slug: 'chosen' })
    await save(edited, { slug: '' })
    assert.equal((await content(site(), edited)).slug, 'a-bridge')
  })

  test('the completion date is the same day in every time zone', async () => {
    const edited = await open(site())
    for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Europe/Berlin']) {
      await setZone(site(), edited, zone)
      // Days of changed clocks, and the last of a year.
      for (const day of ['2026-03-29', '2026-12-31']) {
        await save(edited, { completed: day })
        assert.equal((await content(site(), edited)).completedAt, day, `${zone} ${day}`)
        assert.equal((await formOf(edited)).completed, day)
      }
    }
    await save(edited, { completed: '' })
    assert.equal((await content(site(), edited)).completedAt, null)
    await setZone(site(), edited, 'Pacific/Apia')
    assert.match(await errorFor(edited, 'completed', { completed: '2011-12-30' }), /Pacific\/Apia/)
  })

  test('a schedule is a time on the clocks of the board, and not public before', async () => {
    const edited = await open(site())
    await setZone(site(), edited, 'America/New_York')
    const year = new Date().getUTCFullYear() + 1
    await save(edited, { state: 'scheduled', publishAt: `${year}-07-01T09:30` })
    const after = await content(site(), edited)
    assert.equal(after.publishAt, `${year}-07-01T13:30:00.000Z`)
    assert.equal((await site().ask(`/content/${edited.board}/cards/${edited.card}`)).status, 404)
    const form = await formOf(edited)
    assert.deepEqual([form.state, form.publishAt], ['scheduled', `${year}-07-01T09:30`])
    await save(edited, { state: 'draft' })
    const draft = await content(site(), edited)
    assert.deepEqual([draft.publishAt, draft.list.id], [null, edited.drafts])
    await save(edited, { state: 'scheduled', publishAt: '2020-01-01T00:00' })
    assert.equal((await site().ask(`/content/${edited.board}/cards/${edited.card}`)).status, 200)
    const late = await send(edited, { state: 'scheduled', publishAt: '9000-01-01T00:00' })
    assert.match(late.text, /id="error-publishAt">[^<]+10 years/)
  })

  test('custom fields of every type are shown, changed and removed', async () => {
    const edited = await open(site())
    const add = async (name: string, type: string, options?: object) => {
      const body = {
        idModel: edited.board,
        modelType: 'board',
        name,
        type,
        pos: 'bottom',
        display_cardFront: true,
        ...options
      }
      return edited.json('/customFields', { method: 'POST', body })
    }
    const text = await add('Place', 'text')
    const number = await add('Count', 'number')
    const check = await add('Big', 'checkbox')
    const date = await add('When', 'date')
    const list = await add('Kind', 'list', {
      options: [{ value: { text: 'road' }, color: 'red', pos: 1 }]
    })
    const option = list.options[0]._id ?? list.options[0].id
    const names = [text, number, check, date, list].map((one) => `field.${one.id}`)
    const values = ['Oslo', '12.50', 'true', '2026-05-12T08:15', option]
    await save(edited, Object.fromEntries(names.map((name, at) => [name, values[at]])))
    const { fields } = await content(site(), edited)
    assert.deepEqual(fields, {
      Place: 'Oslo',
      Count: 12.5,
      Big: true,
      When: '2026-05-12T08:15:00.000Z',
      Kind: 'road'
    })
    const form = await formOf(edited)
    assert.deepEqual(
      names.map((name) => form[name]),
      values
    )
    await save(edited, Object.fromEntries(names.map((name) => [name, ''])))
    const cleared = await content(site(), edited)
    assert.deepEqual(cleared.fields, {
      Place: null,
      Count: null,
      Big: false,
      When: null,
      Kind: null
    })
  })

  test('images: upload, description, order, cover, removal', async () => {
    const edited = await open(site())
    const sent = {
      'one.jpg': await jpeg(60, 40),
      'two.jpg': await jpeg(50, 40),
      'notes.txt': Buffer.from('text')
    }
    const uploaded = await send(edited, sent, { action: 'upload', json: true })
    assert.equal(uploaded.status, 200, uploaded.text)
    const { images, others, revision, cover } = JSON.parse(uploaded.text)
    assert.deepEqual([images.length, others.length], [2, 1])
    assert.match(others[0], /signature=/)
    const form = await formOf(edited)
    assert.deepEqual([form.revision, form.cover], [String(revision), cover])
    const [one = '', two = ''] = [form.image].flat()
    await save(edited, { image: [two, one], [`alt.${one}`]: 'First "image"', cover: two })
    const after = await content(site(), edited)
    assert.deepEqual(
      after.images.map((image: CardsJson) => [image.id, image.alt]),
      [
        [two, ''],
        [one, 'First "image"']
      ]
    )
    assert.equal(after.cover, two)
    await save(edited, { remove: two })
    const left = await content(site(), edited)
    assert.deepEqual(
      left.images.map((image: CardsJson) => image.id),
      [one]
    )
    assert.match(
      await errorFor(edited, `alt.${one}`, { [`alt.${one}`]: 'x'.repeat(1_025) }),
      /1,024/
    )
    const actions = await edited.json(
      `/cards/${edited.card}/actions?filter=deleteAttachmentFromCard`
    )
    assert.equal(actions.length, 1)
  })

  test('a form without a script uploads, previews and arranges, and keeps what was typed', async () => {
    const edited = await open(site())
    await send(edited, {
      title: 'With images',
      'one.jpg': await jpeg(60, 40),
      'two.jpg': await jpeg(50, 40)
    })
    const stored = await content(site(), edited)
    assert.deepEqual([stored.title, stored.images.length], ['With images', 2])
    const [first, second] = stored.images.map((image: CardsJson) => image.id)
    const typed = { title: 'Typed', description: '# Heading\n\n<script>alert(1)</script>' }
    const preview = await send(edited, typed, { action: 'preview' })
    assert.match(preview.text, /value="Typed"/)
    assert.match(preview.text, /<h1 id="[0-9a-f]{24}-heading"[^>]*>Heading/)
    assert.doesNotMatch(preview.text, /<script>alert/)
    const up = await send(edited, { ...typed, do: `up:${second}` }, { action: 'arrange' })
    const order = [...up.text.matchAll(/name="image" value="(\w+)"/g)].map(([, id]) => id)
    assert.deepEqual(order, [second, first])
    const removed = await send(edited, { ...typed, do: `remove:${first}` }, { action: 'arrange' })
    assert.match(removed.text, new RegExp(`name="remove" value="${first}"`))
    assert.deepEqual(await content(site(), edited), stored)
    const script = await send(
      edited,
      { description: '**bold**' },
      { action: 'preview', json: true }
    )
    assert.equal(JSON.parse(script.text).html.trim(), '<p><strong>bold</strong></p>')
  })

  test('files that are too large or too many are rejected and change nothing', async () => {
    const edited = await open(site())
    const before = await content(site(), edited)
    const large = Buffer.alloc(MAX_FILE + 1)
    const page = await send(edited, { title: 'Kept title', 'large.bin': large })
    assert.equal(page.status, 413)
    assert.match(page.text, /value="Kept title"/)
    assert.match(page.text, /id="error-file">[^<]*too large/)
    const many = Object.fromEntries(
      [1, 2, 3, 4, 5].map((n) => [`${n}.txt`, Buffer.from(String(n))])
    )
    const more = await send(edited, many, { action: 'upload', json: true })
    assert.deepEqual(
      [more.status, JSON.parse(more.text).message],
      [403, 'A card can have at most 4 attachments']
    )
    assert.deepEqual(await content(site(), edited), before)
  })

  test('an upload beside a change of others does not hide that change', async () => {
    const edited = await open(site())
    const stale = await formOf(edited)
    await edited.json(`/cards/${edited.card}`, { method: 'PUT', body: { desc: 'Theirs' } })
    const sent = { revision: stale.revision ?? '', 'a.txt': Buffer.from('a') }
    const { text } = await send(edited, sent, { action: 'upload', json: true })
    assert.equal(String(JSON.parse(text).revision), stale.revision)
  })

  test('a new card is stored with its files, or not at all', async () => {
    const edited = await open(site())
    const path = `/b/${edited.boardLink}/-/new`
    const page = await edited.browser.get(`${path}?list=${edited.drafts}`)
    assert.equal(page.status, 200)
    assert.match(page.text, new RegExp(`value="${edited.drafts}" selected`))
    const fields = {
      title: 'New',
      state: 'published',
      list: edited.drafts,
      url: 'https://example.org/'
    }
    const failed = await send(
      edited,
      { ...fields, completed: 'x', 'a.jpg': await jpeg(60, 40) },
      { path }
    )
    assert.equal(failed.status, 400)
    assert.match(failed.text, /value="New"/)
    const cards = async () => edited.json(`/boards/${edited.board}/cards?attachments=true`)
    assert.equal((await cards()).length, 1)
    const created = await send(
      edited,
      { ...fields, slug: 'brand-new', 'a.jpg': await jpeg(60, 40) },
      { path }
    )
    assert.equal(created.status, 303, created.text)
    assert.match(created.headers.get('location') ?? '', /\/c\/\w{8}\/2-new\?created=1$/)
    const added = (await cards()).find((card: CardsJson) => card.name === 'New')
    assert.deepEqual([added.idList, added.attachments.length], [edited.published, 1])
    const shown = JSON.parse((await site().ask(`/content/${edited.board}/cards/brand-new`)).text)
    assert.deepEqual(
      [shown.url, shown.cover, shown.revision],
      ['https://example.org/', shown.images[0].id, 1]
    )
  })

  test('items of checklists are ticked at once', async () => {
    const edited = await open(site())
    const { json, card } = edited
    const body = { idCard: card, name: 'Before it opens' }
    const checklist = await json('/checklists', { method: 'POST', body })
    const item = await json(`/checklists/${checklist.id}/checkItems`, {
      method: 'POST',
      body: { name: 'Paint' }
    })
    const sent = { title: 'Typed', do: `check:${item.id}:1` }
    const page = await send(edited, sent, { action: 'check' })
    assert.match(page.text, /aria-checked="true"/)
    assert.match(page.text, /value="Typed"/)
    const [after] = await json(`/checklists/${checklist.id}/checkItems`)
    assert.deepEqual([after.state, (await json(`/cards/${card}`)).name], ['complete', 'A bridge'])
  })

  test('only members who may write get the editor, and only forms of the page change something', async () => {
    const edited = await open(site())
    const other = await open(site())
    const { userName, link } = edited
    const readOnly = await site().token({ scopes: ['read'], flags: { member: userName } })
    const reader = await signIn(site(), readOnly.secret)
    const path = (await edited.json(`/cards/${edited.card}?fields=url`)).url.replace(site().url, '')
    for (const browser of [reader, other.browser]) {
      const page = await browser.get(path)
      assert.deepEqual([page.status, page.text.includes('id="editor"')], [200, false])
      const form = { ...(await formOf(edited)), title: 'Theirs' }
      const { status } = await browser.post(
        `/c/${link}/-/save`,
        {},
        { body: bodyOf(form), headers: JSON_WANTED }
      )
      assert.ok([403, 404].includes(status), String(status))
    }
    const body = bodyOf({ ...(await formOf(edited)), title: 'Theirs' })
    const headers = { cookie: edited.browser.cookie, origin: site().url, ...JSON_WANTED }
    const plain = await site().ask(`/c/${link}/-/save`, { method: 'POST', body, headers })
    assert.equal(plain.status, 403)
    const foreign = await edited.browser.post(
      `/c/${link}/-/save`,
      {},
      { body, headers: { origin: 'http://evil.example' } }
    )
    assert.equal(foreign.status, 403)
    const theirs = await upload(site(), other, await jpeg(40, 40), { name: 'x.jpg' })
    assert.match(await errorFor(edited, 'cover', { cover: theirs.id }), /images/)
    assert.equal((await content(site(), edited)).title, 'A bridge')
    assert.equal((await reader.get(`/c/${link}/-/revision`)).status, 404)
    assert.equal(JSON.parse((await edited.browser.get(`/c/${link}/-/revision`)).text).revision, 1)
  })
})
