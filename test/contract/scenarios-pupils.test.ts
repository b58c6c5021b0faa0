/** I-4, the class: whoever opens its URL has a workspace, and the teacher sees and changes it. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { openStream } from '../support/open-stream.ts'
import { type PlainAnswer, sendPlain } from '../support/plain-http.ts'
import { scenes, talkTo } from './scenarios-scene.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const COOKIE = /^(nonet_pupil=[\w-]{43}); Path=\/_demo; HttpOnly; SameSite=Lax; Max-Age=86400$/
const HOME = /^\/w\/(demo-([a-z2-9]{5})-[0-9A-Za-z]{22})\/_demo$/

interface Browser {
  cookie: string
  id: string
  tag: string
}

function browserOf({ status, headers }: PlainAnswer): Browser {
  assert.equal(status, 303)
  const [, cookie = ''] = COOKIE.exec(headers['set-cookie']?.[0] ?? '') ?? []
  const [, id = '', tag = ''] = HOME.exec(headers.location ?? '') ?? []
  assert.ok(cookie && id && tag, `${headers['set-cookie']} ${headers.location}`)
  return { cookie, id, tag }
}

type Headers = Readonly<Record<string, string>>

function classAt(nonet: Nonet<'scenarios'>) {
  const { url } = nonet.scenarios
  const home = `${nonet.console?.url}/scenarios/workspaces`
  const open = (headers: Headers = {}, method = 'GET') =>
    sendPlain(`${url}/_demo`, { method, headers })
  const rename = (name: string, headers: Headers, path = '/_demo/name') =>
    sendPlain(url + path, {
      method: 'POST',
      headers: { ...FORM, origin: url, ...headers },
      body: String(new URLSearchParams({ name }))
    })
  const page = async (query = '') => {
    const { status, body } = await sendPlain(home + query, { headers: { accept: 'text/html' } })
    return { status, text: body.toString() }
  }
  /** Sends a form of the page, as a browser does that sends no `Origin`. */
  const submit = async (path: string, fields: Record<string, string>, query = '') => {
    const { text } = await page(query)
    const actions = [...text.matchAll(/action="([^"]*)"/g)].map(([, action = '']) => action)
    const action = actions.find((one) => one.startsWith(`/scenarios/workspaces${path}?`))
    const sent = await sendPlain(`${nonet.console?.url}${action ?? assert.fail(`${actions}`)}`, {
      method: 'POST',
      headers: FORM,
      body: String(new URLSearchParams(fields))
    })
    return { ...sent, text: sent.body.toString() }
  }
  return { url, home, open, rename, page, submit, join: async () => browserOf(await open()) }
}

