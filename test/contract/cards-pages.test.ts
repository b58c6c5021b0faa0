/** Signed-in pages: who may open and change what. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ACTIONS } from '../../src/services/cards/pages/actions/action-table.ts'
import {
  navigate,
  type SignedInBrowser,
  sendToken,
  signIn,
  signInAtConsole
} from './cards-browser.ts'
import { type ContentBoard, contentBoard } from './cards-content-board.ts'
import { type CardsJson, type Site, sites } from './cards-site.ts'

const JSON_WANTED = { accept: 'application/json' }
/** Fields that the actions read; each takes what it needs. */
const FIELDS = {
  name: 'Changed',
  title: 'Changed',
  to: 'left',
  closed: 'true',
  visibility: 'public',
  color: 'red',
  days: '1',
  member: 'owner',
  revision: '1'
}

/** All that the actions can change of a board. */
async function stateOf(site: Site, token: string, board: string): Promise<string> {
  const parts = 'lists=all&cards=all&labels=all&customFields=true&actions=all&card_attachments=true'
  const { text } = await site.api(`/boards/${board}?fields=all&${parts}`, { token })
  const { text: boards } = await site.api('/members/me/boards?fields=id,name', { token })
  return text + boards
}

async function linkOf(site: Site, { id, token }: ContentBoard): Promise<string> {
  return (await site.json(`/boards/${id}?fields=shortLink`, { token })).shortLink
}

/** What a page says, without its style. */
function mainOf({ text }: { text: string }): string {
  return text.slice(text.indexOf('<main'))
}

