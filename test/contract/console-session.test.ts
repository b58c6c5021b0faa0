/** Browsers that signed in at the console and at the admin pages of mock. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, mock as fake, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import { SESSION_LIMITS } from '../../src/kernel/page-session.ts'
import { openStream } from '../support/open-stream.ts'
import { type PlainAnswer, type PlainRequest, sendPlain } from '../support/plain-http.ts'

const TOKEN = 'a-token-of-the-operator'
const HTML = { accept: 'text/html' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }

let nonet: Nonet<'scenarios' | 'mock'>
before(async () => {
  nonet = await start({
    services: ['scenarios', 'mock'],
    adminToken: TOKEN,
    lan: true,
    mock: { reload: false }
  })
  await sendPlain(`${nonet.scenarios.url}/w/shown/api/users`)
})
after(() => nonet.stop())
afterEach(() => fake.timers.reset())

/** The pages of both, each with a page that has a form besides the one for the sign-out. */
const SITES = {
  console: {
    url: () => nonet.console?.url ?? '',
    home: '/',
    page: '/scenarios/workspaces',
    form: '/scenarios/workspaces/reset',
    other: '/scenarios/workspaces/shown/reset'
  },
  mock: {
    url: () => nonet.mock.url,
    home: '/__nonet/',
    page: '/__nonet/journal',
    form: '/__nonet/journal/clear',
    other: '/__nonet/coverage/reset'
  }
} as const

type Name = keyof typeof SITES

function cookieIn({ headers }: PlainAnswer): string {
  return headers['set-cookie']?.[0]?.split(';', 1)[0] ?? assert.fail('no cookie was set')
}

async function signIn(name: Name): Promise<string> {
  const { url, home } = SITES[name]
  const answer = await sendPlain(`${url()}${home}?token=${TOKEN}`)
  assert.equal(answer.status, 303)
  return cookieIn(answer)
}

/** URL of the form on a page that posts to this path. */
async function actionOf(name: Name, cookie: string, path: string, page?: string): Promise<string> {
  const site = SITES[name]
  const { status, body } = await sendPlain(site.url() + (page ?? site.page), {
    headers: { ...HTML, cookie }
  })
  assert.equal(status, 200)
  const actions = [...body.toString().matchAll(/action="([^"]*)"/g)].map(
    ([, action = '']) => action
  )
  const found = actions.find((action) => action.startsWith(`${path}?form=`))
  return site.url() + (found ?? assert.fail(`${path} is not in ${actions}`))
}

async function outcomeOf(url: string, request: PlainRequest): Promise<string> {
  const { status, body } = await sendPlain(url, request)
  const [, code] = /"(?:error|code)":"([A-Z_]+)"/.exec(body.toString()) ?? []
  return code === undefined ? String(status) : `${status} ${code}`
}

