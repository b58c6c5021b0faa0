import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contentBoard, titles } from './cards-content-board.ts'
import { type CardsJson, sites } from './cards-site.ts'

const HOUR_MS = 3_600_000
const PROBLEM = /^application\/problem\+json/

sites('content of a board', {}, (site) => {
  test('a card has its text, images, labels, dates and fields', async () => {
    const board = await contentBoard(site(), 'Portfolio')
    const { fields, labels, lists, options } = board
    const card = await board.add({
      name: 'Räder & Wheels',
      desc: '# Wheels\n\nRound **things** <b>.\n\n[a](https://a.example) [b](javascript:alert(1))',
      idLabels: labels.web
    })
    const image = await board.addImage(card.id)
    await board.change(card.id, {
      desc: `${card.desc}\n\n![w](https://trello.com/1/cards/${card.id}/attachments/${image.id}/download/a.png)`
    })
    await board.setItem(card.id, fields.completed, { value: { date: '2024-04-30T23:30:00.000Z' } })
    await board.setItem(card.id, fields.url, { value: { text: 'https://wheels.example/x' } })
    await board.setItem(card.id, fields.budget, { value: { number: '12.5' } })
    await board.setItem(card.id, fields.open, { value: { checked: 'true' } })
    await board.setItem(card.id, fields.kind, { idValue: options.blog })
    assert.equal((await board.patch('', { timeZone: 'Europe/Berlin' })).status, 200)
    const alt = await board.patch(`/cards/${card.id}`, {
      images: [{ id: image.id, alt: 'A wheel' }]
    })
    assert.equal(alt.status, 200, alt.text)
    const { cards, next, total } = await board.readJson()
    assert.deepEqual([next, total], [null, 1])
    const [read] = cards
    const { url, ...shown } = read.images[0]
    assert.match(url, new RegExp(`^${site().url}/images/[0-9a-f]{64}\\.png$`))
    assert.deepEqual(read, {
      id: card.id,
      slug: 'rader-wheels',
      title: 'Räder & Wheels',
      description: read.description,
      descriptionHtml: [
        `<h1 id="${card.id}-wheels">Wheels</h1>`,
        '<p>Round <strong>things</strong> &lt;b&gt;.</p>',
        '<p><a href="https://a.example" rel="nofollow noopener">a</a> [b](javascript:alert(1))</p>',
        `<p><img src="${url}" alt="w"></p>`,
        ''
      ].join('\n'),
      excerpt: 'Round things <b>.',
      images: [{ ...shown, url }],
      cover: read.cover,
      labels: [{ id: labels.web, name: 'Web', color: 'green' }],
      completedAt: '2024-05-01',
      url: 'https://wheels.example/x',
      fields: {
        Kind: 'Blog',
        Completed: '2024-04-30T23:30:00.000Z',
        URL: 'https://wheels.example/x',
        Budget: 12.5,
        'Open source': true
      },
      list: { id: lists.published, name: 'Published' },
      pos: read.pos,
      publishedAt: read.publishedAt,
      updatedAt: read.updatedAt,
      revision: read.revision
    })
    assert.deepEqual(Object.keys(read.images[0]), [
      ...['id', 'alt', 'width', 'height', 'mimeType', 'bytes', 'url', 'dominantColor', 'srcset']
    ])
    assert.equal(read.images[0].alt, 'A wheel')
    assert.deepEqual(await board.readJson('/cards/rader-wheels'), read)
    assert.deepEqual(await board.readJson(`/cards/${card.id.toUpperCase()}`), read)
  })

  test('values that a site must not get are null, and unsafe numbers stay text', async () => {
    const board = await contentBoard(site())
    const card = await board.add({ name: 'Odd' })
    await board.setItem(card.id, board.fields.url, { value: { text: 'javascript:alert(1)' } })
    await board.setItem(card.id, board.fields.budget, { value: { number: '9007199254740993' } })
    const [read] = (await board.readJson()).cards
    assert.equal(read.url, null)
    assert.equal(read.completedAt, null)
    assert.deepEqual(read.images, [])
    assert.deepEqual(read.fields, {
      Kind: null,
      Completed: null,
      URL: 'javascript:alert(1)',
      Budget: '9007199254740993',
      'Open source': false
    })
  })

  test('cards are sorted, and pages continue where the one before ended', async () => {
    const board = await contentBoard(site())
    const names = ['b', 'A', 'c', 'D', 'é']
    for (const [index, name] of names.entries()) {
      const card = await board.add({ name, pos: 'bottom' })
      const date = `2020-01-0${5 - index}T00:00:00.000Z`
      if (name !== 'é') await board.setItem(card.id, board.fields.completed, { value: { date } })
    }
    const orders: Record<string, string[]> = {
      pos: names,
      name: ['A', 'b', 'c', 'D', 'é'],
      '-name': ['é', 'D', 'c', 'b', 'A'],
      completed: ['D', 'c', 'A', 'b', 'é'],
      '-completed': ['b', 'A', 'c', 'D', 'é'],
      published: names,
      '-published': names.toReversed(),
      updated: names,
      '-updated': names.toReversed()
    }
    for (const [sort, expected] of Object.entries(orders)) {
      assert.deepEqual(titles(await board.readJson(`/cards?sort=${sort}`)), expected, sort)
      const paged: string[] = []
      let cursor = ''
      for (let page = 0; page < 3; page++) {
        const read: CardsJson = await board.readJson(`/cards?sort=${sort}&limit=2${cursor}`)
        assert.equal(read.total, 5)
        paged.push(...titles(read))
        assert.equal(read.next === null, page === 2)
        cursor = `&cursor=${read.next}`
      }
      assert.deepEqual(paged, expected, sort)
    }
  })

  test('a cursor survives changes and is of one query only', async () => {
    const board = await contentBoard(site())
    const cards: CardsJson[] = []
    for (const name of ['a', 'b', 'c', 'd']) cards.push(await board.add({ name, pos: 'bottom' }))
    const { next } = await board.readJson('/cards?limit=2')
    await site().api(`/cards/${cards[1].id}`, { method: 'DELETE', token: board.token })
    await board.add({ name: 'first', pos: 'top' })
    assert.deepEqual(titles(await board.readJson(`/cards?limit=2&cursor=${next}`)), ['c', 'd'])
    for (const path of [
      `/cards?sort=name&cursor=${next}`,
      '/cards?cursor=x',
      '/cards?cursor=W10'
    ]) {
      const { status, headers, text } = await board.read(path)
      assert.equal(status, 400, path)
      assert.match(headers.get('content-type') ?? '', PROBLEM)
      assert.match(JSON.parse(text).title, /cursor/)
    }
  })

  test('lists, labels, languages and words select cards', async () => {
    const board = await contentBoard(site())
    await board.add({ name: 'Garden gate', idLabels: `${board.labels.web},${board.labels.german}` })
    await board.add({ name: 'Bridge', desc: 'Over the garden', idLabels: board.labels.web })
    await board.add({ name: 'Tower' })
    const found = async (query: string) => titles(await board.readJson(`/cards?${query}`)).sort()
    assert.deepEqual(await found('label=web'), ['Bridge', 'Garden gate'])
    assert.deepEqual(await found(`label=${board.labels.german}&label=Web`), ['Garden gate'])
    assert.deepEqual(await found('lang=de'), ['Garden gate'])
    assert.deepEqual(await found('lang=fr'), [])
    assert.deepEqual(await found('q=garden'), ['Bridge', 'Garden gate'])
    assert.deepEqual(await found('q=garden%20-over'), ['Garden gate'])
    assert.deepEqual(await found('list=published&q=tower'), ['Tower'])
    assert.deepEqual(await found('list=Draft'), [])
    assert.deepEqual(await found('label=nothing'), [])
  })

  test('wrong requests are problems that name what is wrong', async () => {
    const board = await contentBoard(site())
    const wrong: Record<string, RegExp> = {
      '/cards?colour=red': /Unknown parameter colour/,
      '/cards?limit=0': /limit/,
      '/cards?limit=1001': /limit/,
      '/cards?sort=size': /sort must be one of pos/,
      '/cards?sort=pos&sort=name': /sort can be given only once/,
      '/cards?q=%22open': /quotation mark/,
      '/cards?list=%00': /list/,
      '/cards?lang=%2F': /lang/,
      '/feed.xml?limit=3': /Unknown parameter limit/
    }
    for (const [path, message] of Object.entries(wrong)) {
      const { status, headers, text } = await board.read(path)
      assert.equal(status, 400, path)
      assert.match(headers.get('content-type') ?? '', PROBLEM, path)
      assert.match(JSON.parse(text).title, message)
    }
    assert.equal((await board.read('/cards/unknown')).status, 404)
    assert.equal((await board.read('/cards/%00')).status, 404)
    assert.equal((await board.read('/nothing')).status, 404)
    const unknown = await site().ask('/content/unknown/cards')
    assert.equal(unknown.status, 404)
    assert.match(JSON.parse(unknown.text).detail, /not visible with this credential/)
    assert.equal((await board.read('/cards', 'pk_unknown')).status, 401)
    const removed = await site().ask(`/content/${board.slug}/cards`, {
      method: 'DELETE',
      token: board.token
    })
    assert.equal(removed.status, 405)
    assert.equal(removed.headers.get('allow'), 'GET, HEAD, OPTIONS')
  })

  test('former slugs lead to the card as long as it is public', async () => {
    const board = await contentBoard(site())
    const card = await board.add({ name: 'Old name' })
    await board.change(card.id, { name: 'New name' })
    const moved = await board.read('/cards/old-name')
    assert.equal(moved.status, 301)
    assert.equal(
      moved.headers.get('location'),
      `${site().url}/content/${board.slug}/cards/new-name`
    )
    assert.equal((await board.patch(`/cards/${card.id}`, { slug: 'by-hand' })).status, 200)
    await board.change(card.id, { name: 'Newest name' })
    assert.equal((await board.readJson('/cards/by-hand')).title, 'Newest name')
    assert.match((await board.read('/cards/new-name')).headers.get('location') ?? '', /by-hand$/)
    const other = await board.add({ name: 'Other' })
    assert.equal((await board.patch(`/cards/${other.id}`, { slug: 'old-name' })).status, 409)
    await board.change(card.id, { idList: board.lists.draft })
    for (const slug of ['old-name', 'by-hand']) {
      assert.equal((await board.read(`/cards/${slug}`)).status, 404)
    }
  })

  test('a board tells its lists, labels, fields and counts', async () => {
    const board = await contentBoard(site(), 'Facts')
    await board.add({ name: 'Shown' })
    await board.add({ name: 'Hidden', idList: board.lists.draft })
    const shown = await board.readJson('')
    const { lists, fields, completedField, urlField } = shown
    assert.deepEqual(lists, [
      { id: board.lists.published, name: 'Published', role: 'published', cards: 1 }
    ])
    assert.equal(shown.cards, 1)
    assert.deepEqual([completedField, urlField], [board.fields.completed, board.fields.url])
    assert.deepEqual(
      fields.map(({ name, type, options }: CardsJson) => [name, type, options]),
      [
        ['Kind', 'list', ['Shop', 'Blog']],
        ['Completed', 'date', undefined],
        ['URL', 'text', undefined],
        ['Budget', 'number', undefined],
        ['Open source', 'checkbox', undefined]
      ]
    )
    const owned = await board.readJson('', board.token)
    assert.deepEqual(
      owned.lists.map(({ role, cards }: CardsJson) => [role, cards]),
      [
        ['published', 1],
        ['draft', 1],
        ['archive', 0]
      ]
    )
    const { boards } = JSON.parse((await site().ask('/content', { token: board.key })).text)
    assert.deepEqual(boards, [{ slug: 'facts', name: 'Facts', url: `${site().url}/content/facts` }])
    const document = await board.readJson('/openapi.json')
    assert.deepEqual(document.components.schemas.Card.properties.fields.properties.Kind, {
      type: ['string', 'null'],
      enum: ['Shop', 'Blog', null]
    })
  })

  test('settings of a board are checked', async () => {
    const board = await contentBoard(site())
    const { completed, url } = board.fields
    const rejected: [string, object, number][] = [
      ['', { timeZone: 'Mars/Base' }, 400],
      ['', { name: 'x' }, 400],
      ['', { slug: 'A b' }, 400],
      ['', { completedField: url }, 400],
      ['', { urlField: completed }, 400],
      [`/lists/${board.lists.draft}`, { role: 'public' }, 400],
      [`/lists/${'0'.repeat(24)}`, { role: 'draft' }, 404],
      ['/cards/none', { slug: 'x' }, 404]
    ]
    const before = await board.readJson('', board.token)
    for (const [path, body, status] of rejected) {
      assert.equal((await board.patch(path, body)).status, status, JSON.stringify(body))
    }
    assert.equal((await board.patch('', { slug: 'x' }, board.key)).status, 401)
    assert.deepEqual(
      {
        ...(await board.readJson('', board.token)),
        revision: 0,
        updatedAt: '',
        cards: 0,
        lists: 0
      },
      { ...before, revision: 0, updatedAt: '', cards: 0, lists: 0 }
    )
    assert.equal((await board.patch('', { slug: 'work', completedField: null })).status, 200)
    const changed = await site().ask('/content/work', { token: board.key })
    assert.equal(JSON.parse(changed.text).completedField, null)
  })

  test('conditional requests, HEAD and preflights', async () => {
    const board = await contentBoard(site())
    await board.add({ name: 'x'.repeat(2000) })
    for (const encoding of ['identity', 'gzip']) {
      const headers = { 'accept-encoding': encoding }
      const first = await board.read('/cards', board.key, headers)
      const etag = first.headers.get('etag') ?? ''
      assert.match(etag, new RegExp(`^"${board.id}-\\d+-[\\w-]+"$`))
      assert.equal(
        first.headers.get('cache-control'),
        'public, max-age=0, s-maxage=60, stale-while-revalidate=600'
      )
      assert.match(first.headers.get('vary') ?? '', /Authorization/)
      const again = await board.read('/cards', board.key, { ...headers, 'if-none-match': etag })
      assert.deepEqual([again.status, again.text], [304, ''])
      assert.equal(again.headers.get('etag'), etag)
      // The revision alone tells, without a prepared response.
      const other = await board.read('/cards?limit=7', board.key, headers)
      const tag = other.headers.get('etag') ?? ''
      assert.notEqual(tag, etag)
      await board.add({ name: `more ${encoding}` })
      const changed = await board.read('/cards', board.key, { ...headers, 'if-none-match': etag })
      assert.equal(changed.status, 200)
    }
    const owned = await board.read('/cards', board.token)
    assert.equal(owned.headers.get('cache-control'), 'private, no-cache')
    const path = `/content/${board.slug}/cards`
    const head = await site().ask(path, { method: 'HEAD', token: board.key })
    assert.deepEqual([head.status, head.text], [200, ''])
    const preflight = await site().ask(path, {
      method: 'OPTIONS',
      headers: { origin: 'https://a.example', 'access-control-request-method': 'GET' }
    })
    assert.equal(preflight.status, 204)
    assert.equal(preflight.headers.get('access-control-allow-origin'), '*')
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /If-None-Match/)
    const query = await site().ask(`${path}?token=${board.key}`)
    assert.equal(query.status, 200)
  })

  test('a prepared response is sent only as long as its key and board are valid', async ({
    mock
  }) => {
    const { ask, json, token, revoke } = site()
    const board = await contentBoard(site(), 'Keys')
    const other = await contentBoard(site(), 'Other keys')
    await board.add({ name: 'Kept' })
    const { username: member } = await json('/members/me', { token: board.token })
    const request = { scopes: ['published'], flags: { member, board: board.id } }
    const lasting = await token(request)
    const ending = await token({ ...request, expires: '1h' })
    const { shortLink } = await json(`/boards/${board.id}?fields=shortLink`, {
      token: board.token
    })
    const read = async (secret: string) => {
      const paths = [board.id, board.slug, shortLink].map((name) => `/content/${name}/cards`)
      const answers = await Promise.all(paths.map((path) => ask(path, { token: secret })))
      return answers.map(({ status, text }) =>
        status === 200 ? titles(JSON.parse(text)).length : status
      )
    }
    const close = (value: boolean) =>
      json(`/boards/${board.id}`, { method: 'PUT', token: board.token, body: { closed: value } })
    for (const { secret } of [lasting, ending, lasting, ending, lasting, ending]) {
      assert.deepEqual(await read(secret), [1, 1, 1])
      assert.deepEqual(await read(other.key), [404, 404, 404])
    }
    await board.add({ name: 'New' })
    for (const { secret } of [lasting, ending]) assert.deepEqual(await read(secret), [2, 2, 2])
    await close(true)
    assert.deepEqual(await read(lasting.secret), [404, 404, 404])
    await close(false)
    assert.deepEqual(await read(lasting.secret), [2, 2, 2])
    await revoke(lasting.id)
    assert.deepEqual(await read(lasting.secret), [401, 401, 401])
    assert.deepEqual(await read(ending.secret), [2, 2, 2])
    mock.timers.enable({ apis: ['Date'], now: Date.now() + HOUR_MS })
    assert.deepEqual(await read(ending.secret), [401, 401, 401])
  })

  test('feeds have the newest published cards', async () => {
    const board = await contentBoard(site(), 'News & more')
    await board.add({ name: 'First <one>', desc: 'Text ]]> & more' })
    await board.add({ name: 'Hidden', idList: board.lists.draft })
    const second = await board.add({ name: 'Second', idLabels: board.labels.web })
    const feed = await board.readJson('/feed.json')
    assert.equal(feed.version, 'https://jsonfeed.org/version/1.1')
    assert.equal(feed.title, 'News & more')
    assert.deepEqual(
      feed.items.map(({ title }: CardsJson) => title),
      ['Second', 'First <one>']
    )
    assert.equal(feed.items[0].id, `${site().url}/content/${board.slug}/cards/${second.id}`)
    assert.deepEqual(feed.items[0].tags, ['Web'])
    const xml = await board.read('/feed.xml')
    assert.equal(xml.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
    const names = [...xml.text.matchAll(/<title>(.*?)<\/title>/g)].map(([, name]) => name)
    assert.deepEqual(names, ['News &amp; more', 'Second', 'First &lt;one&gt;'])
    const owned = await board.read('/feed.xml', board.token)
    assert.equal(owned.text, xml.text)
  })

  test('a preview token shows drafts of its board or card until it ends', async () => {
    const board = await contentBoard(site())
    await board.add({ name: 'Public' })
    const draft = await board.add({ name: 'Draft card', idList: board.lists.draft })
    await board.add({ name: 'Other draft', idList: board.lists.draft })
    await board.add({ name: 'Old', idList: board.lists.archive })
    const path = `/content/${board.slug}/preview-tokens`
    const create = async (body: object, token = board.token) =>
      site().ask(path, { method: 'POST', body, token })
    assert.equal((await create({}, board.key)).status, 401)
    for (const body of [{ expires: '31d' }, { expires: 5 }, { scope: 'all' }]) {
      assert.equal((await create(body)).status, 400, JSON.stringify(body))
    }
    const ofBoard = JSON.parse((await create({})).text)
    const ends = Date.parse(ofBoard.expiresAt) - Date.now()
    assert.ok(Math.abs(ends - 24 * 3600 * 1000) < 60_000)
    const shown = await board.read('/cards', ofBoard.token)
    assert.deepEqual(titles(JSON.parse(shown.text)), ['Public', 'Draft card', 'Other draft'])
    assert.equal(shown.headers.get('cache-control'), 'private, no-cache')
    const ofCard = JSON.parse((await create({ card: draft.id, expires: '1h' })).text)
    assert.deepEqual(titles(await board.readJson('/cards', ofCard.token)), ['Draft card'])
    const wrong = `${ofCard.token.slice(0, -1)}${ofCard.token.endsWith('A') ? 'B' : 'A'}`
    assert.equal((await board.read('/cards', wrong)).status, 401)
    const other = await contentBoard(site(), 'Other board')
    assert.equal((await other.read('/cards', ofBoard.token)).status, 404)
    assert.equal(
      (await site().api('/boards', { method: 'POST', token: ofBoard.token })).status,
      401
    )
  })
})