sites('Signed-in pages of cards', {}, (site) => {
  test('a pasted token becomes a session that ends when the token is revoked', async () => {
    const { secret, id } = await site().token({ name: 'laptop' })
    const { status, headers } = await sendToken(site(), ` ${secret} `)
    assert.deepEqual([status, headers.get('location')], [303, './'])
    assert.match(
      headers.get('set-cookie') ?? '',
      /^nonet_cards=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/
    )
    const browser = await signIn(site(), secret)
    assert.match((await browser.get('/')).text.slice(-20_000), /Sign out/)
    await site().revoke(id)
    const after = await browser.get('/')
    assert.doesNotMatch(after.text.slice(-20_000), /Sign out/)
    assert.match(after.headers.get('set-cookie') ?? '', /^nonet_cards=; .*Max-Age=0/)
    assert.equal((await browser.post('/boards', { name: 'Late' })).status, 401)
  })

  test('other tokens do not sign in, and say why', async () => {
    const member = (await site().json('/members/me', { token: (await site().token()).secret }))
      .username
    const key = await site().publishable(member, 'PrtFl1o9')
    const { secret: writeOnly } = await site().token({ scopes: ['write'] })
    for (const [token, message] of [
      ['0'.repeat(64), /unknown, expired or revoked/],
      ['', /unknown, expired or revoked/],
      [key, /publishable key/],
      [writeOnly, /scope read/]
    ] as const) {
      const { status, text, headers } = await sendToken(site(), token)
      assert.equal(status, 401, token)
      assert.match(text, message)
      assert.equal(headers.get('set-cookie'), null)
      assert.ok(token === '' || !text.includes(token), 'the token is not repeated')
    }
    const { secret } = await site().token()
    assert.equal((await sendToken(site(), secret, 'http://elsewhere.example')).status, 403)
  })

  test('the link of the console signs in once, as the first member', async () => {
    const opened = await fetch(`${site().console}/open/cards`, { redirect: 'manual' })
    const link = opened.headers.get('location') ?? ''
    assert.match(link, /\/\?signin=[\w-]{43}$/)
    const first = await fetch(link, { redirect: 'manual' })
    assert.deepEqual([first.status, first.headers.get('location')], [303, './'])
    const again = await fetch(link, { redirect: 'manual' })
    assert.equal(again.status, 401)
    assert.match(await again.text(), /already used or has expired/)
    const browser = await signInAtConsole(site())
    assert.match(mainOf(await browser.get('/')), /Portfolio/)
  })

  test('the operator can be any member, others cannot', async () => {
    const ada = await site().member('ada')
    await site().json('/boards?name=Engines', { method: 'POST', token: ada })
    const operator = await signInAtConsole(site())
    const { status, headers } = await operator.post('/member', { member: 'ada' })
    assert.equal(status, 303)
    const [cookie = ''] = (headers.get('set-cookie') ?? '').split(';')
    assert.match((await site().ask('/', { headers: { cookie } })).text, /Engines/)
    assert.doesNotMatch((await operator.get('/')).text.slice(-20_000), /Sign out/)
    const browser = await signIn(site(), ada)
    assert.equal((await browser.post('/member', { member: 'owner' })).status, 403)
  })

  test('the session is not accepted by the APIs, images included', async () => {
    const board = await contentBoard(site(), 'Closed shop')
    const draft = await board.add({ name: 'Hidden', idList: board.lists.draft })
    await board.addImage(draft.id)
    const { cookie } = await signIn(site(), board.token)
    const headers = { cookie }
    const images = (await board.readJson('/cards', board.token)).cards[0].images
    const image = images[0].url.slice(site().url.length).split('?')[0]
    for (const path of [
      '/1/members/me',
      `/1/boards/${board.id}`,
      `/content/${board.slug}`,
      image
    ]) {
      const { status, text } = await site().ask(path, { headers })
      const without = await site().ask(path)
      assert.ok(status >= 400, path)
      assert.deepEqual([status, text], [without.status, without.text], path)
    }
    const created = await site().ask('/1/boards?name=X', { method: 'POST', headers })
    assert.equal(created.status, 401)
  })

  test('URLs of images on pages of members open the images and nothing else', async () => {
    const board = await contentBoard(site(), 'Pictures')
    const draft = await board.add({ name: 'Hidden', idList: board.lists.draft })
    await board.addImage(draft.id)
    const browser = await signIn(site(), board.token)
    const { text } = await browser.get(`/b/${await linkOf(site(), board)}/pictures`)
    const [, image = '', token = ''] =
      /(\/images\/[^"]*?token=(\w{2}_[\w-]+))/.exec(text.replaceAll('&amp;', '&')) ?? []
    assert.equal((await site().ask(image)).status, 200)
    for (const path of [
      `/b/${await linkOf(site(), board)}/pictures?token=${token}`,
      `/b/${await linkOf(site(), board)}/-/events?token=${token}`,
      `/content/${board.slug}/cards?token=${token}`,
      `/1/boards/${board.id}?token=${token}`
    ]) {
      assert.equal((await site().ask(path)).status, 401, path)
    }
  })

  test('boards of others look like unknown ones, for everyone', async () => {
    const board = await contentBoard(site(), 'Secret plans')
    const shortLink = await linkOf(site(), board)
    const other = await signIn(site(), await site().member('eve'))
    for (const headers of [{}, { cookie: other.cookie }]) {
      for (const path of ['', '/-/settings', '/-/delete']) {
        const found = await navigate(site(), `/b/${shortLink}${path}`, headers)
        const unknown = await navigate(site(), `/b/AAAAAAAA${path}`, headers)
        assert.equal(found.status, 404)
        assert.equal(found.text.replaceAll(shortLink, 'AAAAAAAA'), unknown.text)
      }
    }
    assert.match(mainOf(await navigate(site(), `/b/${shortLink}`)), /href="\.\.\/sign-in"/)
  })

  test('a member sees public boards of others as the public does', async () => {
    const other = await signIn(site(), await site().member('reader'))
    const { status, text } = await other.get('/b/PrtFl1o9/portfolio')
    assert.equal(status, 200)
    assert.match(text, /Tide clock/)
    assert.doesNotMatch(text, /Museum of small things/)
  })

  test('no action is done without session, form token, origin and scope', async () => {
    const board = await contentBoard(site(), 'Guarded')
    const member = (await site().json('/members/me', { token: board.token })).username
    const { secret: readOnly } = await site().token({
      scopes: ['read'],
      flags: { member }
    })
    const { secret: writer } = await site().token({
      scopes: ['read', 'write'],
      flags: { member }
    })
    const own = await signIn(site(), board.token)
    const reader = await signIn(site(), readOnly)
    const limited = await signIn(site(), writer)
    const other = await signIn(site(), await site().member('mallory'))
    const card = await board.add({ name: 'Guarded card' })
    const shortLink = await linkOf(site(), board)
    const params: Record<string, string> = {
      board: shortLink,
      list: board.lists.draft,
      label: board.labels.web,
      card: card.shortLink
    }
    const before = await stateOf(site(), board.token, board.id)
    assert.ok(ACTIONS.length >= 15)
    for (const { path: pattern, needs = 'write' } of ACTIONS) {
      const path = pattern.replace(/:(\w+)/g, (_, name) => params[name] ?? 'a'.repeat(24))
      const expect = async (name: string, sent: Promise<{ status: number }>, wanted: number) =>
        assert.equal((await sent).status, wanted, `${name} ${path}`)
      const body = new URLSearchParams(FIELDS)
      const post = (headers: Record<string, string>) =>
        site().ask(path, { method: 'POST', body, headers: { origin: site().url, ...headers } })
      await expect('no session', post({}), 401)
      await expect('no session, script', post(JSON_WANTED), 401)
      await expect('no form token', post({ cookie: own.cookie }), 403)
      const cross = own.post(path, FIELDS, { headers: { origin: 'http://elsewhere.example' } })
      await expect('another origin', cross, 403)
      await expect(
        "another session's token",
        other.post(path, FIELDS, { headers: { cookie: own.cookie } }),
        403
      )
      if (needs !== 'read') await expect('read-only', reader.post(path, FIELDS), 403)
      if (needs === 'admin') await expect('without admin', limited.post(path, FIELDS), 403)
      if (!pattern.includes(':')) continue
      const { status } = await other.post(path, FIELDS, { headers: JSON_WANTED })
      assert.ok(status === 404 || status === 400, `another member ${path}: ${status}`)
    }
    assert.equal(await stateOf(site(), board.token, board.id), before)
  })

  test('a read-only session shows no form', async () => {
    const { secret } = await site().token({ scopes: ['read'], flags: { member: 'owner' } })
    const browser = await signIn(site(), secret)
    for (const path of ['/', '/b/PrtFl1o9/-/settings']) {
      const { text } = await browser.get(path)
      const actions = [...text.matchAll(/<form[^>]*action="([^"?]*)/g)].map(([, action]) => action)
      const enabled = actions.filter((action) => !action?.endsWith('/sign-out'))
      assert.ok(enabled.length === 0 || /<fieldset class="stack" disabled>/.test(text), path)
      assert.match(text, /may only read/)
    }
    assert.equal((await browser.get('/b/PrtFl1o9/-/delete')).status, 403)
  })

  test('a board is created with lists, roles and mapped fields', async () => {
    const { secret: token } = await site().token({ flags: { member: 'owner' } })
    const browser = await signIn(site(), token)
    const wrong = await browser.post('/boards', { name: ' ', visibility: 'public' })
    assert.equal(wrong.status, 400)
    assert.match(mainOf(wrong), /value="public" checked/)
    const { status, headers } = await browser.post('/boards', {
      name: 'Études',
      visibility: 'public'
    })
    assert.equal(status, 303)
    assert.match(headers.get('location') ?? '', /^\.\/b\/\w{8}\/%C3%A9tudes$/)
    const content = JSON.parse((await site().ask('/content/%C3%A9tudes', { token })).text)
    assert.deepEqual(
      content.lists.map(({ name, role }: CardsJson) => [name, role]),
      [
        ['Draft', 'draft'],
        ['Published', 'published'],
        ['Archive', 'archive']
      ]
    )
    assert.equal((await site().ask('/content/%C3%A9tudes')).status, 200)
  })

  test('settings, lists and labels are changed by forms and by scripts', async () => {
    const board = await contentBoard(site(), 'Changing')
    const { token } = board
    const browser = await signIn(site(), token)
    const shortLink = await linkOf(site(), board)
    const at = `/b/${shortLink}/-`
    const done = async (sent: ReturnType<SignedInBrowser['post']>) =>
      assert.equal((await sent).status, 303)
    await done(
      browser.post(`${at}/settings`, {
        name: 'Changed',
        description: 'Line\r\nLine',
        visibility: 'public',
        slug: 'changed-slug',
        timeZone: 'Europe/Berlin',
        completedField: '',
        urlField: ''
      })
    )
    const { name, desc, prefs } = await site().json(`/boards/${board.id}`, { token })
    assert.deepEqual([name, desc, prefs.permissionLevel], ['Changed', 'Line\nLine', 'public'])
    const wrong = await browser.post(`${at}/settings`, { name: 'Typed', slug: 'Not A Slug' })
    assert.equal(wrong.status, 400)
    assert.match(mainOf(wrong), /value="Typed"/)
    assert.match(mainOf(wrong), /value="Not A Slug"/)
    assert.equal((await site().json(`/boards/${board.id}`, { token })).name, 'Changed')

    const added = await browser.post(
      `${at}/lists`,
      { name: 'Ideas', role: 'draft' },
      { headers: JSON_WANTED }
    )
    const { id: ideas, role } = JSON.parse(added.text)
    assert.deepEqual([added.status, role], [200, 'draft'])
    const order = async () =>
      (await site().json(`/boards/${board.id}/lists`, { token })).map(({ id }: CardsJson) => id)
    const first = (await order())[0]
    const moved = await browser.post(
      `${at}/lists/${ideas}/move`,
      { before: first },
      { headers: JSON_WANTED }
    )
    assert.deepEqual(JSON.parse(moved.text).lists, await order())
    assert.equal((await order())[0], ideas)
    await done(browser.post(`${at}/lists/${ideas}/move`, { to: 'right' }))
    assert.equal((await order())[1], ideas)
    await done(browser.post(`${at}/lists/${ideas}/move`, { to: 'end' }))
    assert.equal((await order()).at(-1), ideas)
    const lost = await browser.post(`${at}/lists/${ideas}/move`, { before: 'f'.repeat(24) })
    assert.equal(lost.status, 409)
    await done(browser.post(`${at}/lists/${ideas}`, { name: 'Notions', role: 'published' }))
    await done(browser.post(`${at}/lists/${ideas}/archive`, { closed: 'true' }))
    assert.equal((await order()).includes(ideas), false)
    await done(browser.post(`${at}/lists/${ideas}/archive`, { closed: 'false' }))
    assert.equal((await site().json(`/lists/${ideas}`, { token })).name, 'Notions')

    const label = await browser.post(
      `${at}/labels`,
      { name: 'wood', color: 'green' },
      { headers: JSON_WANTED }
    )
    const { id: wood } = JSON.parse(label.text)
    await done(browser.post(`${at}/labels/${wood}`, { name: 'oak', color: '' }))
    assert.deepEqual(
      [
        (await site().json(`/labels/${wood}`, { token })).name,
        (await site().json(`/labels/${wood}`, { token })).color
      ],
      ['oak', null]
    )
    await done(browser.post(`${at}/labels/${wood}/delete`, {}))
    assert.equal((await site().api(`/labels/${wood}`, { token })).status, 404)
  })

  test('a publishable key is shown once, works and is revoked; a preview link shows drafts', async () => {
    const board = await contentBoard(site(), 'Keys')
    const { token } = board
    await board.add({ name: 'Only a draft', idList: board.lists.draft })
    const browser = await signIn(site(), token)
    const shortLink = await linkOf(site(), board)
    const at = `/b/${shortLink}/-`
    const made = await browser.post(`${at}/keys`, { name: 'my site' })
    const key = /pk_\w{20}/.exec(mainOf(made))?.[0] ?? ''
    assert.deepEqual([made.status, made.headers.get('cache-control')], [200, 'no-store'])
    assert.equal((await board.read('/cards', key)).status, 200)
    const settings = (await browser.get(`${at}/settings`)).text
    assert.match(settings, /my site/)
    assert.equal(settings.includes(key), false)
    const id = [...settings.matchAll(/keys\/([0-9a-f]{16})\/revoke/g)].at(-1)?.[1] ?? ''
    const foreign = await browser.post(`${at}/keys/${'0'.repeat(16)}/revoke`, {})
    assert.equal(foreign.status, 404)
    assert.equal((await browser.post(`${at}/keys/${id}/revoke`, {})).status, 303)
    assert.equal((await board.read('/cards', key)).status, 401)

    const link = await browser.post(`${at}/preview`, { days: '7' })
    const preview = /pv_[\w-]+/.exec(mainOf(link))?.[0] ?? ''
    const path = `/b/${shortLink}/keys?token=${preview}`
    const shown = await navigate(site(), path)
    assert.equal(shown.status, 200)
    assert.match(mainOf(shown), /Only a draft/)
    assert.match(mainOf(shown), new RegExp(`/c/\\w{8}/[^"]*\\?token=${preview}`))
    assert.equal((await site().ask(`/b/${shortLink}/keys`)).status, 404)
  })

  test('a board is archived, reopened and deleted', async () => {
    const board = await contentBoard(site(), 'Short lived')
    const browser = await signIn(site(), board.token)
    const shortLink = await linkOf(site(), board)
    const at = `/b/${shortLink}/-`
    assert.equal((await browser.post(`${at}/archive`, { closed: 'true' })).status, 303)
    assert.equal((await board.read('/cards', board.key)).status, 404)
    assert.match(mainOf(await browser.get('/')), /Archived:/)
    assert.equal((await browser.post(`${at}/archive`, { closed: 'false' })).status, 303)
    assert.match(mainOf(await browser.get(`${at}/delete`)), /Delete “Short lived”\?/)
    assert.equal((await browser.post(`${at}/delete`, {})).status, 303)
    assert.equal((await site().api(`/boards/${board.id}`, { token: board.token })).status, 404)
    assert.equal((await board.read('/cards', board.key)).status, 401)
  })

  test('an export is imported by upload, and what is wrong with it is said', async () => {
    const browser = await signIn(site(), await site().member('importer'))
    const file = (text: string) => {
      const body = new FormData()
      body.append('export', new Blob([text]), 'board.json')
      body.append('new-ids', 'true')
      return body
    }
    const start = (body: FormData) => browser.post('/import', {}, { body, headers: JSON_WANTED })
    const finish = async (job: string) => {
      for (;;) {
        const { text, status } = await browser.get(`/import/${job}`)
        assert.equal(status, 200)
        if (!text.includes('<progress')) return mainOf({ text })
      }
    }
    const board = {
      id: 'b'.repeat(24),
      name: 'Imported shop',
      lists: [{ id: 'c'.repeat(24), name: 'Published', pos: 1 }],
      cards: [{ id: 'd'.repeat(24), name: 'Shelf', idList: 'c'.repeat(24), pos: 1 }],
      labels: []
    }
    const { job } = JSON.parse((await start(file(JSON.stringify(board)))).text)
    assert.match(await finish(job), /Imported <a[^>]*><bdi>Imported shop/)
    assert.match(mainOf(await browser.get('/')), /Imported shop/)
    const other = await signInAtConsole(site())
    assert.equal((await other.get(`/import/${job}`)).status, 404)

    const broken = JSON.parse((await start(file('{"id":'))).text)
    assert.match(await finish(broken.job), /board\.json cannot be imported: it is not JSON/)
    const empty = await start(file(''))
    assert.deepEqual([empty.status, JSON.parse(empty.text).error], [400, 'IMPORT_FILE_MISSING'])
  })

  test('the sample is marked, and removed by its owner', async () => {
    const other = await signIn(site(), await site().member('stranger'))
    assert.equal((await other.post('/remove-sample', {})).status, 303)
    const browser = await signInAtConsole(site())
    assert.equal((await browser.post('/remove-sample', {})).status, 303)
    assert.equal((await browser.get('/b/PrtFl1o9/portfolio')).status, 404)
    assert.doesNotMatch(mainOf(await browser.get('/')), /· sample/)
  })
})
