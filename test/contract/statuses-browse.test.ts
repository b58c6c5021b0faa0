import assert from 'node:assert/strict'
import { test } from 'node:test'
import { post, type Site, sites } from './statuses-site.ts'

const OPERATION = 'Nocturne'

async function textOf(site: Site, path: string): Promise<string> {
  const { status, text } = await site.ask(path)
  assert.equal(status, 200, path)
  return text
}

async function redirectOf(site: Site, path: string): Promise<[number, string | null]> {
  const { status, headers } = await site.ask(path)
  return [status, headers.get('location')]
}

function idsIn(text: string): string[] {
  return [...new Set([...text.matchAll(/\/ada\/status\/(\d+)/g)].map(([, id = '']) => id))]
}

/** All posts of a list, which links to its next page. */
async function followOlder(site: Site, path: string): Promise<string[]> {
  const ids: string[] = []
  for (let next: string | undefined = path; next !== undefined; ) {
    const text: string = await textOf(site, next)
    ids.push(...idsIn(text))
    const [, older] = /<a class="older" href="([^"]*before=[^"]*)"/.exec(text) ?? []
    next = older?.replaceAll('&amp;', '&')
  }
  return ids
}

sites('I-7, the sample', {}, (site) => {
  test('a first start shows a sample', async () => {
    assert.deepEqual(await redirectOf(site(), '/'), [302, '/marit'])
    const profile = await textOf(site(), '/marit')
    assert.match(profile, /This is a sample\./)
    assert.match(profile, /nonet reset statuses --sample/)
    const [picture = ''] = /\/media\/[0-9a-f]{64}\.png/.exec(profile) ?? []
    const { status, headers } = await site().ask(picture)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
    assert.match(await textOf(site(), '/search?q=灯台'), /百十二段/)
    assert.deepEqual(await redirectOf(site(), '/marit_at_sea'), [302, '/marit'])
  })

  test('it is removed with one request, and the start page tells how to import', async () => {
    assert.equal((await site().receive('remove-sample', {})).text, '{"removed":true}')
    assert.equal((await site().receive('remove-sample', {})).text, '{"removed":false}')
    assert.match(await textOf(site(), '/'), /nonet import statuses twitter-archive\.zip/)
    assert.match(await textOf(site(), '/search?q=clock'), /No post has all of this/)
    assert.equal((await site().ask('/marit')).status, 404)
    assert.doesNotMatch(await textOf(site(), '/sitemap.xml'), /marit/)
  })
})

sites('I-7, an import replaces the sample', {}, (site) => {
  test('its account is gone with the first import', async () => {
    assert.deepEqual(await redirectOf(site(), '/'), [302, '/marit'])
    await site().posts(await site().account(), post('20'))
    assert.deepEqual(await redirectOf(site(), '/'), [302, '/ada'])
    assert.equal((await site().ask('/marit')).status, 404)
  })
})