for (const name of ['console', 'mock'] as const) {
  const site = SITES[name]
  const otherName = name === 'mock' ? 'console' : 'mock'

  describe(`the pages of ${name}`, () => {
    let cookie: string
    let action: string
    before(async () => {
      cookie = await signIn(name)
      action = await actionOf(name, cookie, site.form)
    })

    const post = (headers: Record<string, string>, url = action) =>
      outcomeOf(url, { method: 'POST', headers: { ...FORM, ...headers }, body: '' })
    const own = () => ({ cookie, origin: site.url() })

    test('the cookie has the name of the service and a random value', async () => {
      const answer = await sendPlain(`${site.url()}${site.home}?token=${TOKEN}&a=b`)
      assert.equal(answer.headers.location, `${site.home}?a=b`)
      const format = `^nonet_${name}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Strict$`
      assert.match(answer.headers['set-cookie']?.[0] ?? '', new RegExp(format))
      assert.notEqual(cookieIn(answer), cookie)
    })

    test('a form of the page is accepted', async () => {
      assert.match(await post({ ...own(), ...HTML }), /^303$/)
    })

    test('pages accept the cookie alone, also behind another one of that name', async () => {
      for (const sent of [cookie, `nonet_${name}=; ${cookie}`, `nonet_${name}=x; a=b; ${cookie}`]) {
        assert.equal(await outcomeOf(site.url() + site.page, { headers: { cookie: sent } }), '200')
      }
    })

    test('a missing, foreign or other cookie is none', async () => {
      const [, value = ''] = cookie.split('=')
      const other = await signIn(otherName)
      const [, otherValue = ''] = other.split('=')
      const cookies = [
        ...['', 'nonet_admin=x', `nonet_${name}=`, `nonet_${name}=${TOKEN}`, other],
        ...[`nonet_${name}=${otherValue}`, `nonet_${otherName}=${value}`, `nonet_admin=${value}`],
        ...[`nonet_${name}=${'x'.repeat(43)}`, `x${cookie}`, `${cookie}x`]
      ]
      for (const sent of cookies) {
        const headers = { cookie: sent }
        const page = site.url() + site.page
        assert.equal(await outcomeOf(page, { headers }), '401 TOKEN_MISSING', sent)
        assert.equal(await post({ ...own(), ...headers }), '401 TOKEN_MISSING', sent)
      }
    })

    test('a change needs the origin of the page, with its port', async () => {
      const { port } = new URL(site.url())
      const origins = [
        ...['http://elsewhere.example', 'null', 'http://127.0.0.1', SITES[otherName].url()],
        ...[`http://127.0.0.1:${Number(port) + 1}`, `http://localhost:${port}`],
        `https://127.0.0.1:${port}`
      ]
      for (const origin of origins) {
        assert.equal(await post({ cookie, origin }), '403 FOREIGN_ORIGIN', origin)
      }
      const sameSite = { ...own(), 'sec-fetch-site': 'same-site' }
      assert.equal(await post(sameSite), '403 FOREIGN_ORIGIN')
      assert.match(await post({ cookie }), /^403 (PLAIN_FORM|MALFORMED_REQUEST)$/)
      const json = { cookie, 'content-type': 'application/json' }
      assert.equal(await post(json), '403 FOREIGN_ORIGIN')
    })

    test('a change needs the form token of its session and route', async () => {
      const otherSession = await actionOf(name, await signIn(name), site.form)
      const [, foreign = ''] = otherSession.split('?')
      const page = name === 'mock' ? '/__nonet/coverage' : `${site.page}?of=shown`
      const [, otherRoute = ''] = (await actionOf(name, cookie, site.other, page)).split('?')
      const { body } = await sendPlain(site.url() + site.page, { headers: HTML })
      const [, anonymous = ''] = /action="[^"?]*\?(form=[^"]*)"/.exec(body.toString()) ?? []
      assert.notEqual(anonymous, '')
      for (const query of ['', 'form=', 'form=x', foreign, otherRoute, anonymous]) {
        const url = `${site.url()}${site.form}?${query}`
        assert.equal(await post(own(), url), '403 FORM_TOKEN_MISSING', query)
        const json = { ...own(), 'content-type': 'application/json' }
        assert.equal(await post(json, url), '403 FORM_TOKEN_MISSING', query)
      }
      const request = { method: 'DELETE', headers: own() }
      assert.equal(await outcomeOf(action, request), '403 FORM_TOKEN_MISSING')
    })

    test('programs need neither', async () => {
      const headers = { authorization: `Bearer ${TOKEN}` }
      const url = site.url() + site.form
      assert.match(await outcomeOf(url, { method: 'POST', headers }), /^(204|303)$/)
    })

    test('the token can be pasted', async () => {
      const { status, body } = await sendPlain(site.url() + site.page, { headers: HTML })
      assert.equal(status, 401)
      const [, target = ''] =
        /<form[^>]* action="([^"]*)" method="post"/.exec(body.toString()) ?? []
      const paste = (token: string) =>
        sendPlain(site.url() + target, {
          method: 'POST',
          headers: { ...HTML, ...FORM },
          body: `token=${token}`
        })
      const answer = await paste(`+${TOKEN}+`)
      assert.deepEqual([answer.status, answer.headers.location], [303, site.home])
      const pasted = { headers: { cookie: cookieIn(answer) } }
      assert.equal(await outcomeOf(site.url() + site.page, pasted), '200')
      const wrong = await paste('wrong')
      assert.equal(wrong.status, 401)
      assert.equal(wrong.headers['set-cookie'], undefined)
      assert.match(wrong.body.toString(), /This is not the admin token/)
    })

    test('a session ends if it is not used, and after a day', async () => {
      const begin = Date.now()
      fake.timers.enable({ apis: ['Date'], now: begin })
      const page = { headers: { cookie: await signIn(name) } }
      const statusAfter = async (milliseconds: number) => {
        fake.timers.setTime(begin + milliseconds)
        return outcomeOf(site.url() + site.page, page)
      }
      const { idleMs, lifetimeMs } = SESSION_LIMITS
      for (let time = 0; time < lifetimeMs; time += idleMs - 1) {
        assert.equal(await statusAfter(time), '200')
      }
      assert.equal(await statusAfter(lifetimeMs), '401 TOKEN_MISSING')
      fake.timers.setTime(begin)
      const unused = { headers: { cookie: await signIn(name) } }
      fake.timers.setTime(begin + idleMs)
      assert.equal(await outcomeOf(site.url() + site.page, unused), '401 TOKEN_MISSING')
      assert.equal(
        await post({ cookie: unused.headers.cookie, origin: site.url() }),
        '401 TOKEN_MISSING'
      )
    })

    test('the button signs out this browser only', async () => {
      const leaving = await signIn(name)
      const signOut = await actionOf(name, leaving, `${site.home}sign-out`)
      assert.equal(await post(own(), signOut), '403 FORM_TOKEN_MISSING')
      const headers = { ...FORM, cookie: leaving, origin: site.url() }
      const answer = await sendPlain(signOut, { method: 'POST', headers, body: '' })
      assert.deepEqual([answer.status, answer.headers.location], [303, site.home])
      assert.match(answer.headers['set-cookie']?.[0] ?? '', /=; Path=\/; Max-Age=0; /)
      const page = site.url() + site.page
      assert.equal(await outcomeOf(page, { headers: { cookie: leaving } }), '401 TOKEN_MISSING')
      assert.equal(await outcomeOf(page, { headers: { cookie } }), '200')
    })
  })
}

