import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sendPlain } from '../support/plain-http.ts'
import { post, type Site, seen, sites } from './statuses-site.ts'

const FIRST = '20'
const PAIR = ['9007199254740993', '9007199254740992'] as const
const LAST = '9223372036854775807'
const PAGE = `/ada/status/${FIRST}`

async function redirectOf(site: Site, path: string): Promise<[number, string | null]> {
  const { status, headers } = await site.ask(path)
  return [status, headers.get('location')]
}

sites('I-7, a post is found by its id', {}, (site) => {
  test('posts are imported', async () => {
    const id = await site().account()
    const posts = [FIRST, ...PAIR, LAST].map((one) => post(one))
    assert.deepEqual(await site().posts(id, ...posts), Array(4).fill('added'))
    assert.deepEqual(await site().posts(id, ...posts), Array(4).fill('unchanged'))
  })

  test('the name of the author shows the page', async () => {
    const { status, headers, text } = await site().ask(PAGE)
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.match(text, /Text of 20/)
    assert.match(
      headers.get('content-security-policy') ?? '',
      /^default-src 'none'; img-src 'self'/
    )
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'$/)
    assert.equal(headers.get('cache-control'), 'public, max-age=300, stale-while-revalidate=86400')
    assert.equal(headers.get('vary'), 'Accept, Accept-Encoding')
    assert.equal(headers.get('access-control-allow-origin'), '*')
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin')
  })

  const wrong = [
    ...['wrong', 'i', 'ADA', 'twitter', 'search', 'api', 'media', 'status', 'favicon.ico', 'a.b'],
    ...[
      'x'.repeat(200),
      '%F0%9F%98%80',
      '%2e%2e',
      '%2E',
      '%00',
      '%2f%2fevil.example',
      'a%20b',
      '@ada'
    ],
    ...["'", '"', '*', '~', '%E2%80%AE', '__proto__', 'constructor', '0', '20', '9'.repeat(3_000)]
  ]
  test('any other name redirects, and is never an error', async () => {
    for (const name of wrong) {
      assert.deepEqual(await redirectOf(site(), `/${name}/status/${FIRST}`), [302, PAGE], name)
    }
  })

  const aliases = [
    ...['/wrong/statuses/20', '/ada/statuses/20', '/ada/thread/20', '/i/web/status/20'],
    ...['/statuses/20', '/status/20', '/ada/status/20/', '/status/20/', '/i/web/status/20/'],
    ...['//ada//status/20', '/ada/status/20/likes', '/x/status/20/history', '/x/status/20/quotes'],
    ...['/x/status/20/retweets', '/x/status/20/analytics', '//evil.example/status/20']
  ]
  test('each other form of the path leads to the page in one hop', async () => {
    for (const path of aliases) assert.deepEqual(await redirectOf(site(), path), [302, PAGE], path)
    for (const path of ['/ada/status/20/photo/2', '/x/statuses/20/video/2/']) {
      assert.deepEqual(await redirectOf(site(), path), [302, `${PAGE}#media-2`], path)
    }
    assert.deepEqual(await redirectOf(site(), '/x/status/20/embed/'), [302, `${PAGE}/embed`])
  })

  test('a redirect keeps the theme and drops all else of the query', async () => {
    for (const [path, location] of [
      ['/x/status/20?s=20&theme=dark&lang=de', `${PAGE}?theme=dark`],
      ['/x/status/20/photo/1?theme=light', `${PAGE}?theme=light#media-1`],
      ['/x/status/20?theme=%23evil', PAGE],
      ['/ADA?theme=dark&page=2', '/ada?theme=dark']
    ] as const) {
      assert.deepEqual(await redirectOf(site(), path), [302, location], path)
    }
  })

  test('a redirect has no content, a short life, and nothing of the request', async () => {
    const plain = await site().ask(`/evil/status/${FIRST}`)
    const hostile = await sendPlain(`${site().url}/x/status/20?next=//evil.example&s=20`, {
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example', cookie: 'a=b' }
    })
    assert.equal(hostile.headers.location, PAGE)
    assert.equal(hostile.status, 302)
    assert.equal(plain.text, '')
    assert.equal(plain.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(plain.headers.get('content-length'), '0')
    assert.equal(plain.headers.get('set-cookie'), null)
  })

  test('a page of a hostile host has no link to it', async () => {
    const { status, body: bytes } = await sendPlain(site().url + PAGE, {
      headers: { host: 'evil.example' }
    })
    const body = bytes.toString()
    assert.equal(status, 200)
    assert.doesNotMatch(body, /evil\.example/)
    assert.ok(body.includes(`href="${site().url}${PAGE}"`))
  })

  test('ids are text: neighbours beyond 2^53 are different posts, and 2^63 is none', async () => {
    for (const id of [...PAIR, LAST]) {
      assert.match((await site().ask(`/ada/status/${id}`)).text, new RegExp(`Text of ${id}\\b`))
    }
    const unknown = seen(await site().ask('/ada/status/21'))
    const none = [
      ...[
        '9223372036854775808',
        '020',
        '+20',
        '-20',
        '20.0',
        '2e1',
        '0x14',
        '20%20',
        '%32%30',
        '0'
      ],
      ...[
        '20.json',
        '20.html',
        '２０',
        encodeURIComponent('２０'),
        '20;a',
        '1'.repeat(40),
        'x',
        '%zz'
      ]
    ]
    for (const id of none) {
      assert.deepEqual(seen(await site().ask(`/ada/status/${id}`)), unknown, id)
    }
    for (const path of ['/%zz/status/20', '/%ff/status/20', '/ada/status/20/photo/0', '/a/b/c/d']) {
      assert.deepEqual(seen(await site().ask(path)), unknown, path)
    }
  })

  test('HEAD has the headers of GET, of pages, redirects, errors and data', async () => {
    for (const path of [PAGE, '/x/status/20', '/x/status/21', '/api/tweet/20', '/ada', '/']) {
      const get = await site().ask(path)
      const head = await site().ask(path, {}, 'HEAD')
      assert.deepEqual(seen(head), { ...seen(get), text: '' }, path)
    }
  })

  test('other methods are rejected, whatever the path', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      for (const path of [PAGE, '/ada/status/21', '/nowhere/at/all']) {
        const { status, headers } = await site().ask(path, {}, method)
        assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], `${method} ${path}`)
      }
    }
  })

  test('a page that has not changed is not sent again', async () => {
    for (const [path, accept] of [
      [PAGE, 'text/html'],
      [PAGE, 'application/json'],
      [`${PAGE}/embed`, '*/*'],
      ['/api/tweet/20', '*/*'],
      ['/tweet-result?id=20', '*/*'],
      ['/ada', 'text/html']
    ] as const) {
      const { headers } = await site().ask(path, { accept })
      const etag = headers.get('etag') ?? ''
      assert.match(etag, /^"[\w-]+"$/, path)
      for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await site().ask(path, { accept, 'if-none-match': tags })
        assert.deepEqual([again.status, again.text], [304, ''], `${path} ${tags}`)
        for (const name of ['etag', 'cache-control', 'vary', 'last-modified']) {
          assert.equal(again.headers.get(name), headers.get(name), name)
        }
      }
      const since = headers.get('last-modified') ?? ''
      assert.equal((await site().ask(path, { accept, 'if-modified-since': since })).status, 304)
      const other = { accept, 'if-none-match': '"other"', 'if-modified-since': since }
      assert.equal((await site().ask(path, other)).status, 200)
    }
  })

  test('a client that prefers JSON gets the record', async () => {
    const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'
    for (const [accept, type] of [
      ['application/json', 'application/json; charset=utf-8'],
      ['application/json, text/plain, */*', 'application/json; charset=utf-8'],
      ['text/html;q=0.5, application/json', 'application/json; charset=utf-8'],
      ['application/json;q=0', 'text/html; charset=utf-8'],
      ['application/json;q=0.5, text/html', 'text/html; charset=utf-8'],
      [browser, 'text/html; charset=utf-8'],
      ['*/*', 'text/html; charset=utf-8'],
      ['image/png', 'text/html; charset=utf-8']
    ]) {
      const { status, headers } = await site().ask(PAGE, { accept: accept ?? '' })
      assert.deepEqual([status, headers.get('content-type')], [200, type], accept)
    }
  })

  test('a query has no effect on the page', async () => {
    const plain = await site().ask(PAGE)
    for (const query of ['s=20', 't=abc&s=20', 'ref_src=twsrc%5Etfw', '%zz', 'theme=x']) {
      assert.deepEqual(seen(await site().ask(`${PAGE}?${query}`)), seen(plain), query)
    }
  })
})