sites('I-7, pages to browse', {}, (site) => {
  const many = Array.from({ length: 70 }, (_, index) => String(1000 + index))
  test('posts are imported', async () => {
    const account = await site().account({ formerNames: [{ userName: 'countess' }] })
    const march = many.map((id) => post(id, { text: `March ${id}` }))
    const others = [
      post('30', { createdAt: '2008-01-01T00:00:00.000Z', text: '<b>bold</b> New Year' }),
      post('40', { createdAt: '2010-05-05T00:00:00.000Z', visibility: 'hidden', text: OPERATION }),
      post('41', { visibility: 'hidden', text: `${OPERATION} in March` })
    ]
    await site().posts(account, ...march, ...others)
  })

  test('the profile has the newest posts and all months with their numbers', async () => {
    const text = await textOf(site(), '/ada')
    assert.deepEqual(idsIn(text), many.toReversed().slice(0, 20))
    assert.match(text, /71 posts since January 2008/)
    const plain = text.replace(/<[^>]*>/g, '')
    assert.match(plain, /Mar 70 posts in 2009/)
    assert.match(plain, /Jan 1 post in 2008/)
    assert.doesNotMatch(plain, /\b2010\b/)
  })

  test('the pages of a month reach each of its posts once', async () => {
    assert.deepEqual(await followOlder(site(), '/ada/archive/2009/03'), many.toReversed())
    const end = await site().ask(`/ada/archive/2009/03?before=${'0'.repeat(19)}`)
    assert.equal(end.status, 404)
    assert.match(
      await textOf(site(), '/ada/archive/2008/01'),
      /rel="prev" href="\/ada\/archive\/2009\/03"/
    )
    for (const month of ['2010/05', '2009/04', '2009/13', '2009/3', '0000/00']) {
      assert.equal((await site().ask(`/ada/archive/${month}`)).status, 404, month)
    }
  })

  test('a cursor that is none shows the first page', async () => {
    const first = idsIn(await textOf(site(), '/ada/archive/2009/03'))
    for (const cursor of ['x', '-1', '9'.repeat(19), '1e5', "'"]) {
      assert.deepEqual(idsIn(await textOf(site(), `/ada/archive/2009/03?before=${cursor}`)), first)
      await textOf(site(), `/search?q=march&before=${cursor}`)
    }
  })

  test('search finds public posts only, and pages through them', async () => {
    assert.deepEqual(await followOlder(site(), '/search?q=march'), many.toReversed())
    assert.match(await textOf(site(), `/search?q=${OPERATION}`), /No post has all of this/)
    assert.match(await textOf(site(), '/search?q=%3Cb%3E'), /&lt;b&gt;bold/)
    assert.match(await textOf(site(), '/search'), /What you can write/)
  })

  test('a wrong query is explained in a sentence', async () => {
    const text = await textOf(site(), '/search?q=%22open')
    assert.match(text, /role="alert">A quotation mark is not closed; add one/)
    assert.match(text, /value="&quot;open"/)
    await textOf(site(), `/search?q=${'x'.repeat(600)}`)
  })

  test('feeds have the newest posts', async () => {
    const rss = await site().ask('/ada/feed.xml')
    assert.equal(rss.headers.get('content-type'), 'application/rss+xml; charset=utf-8')
    assert.deepEqual(idsIn(rss.text), many.toReversed().slice(0, 30))
    const json = await site().ask('/ada/feed.json')
    assert.equal(json.headers.get('content-type'), 'application/feed+json; charset=utf-8')
    const { version, items } = JSON.parse(json.text)
    assert.equal(version, 'https://jsonfeed.org/version/1.1')
    assert.equal(items.length, 30)
  })

  test('the sitemap has all public posts, and robots lead to it', async () => {
    const sitemap = await site().ask('/sitemap.xml')
    assert.equal(sitemap.headers.get('content-type'), 'application/xml; charset=utf-8')
    assert.deepEqual(idsIn(sitemap.text), ['30', ...many])
    assert.match(sitemap.text, /<loc>http:[^<]*\/ada\/archive\/2008\/01<\/loc>/)
    const robots = await textOf(site(), '/robots.txt')
    assert.match(
      robots,
      /^User-agent: \*\nDisallow: \/search\nAllow: \/\n\nSitemap: http.*\/sitemap\.xml\n$/
    )
    assert.equal((await site().ask('/sitemap-0.xml')).status, 404)
  })

  const pages = ['/ada', '/ada/archive/2009/03', '/ada/feed.xml', '/ada/feed.json']
  test('former names, other cases and a slash at the end redirect', async () => {
    for (const page of pages) {
      for (const name of ['countess', 'ADA', 'Countess', '@ada']) {
        const given = page.replace('/ada', `/${name}`)
        assert.deepEqual(await redirectOf(site(), given), [302, page], given)
      }
    }
    assert.deepEqual(await redirectOf(site(), '/ada/'), [302, '/ada'])
    assert.deepEqual(await redirectOf(site(), '/ada/archive/2009/03/'), [
      302,
      '/ada/archive/2009/03'
    ])
  })

  test('pages have validators and may be cached', async () => {
    for (const page of [
      ...pages,
      '/search?q=march',
      '/sitemap.xml',
      '/robots.txt',
      '/favicon.svg'
    ]) {
      const { headers } = await site().ask(page)
      assert.equal(
        headers.get('cache-control'),
        'public, max-age=300, stale-while-revalidate=86400'
      )
      const etag = headers.get('etag') ?? ''
      const again = await site().ask(page, { 'if-none-match': `"other", W/${etag}` })
      assert.deepEqual([again.status, again.text], [304, ''], page)
      assert.equal(headers.get('set-cookie'), null)
    }
  })

  test('hidden posts are nowhere, and a post that is hidden later disappears', async () => {
    const listed = [...pages, '/search?q=new', '/sitemap.xml', '/']
    assert.match(await textOf(site(), '/search?q=new'), /New Year/)
    const created = { createdAt: '2008-01-01T00:00:00.000Z', text: '<b>bold</b> New Year' }
    await site().posts('12', post('30', { ...created, visibility: 'hidden' }))
    for (const page of listed) {
      const { text } = await site().ask(page)
      assert.doesNotMatch(text, new RegExp(`${OPERATION}|New Year|status/(30|40|41)\\b`), page)
    }
    assert.match(await textOf(site(), '/ada'), /70 posts since March 2009/)
    assert.equal((await site().ask('/ada/archive/2008/01')).status, 404)
  })

  test('an account without public posts is not there', async () => {
    const id = await site().account({ id: '13', userName: 'shy', name: 'Shy', bio: OPERATION })
    await site().posts(id, post('50', { visibility: 'hidden' }))
    assert.deepEqual(await redirectOf(site(), '/'), [302, '/ada'])
    for (const path of ['/shy', '/shy/feed.xml', '/shy/archive/2009/03']) {
      assert.equal((await site().ask(path)).status, 404, path)
    }
    await site().posts(id, post('51'))
    const accounts = await textOf(site(), '/')
    assert.match(accounts, /2 accounts and their public posts/)
    assert.match(accounts, /@shy · 1 post</)
  })
})