test('an event stream accepts the cookie and ends with the session', {
  timeout: 60_000
}, async () => {
  const cookie = await signIn('mock')
  const headers = { cookie, accept: 'text/event-stream' }
  using stream = await openStream(`${nonet.mock.url}/__nonet/journal/events`, headers)
  assert.equal(stream.response.statusCode, 200)
  assert.deepEqual(await stream.next(), { retry: '2000' })
  const signOut = await actionOf('mock', cookie, '/__nonet/sign-out')
  const leave = { ...FORM, cookie, origin: nonet.mock.url }
  await sendPlain(signOut, { method: 'POST', headers: leave, body: '' })
  while ((await stream.next()) !== undefined);
  assert.ok(stream.ended())
})

test('an API accepts no cookie', async () => {
  const both = `${await signIn('console')}; ${await signIn('mock')}`
  const [, value] = both.split('=')
  const api = `${nonet.scenarios.url}/_workspaces`
  for (const cookie of [both, `nonet_scenarios=${value}`, `nonet_admin=${value}`]) {
    assert.equal((await sendPlain(api, { headers: { cookie } })).status, 401, cookie)
    const headers = { cookie, origin: nonet.scenarios.url, 'content-type': 'application/json' }
    const reset = { method: 'POST', headers, body: '{}' }
    assert.equal((await sendPlain(`${api}/shown/reset`, reset)).status, 401, cookie)
  }
})