sites('I-7, names change', {}, (site) => {
  test('a renamed account has its posts at the new name, and back again without a loop', async () => {
    const { account, posts } = site()
    await posts(await account(), post(FIRST))
    await account({ userName: 'Countess' })
    assert.deepEqual(await redirectOf(site(), PAGE), [302, '/Countess/status/20'])
    assert.equal((await site().ask('/Countess/status/20')).status, 200)
    assert.deepEqual(await redirectOf(site(), '/countess/status/20'), [302, '/Countess/status/20'])
    assert.deepEqual(await redirectOf(site(), '/ADA'), [302, '/Countess'])
    await account()
    assert.deepEqual(await redirectOf(site(), '/Countess/status/20'), [302, PAGE])
    assert.equal((await site().ask(PAGE)).status, 200)
    assert.deepEqual(await redirectOf(site(), '/countess'), [302, '/ada'])
    assert.equal((await site().ask('/ada')).status, 200)
  })

  test('a name that another account takes over leads to that account, the posts to their authors', async () => {
    const { account, posts, receive } = site()
    const other = { id: '13', name: 'Ada Byron', userName: 'ADA' }
    const refused = await receive('account', {
      account: { ...other, bio: '', formerNames: [], source: 'x_archive' },
      newAccount: false,
      dryRun: false
    })
    assert.equal(refused.status, 409, refused.text)
    assert.match(refused.text, /--new-account/)
    await posts(await account(other, true), post('30'))
    assert.deepEqual(await redirectOf(site(), '/x/status/30'), [302, '/ADA/status/30'])
    assert.deepEqual(await redirectOf(site(), '/ADA/status/20'), [302, '/ada_12/status/20'])
    assert.match((await site().ask('/ADA')).text, /Ada Byron/)
    assert.deepEqual(await redirectOf(site(), '/ada'), [302, '/ADA'])
  })
})