/** Cells of the row of a workspace, as text. */
function rowOf(html: string, key: string): string | undefined {
  const row = html.match(new RegExp(`<tr id="row-${key}".*?</tr>`, 's'))?.[0]
  return row
    ?.replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

scenes('I-4, the class', { console: true }, (talk, nonet) => {
  test('a browser that opens the URL again gets its workspace again, another one another', async () => {
    const { open, join } = classAt(nonet())
    const [ada, bob] = [await join(), await join()]
    assert.notEqual(ada.id, bob.id)
    for (const { cookie, id } of [ada, bob, ada]) {
      const again = browserOf(await open({ cookie }))
      assert.deepEqual([again.id, again.cookie], [id, cookie])
    }
    // Other ports of the host can set cookies of the same name.
    const several = `nonet_pupil=x; nonet_pupil=${'A'.repeat(43)}; ${bob.cookie}`
    assert.equal(browserOf(await open({ cookie: several })).id, bob.id)
    // The cookie of a workspace that was deleted gets another one.
    await talk().ask(`DELETE /_workspaces/${ada.id}`)
    assert.notEqual(browserOf(await open({ cookie: ada.cookie })).id, ada.id)
  })

  test('an image in a page of another site creates no workspace, a link there does', async () => {
    const { open } = classAt(nonet())
    const { get } = talk()
    const count = async () => (await get('GET /_workspaces')).workspaces.length
    const before = await count()
    const other = { 'sec-fetch-site': 'cross-site' }
    assert.equal((await open({ ...other, 'sec-fetch-dest': 'image' })).status, 404)
    assert.equal((await open({ ...other, 'sec-fetch-dest': 'iframe' })).status, 404)
    assert.equal((await open({}, 'HEAD')).status, 404)
    assert.equal(await count(), before)
    browserOf(await open({ ...other, 'sec-fetch-dest': 'document' }))
    assert.equal(await count(), before + 1)
  })

  test('a pupil is listed before the first request, then by the name that was entered', async () => {
    const { join, page, rename, url } = classAt(nonet())
    const { id, tag, cookie } = await join()
    assert.match(rowOf((await page()).text, `~${tag}`) ?? '', new RegExp(`^${tag} none yet 0 `))
    const saved = await rename('<b>Bobby</b> \u202e"Tables"', { cookie })
    assert.deepEqual([saved.status, saved.headers.location], [303, `/w/${id}/_demo`])
    await talk().get(`PATCH /w/${id}/api/users/2?scenario=slow%3A1`, { first_name: 'Jane' })
    const { text } = await page()
    assert.match(
      rowOf(text, `~${tag}`) ?? '',
      /^&lt;b&gt;Bobby&lt;\/b&gt; &quot;Tables&quot; 200 PATCH \/api\/users\/2\?scenario=slow:1 1 change /
    )
    assert.ok(!text.includes(id), 'the id opens the workspace, so a screen must not show it')
    const { text: own } = await page(`?of=~${tag}`)
    assert.match(own, /<h2[^>]*><bdi>&lt;b&gt;Bobby&lt;\/b&gt;/)
    assert.match(own, /&quot;first_name&quot;<\/span>: <span class="hl-text">&quot;Jane&quot;/)
    assert.equal((await page('?of=~zzzzz')).status, 404)
    const demo = await (await fetch(`${url}/w/${id}/_demo`)).text()
    assert.match(demo, /You are <b><bdi>&lt;b&gt;Bobby&lt;\/b&gt; &quot;Tables&quot;<\/bdi>/)
  })

  test('only the cookie decides whose name is changed', async () => {
    const { join, page, rename } = classAt(nonet())
    const [ada, eve] = [await join(), await join()]
    assert.equal((await rename('Ada', { cookie: ada.cookie })).status, 303)
    const name = async ({ tag }: Browser) => rowOf((await page()).text, `~${tag}`)?.split(' ', 1)[0]
    // What is in the path, in fields or in another page does not matter.
    assert.equal(
      (await rename('Eve', { cookie: eve.cookie }, `/w/${ada.id}/_demo/name`)).status,
      404
    )
    const others = [
      await rename('Eve', {}),
      await rename('Eve', { cookie: `nonet_pupil=${ada.id}` }),
      await rename('Eve', { 'x-workspace': ada.id }, `/_demo/name?workspace=${ada.id}`)
    ]
    for (const { status, body } of others) {
      assert.deepEqual([status, JSON.parse(body.toString()).error], [403, NO_WORKSPACE])
    }
    const foreign = { cookie: ada.cookie, origin: 'http://127.0.0.1:1' }
    assert.equal((await rename('Eve', foreign)).headers['x-error-code'], 'foreign_origin')
    for (const invalid of ['', ' \u200b', 'x'.repeat(41)]) {
      assert.equal((await rename(invalid, { cookie: ada.cookie })).status, 400)
    }
    assert.deepEqual([await name(ada), await name(eve)], ['Ada', eve.tag])
    // This browser leaves, and is another pupil when it comes again.
    const left = await sendPlain(`${nonet().scenarios.url}/_demo/leave`, {
      method: 'POST',
      headers: { cookie: ada.cookie, origin: nonet().scenarios.url }
    })
    assert.match(left.headers['set-cookie']?.[0] ?? '', /^nonet_pupil=; .*Max-Age=0$/)
  })

  const NO_WORKSPACE = 'This browser has no workspace: open the URL of the class again'

  test('a scenario is pushed to one or to all, and stopped; rules of tests stay', async () => {
    const { join, submit, page } = classAt(nonet())
    const { get, ask } = talk()
    const [ada, bob] = [await join(), await join()]
    const status = async ({ id }: Browser) => (await ask(`GET /w/${id}/api/users`)).status
    const both = async () => [await status(ada), await status(bob)]
    const rule = { path: '/api/me', scenario: 'gone' }
    await get(`PUT /_workspaces/${bob.id}/rules`, [rule])
    await get('GET /w/of-a-test/api/users')

    const one = await submit(
      `/~${bob.tag}/push`,
      { of: `~${bob.tag}`, scenario: ' status:418 ' },
      `?of=~${bob.tag}`
    )
    assert.deepEqual(
      [one.status, one.headers.location],
      [303, `/scenarios/workspaces?of=~${bob.tag}`]
    )
    assert.deepEqual(await both(), [200, 418])
    assert.match((await page()).text, /status:418<\/code> <span class="soft">1 of \d+</)
    assert.equal((await submit('/push', { quick: 'status:503' })).status, 303)
    assert.deepEqual(await both(), [503, 503])
    assert.equal((await ask('GET /w/of-a-test/api/users')).status, 200)
    assert.match((await page()).text, /status:503<\/code> <span class="soft">all</)
    assert.match(rowOf((await page()).text, `~${bob.tag}`) ?? '', / status:503 0 changes /)

    await submit(`/~${ada.tag}/push`, { stop: '1' }, `?of=~${ada.tag}`)
    assert.deepEqual(await both(), [200, 503])
    await submit('/push', { stop: '1' })
    assert.deepEqual(await both(), [200, 200])
    assert.deepEqual(await get(`GET /_workspaces/${bob.id}/rules`), [rule])
  })

  test('what is not a scenario is told, and nothing is pushed', async () => {
    const { join, submit } = classAt(nonet())
    const { id, tag } = await join()
    for (const [scenario, reason] of [
      ['slo:1', 'Unknown scenario: slo:1'],
      ['flaky:x', 'Invalid scenario argument: use flaky[:a/b]'],
      ['', 'Enter a scenario, or press one of the buttons.'],
      ['none', 'This selects no scenario.']
    ] as const) {
      for (const path of ['', `/~${tag}`]) {
        const { status, text } = await submit(`${path}/push`, { scenario }, `?of=~${tag}`)
        assert.equal(status, 422)
        const [alert, ...more] = [...text.matchAll(/role="alert">([^<]*)</g)].map(([, one]) => one)
        assert.deepEqual([alert, more], [reason, []])
        assert.ok(text.includes(`name="scenario" value="${scenario}"`), 'it can be corrected')
      }
    }
    assert.deepEqual(await talk().get(`GET /_workspaces/${id}/rules`), [])
  })

  test('a reset restores the samples and keeps the pupil', async () => {
    const { join, rename, submit, page, open } = classAt(nonet())
    const { ask } = talk()
    const { id, tag, cookie } = await join()
    await rename('Rosa', { cookie })
    await ask(`DELETE /w/${id}/api/users/2`)
    assert.equal((await ask(`GET /w/${id}/api/users/2`)).status, 404)
    await submit(`/~${tag}/reset`, {}, `?of=~${tag}`)
    assert.match(rowOf((await page()).text, `~${tag}`) ?? '', /^Rosa none yet 0 /)
    assert.equal((await ask(`GET /w/${id}/api/users/2`)).status, 200)
    assert.equal(browserOf(await open({ cookie })).id, id)
  })

  test('the page shows the latest requests of a workspace, and older ones on demand', async () => {
    const { page } = classAt(nonet())
    const { ask } = talk()
    for (let n = 1; n <= 30; n++) await ask(`GET /w/many/api/users/${n}`)
    const first = await page('?of=many')
    const shown = (text: string) =>
      [...text.matchAll(/class="entry"><p><code>\/api\/users\/(\d+)</g)].map(([, n]) => Number(n))
    assert.deepEqual(
      shown(first.text),
      Array.from({ length: 25 }, (_, n) => 30 - n)
    )
    const [, older = ''] = /href="([^"]*before=[^"]*)"/.exec(first.text) ?? []
    const query = older.replace('/scenarios/workspaces', '').replaceAll('&amp;', '&')
    assert.deepEqual(shown((await page(query)).text), [5, 4, 3, 2, 1])
  })

  test('the page is told of a pupil, a name, a request and a push', async () => {
    const { home, join, rename, submit } = classAt(nonet())
    using stream = await openStream(`${home}/events`)
    assert.equal((await stream.next())?.event, 'change')
    const { id, cookie } = await join()
    assert.equal((await stream.next())?.event, 'change')
    for (const act of [
      () => rename('Ada', { cookie }),
      () => talk().ask(`GET /w/${id}/api/users`),
      () => submit('/push', { quick: 'reset' })
    ]) {
      await act()
      assert.equal((await stream.next())?.event, 'change')
    }
    await submit('/push', { stop: '1' })
  })
})

describe('a class on the network', () => {
  const TOKEN = 'a-token-of-the-teacher'
  let nonet: Nonet<'scenarios' | 'boxes'>
  before(async () => {
    nonet = await start({
      services: ['scenarios', 'boxes'],
      console: true,
      lan: true,
      adminToken: TOKEN
    })
  })
  after(() => nonet.stop())

  test('pupils cannot open the page of the teacher, push, reset or read the requests of others', async () => {
    const { open, home } = classAt(nonet as Nonet<'scenarios'>)
    const [ada, eve] = [browserOf(await open()), browserOf(await open())]
    const { ask } = talkTo(nonet.scenarios.url)
    const headers = { cookie: eve.cookie }
    const changes = ['/push', `/~${ada.tag}/push`, '/reset', `/~${ada.tag}/reset`]
    for (const path of ['', `?of=~${ada.tag}`, '/code', '/events', '/live-classroom.js']) {
      assert.equal((await sendPlain(home + path, { headers })).status, 401, path)
    }
    for (const path of changes) {
      const json = { ...headers, 'content-type': 'application/json' }
      const sent = await sendPlain(home + path, { method: 'POST', headers: json, body: '{}' })
      assert.equal(sent.status, 401, path)
    }
    for (const request of [
      'GET /_workspaces',
      `GET /_workspaces/${ada.id}/requests`,
      `POST /_workspaces/${ada.id}/reset`
    ]) {
      const { status } = await ask(request, undefined, headers)
      assert.equal(status, 401, request)
    }
    const teacher = await sendPlain(home, { headers: { authorization: `Bearer ${TOKEN}` } })
    assert.equal(teacher.status, 200)
  })

  test('each service has a code, and the class is the first', async () => {
    const { home } = classAt(nonet as Nonet<'scenarios'>)
    const headers = { authorization: `Bearer ${TOKEN}` }
    const text = async (query: string) =>
      (await sendPlain(`${home}/code${query}`, { headers })).body.toString()
    const first = await text('')
    // Without a network there is no URL for others.
    if (!first.includes('<svg class="code-picture"')) {
      assert.match(first, /Only this machine can reach nonet/)
      return
    }
    assert.match(first, /aria-label="QR code of http:\/\/[\d.]+:\d+\/_demo"/)
    assert.match(
      await text('?for=boxes'),
      /<h1>Open boxes<\/h1>\s*<svg[^>]*aria-label="QR code of http:/
    )
    assert.match(await text('?for=nothing'), /<h1>Join the class<\/h1>/)
  })
})