describe('the console opens the admin pages of mock', () => {
  async function openMock(): Promise<string> {
    const headers = { cookie: await signIn('console') }
    const { status, headers: answer } = await sendPlain(`${SITES.console.url()}/open/mock`, {
      headers
    })
    assert.equal(status, 303)
    return answer.location ?? ''
  }

  test('with a link that signs in once', async () => {
    const link = await openMock()
    assert.match(link, /^http:\/\/127\.0\.0\.1:\d+\/__nonet\/\?signin=[\w-]{43}$/)
    assert.ok(link.startsWith(nonet.mock.url))
    const answer = await sendPlain(link)
    assert.deepEqual([answer.status, answer.headers.location], [303, '/__nonet/'])
    const headers = { cookie: cookieIn(answer) }
    assert.equal(await outcomeOf(`${nonet.mock.url}/__nonet/journal`, { headers }), '200')
    assert.equal(await outcomeOf(link, {}), '401 SIGN_IN_LINK_USED')
    const again = await sendPlain(link, { headers: HTML })
    assert.equal(again.status, 401)
    assert.match(again.body.toString(), /This sign-in link was already used or has expired/)
    assert.equal(again.headers['set-cookie'], undefined)
  })

  test('that expires after a minute', async () => {
    fake.timers.enable({ apis: ['Date'], now: Date.now() })
    const [early, late] = [await openMock(), await openMock()]
    fake.timers.setTime(Date.now() + SESSION_LIMITS.linkLifetimeMs - 1)
    assert.equal((await sendPlain(early)).status, 303)
    fake.timers.setTime(Date.now() + 1)
    assert.equal(await outcomeOf(late, {}), '401 SIGN_IN_LINK_USED')
  })

  test('that is of no use for the console', async () => {
    const { search } = new URL(await openMock())
    const url = `${SITES.console.url()}/${search}`
    assert.equal(await outcomeOf(url, {}), '401 SIGN_IN_LINK_USED')
  })

  test('and keeps the session of a browser that has one', async () => {
    const cookie = await signIn('mock')
    const answer = await sendPlain(await openMock(), { headers: { cookie } })
    assert.equal(answer.status, 303)
    assert.equal(answer.headers['set-cookie'], undefined)
  })

  test('from the page of another site by a page, because a redirect would lose the cookie', async () => {
    const headers = { ...HTML, 'sec-fetch-site': 'cross-site' }
    const answer = await sendPlain(await openMock(), { headers })
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.refresh, '0; url=/__nonet/')
    assert.match(cookieIn(answer), /^nonet_mock=/)
  })

  test('only for operators, and only services that run', async () => {
    const url = SITES.console.url()
    assert.equal(await outcomeOf(`${url}/open/mock`, {}), '401 TOKEN_MISSING')
    const headers = { cookie: await signIn('console') }
    assert.equal(await outcomeOf(`${url}/open/boxes`, { headers }), '404 SERVICE_UNKNOWN')
    const { headers: plain } = await sendPlain(`${url}/open/scenarios`, { headers })
    assert.equal(plain.location, `${nonet.scenarios.url}/`)
  })

  test('from the switcher of other pages', async () => {
    const { body } = await sendPlain(`${nonet.scenarios.url}/`, { headers: HTML })
    assert.ok(body.includes(`href="${SITES.console.url()}/open/mock"`))
  })
})

test('a local client needs no session', async () => {
  await using local = await start({ services: ['mock'], mock: { reload: false } })
  const console = local.console?.url ?? ''
  const opened = await sendPlain(`${console}/open/mock`)
  assert.equal(opened.headers.location, `${local.mock.url}/__nonet/`)
  const { status, headers, body } = await sendPlain(`${local.mock.url}/__nonet/journal`, {
    headers: HTML
  })
  assert.deepEqual([status, headers['set-cookie']], [200, undefined])
  assert.ok(!body.includes('Sign out'))
})

test('the origin of a public URL has its scheme, and its cookie is for TLS only', async () => {
  const host = 'mock.example'
  await using proxied = await start({
    services: ['mock'],
    adminToken: TOKEN,
    publicUrl: { mock: `https://${host}` },
    mock: { reload: false }
  })
  const home = `${proxied.mock.url}/__nonet/`
  const answer = await sendPlain(`${home}?token=${TOKEN}`, { headers: { host } })
  assert.match(answer.headers['set-cookie']?.[0] ?? '', /; SameSite=Strict; Secure$/)
  const cookie = cookieIn(answer)
  const page = await sendPlain(`${home}journal`, { headers: { ...HTML, host, cookie } })
  const [, action = ''] =
    /action="(\/__nonet\/journal\/clear[^"]*)"/.exec(page.body.toString()) ?? []
  const change = (origin: string) =>
    outcomeOf(proxied.mock.url + action, {
      method: 'POST',
      headers: { ...FORM, host, cookie, origin },
      body: ''
    })
  assert.equal(await change(`http://${host}`), '403 FOREIGN_ORIGIN')
  assert.equal(await change(`https://${host}:8443`), '403 FOREIGN_ORIGIN')
  assert.equal(await change(`https://${host}`), '204')
  // The operator may also use the port itself.
  const direct = await sendPlain(`${home}?token=${TOKEN}`)
  assert.match(direct.headers['set-cookie']?.[0] ?? '', /; SameSite=Strict$/)
})