sites(
  'I-7, settings',
  {
    statuses: { redirectStatus: '308', tombstones: true, rateLimit: 40, title: 'Home of posts' },
    publicUrl: { statuses: 'https://posts.example/old/' }
  },
  (site) => {
    test('the status of redirects and the path of the public URL', async () => {
      await site().posts(await site().account(), post(FIRST), post('21'), post('22'))
      const found = await redirectOf(site(), '/x/status/20')
      assert.deepEqual(found, [308, '/old/ada/status/20'])
      const { text } = await site().ask(PAGE)
      assert.ok(
        text.includes('<link rel="canonical" href="https://posts.example/old/ada/status/20">')
      )
      assert.match((await site().ask('/api/tweet/21')).text, /https:\/\/posts\.example\/old\/media/)
      for (const url of [
        'https://posts.example/old/x/status/20',
        'http://posts.example/old/status/20/'
      ]) {
        assert.equal((await site().ask(`/oembed?url=${encodeURIComponent(url)}`)).status, 200, url)
      }
      const outside = encodeURIComponent('https://posts.example/x/status/20')
      assert.equal((await site().ask(`/oembed?url=${outside}`)).status, 404)
    })

    test('410 for posts that were public, and 404 for those that were not', async () => {
      const deleted = { visibility: 'deleted' } as const
      await site().posts(
        '12',
        post('21', deleted),
        post('23', deleted),
        post('22', { visibility: 'hidden' })
      )
      const expected = [
        ['20', 200],
        ['21', 410],
        ['22', 404],
        ['23', 404],
        ['24', 404]
      ] as const
      for (const [id, status] of expected) {
        const answer = await site().ask(`/ada/status/${id}`)
        assert.equal(answer.status, status, id)
        if (status !== 200) assert.doesNotMatch(answer.text, /ada/i)
      }
    })

    test('too many requests of one address are rejected for some seconds', async () => {
      const statuses: number[] = []
      for (let n = 0; n < 60; n++) statuses.push((await site().ask(PAGE)).status)
      assert.equal(statuses[0], 200)
      const { status, headers, text } = await site().ask(PAGE)
      assert.equal(status, 429)
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d?$/)
      assert.equal(JSON.parse(text).code, 'TOO_MANY_REQUESTS')
      assert.equal(headers.get('cache-control'), 'no-store')
    })
  }
)
