import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROUTES } from '../../src/services/statuses/http/route-table.ts'
import { MATRIX } from './statuses-matrix.ts'
import { PIXEL, post, type Site, seen, sites, video } from './statuses-site.ts'

const PUBLIC = '1000000000000000001'
const IDS = {
  hidden: '1000000000000000002',
  deleted: '1000000000000000003',
  unknown: '1000000000000000004',
  malformed: '01000000000000000002'
} as const
const SECRET = 'zanzibar'
const HIDDEN_ACCOUNT = 'veiled'
const BROWSERS = { html: { accept: 'text/html' }, json: { accept: 'application/json' } } as const

const NAMES = ['ada', 'wrong', HIDDEN_ACCOUNT, 'i']

async function browse(site: Site): Promise<Record<string, object>> {
  const pages: Record<string, object> = {}
  for (const check of Object.values(MATRIX)) {
    if (check.kind !== 'list') continue
    for (const path of check.paths) pages[path] = seen(await site.ask(path))
  }
  pages.page = seen(await site.ask(`/ada/status/${PUBLIC}`))
  pages.record = seen(await site.ask(`/ada/status/${PUBLIC}`, BROWSERS.json))
  return pages
}

sites('I-7, only public posts exist', {}, (site) => {
  test('every route is in the matrix', () => {
    const patterns: string[] = ROUTES.map(({ pattern }) => pattern)
    assert.deepEqual(Object.keys(MATRIX).toSorted(), patterns.toSorted())
  })

  test('hidden and deleted posts change no list, page, count, feed or sitemap', async () => {
    const { account, posts, file } = site()
    const id = await account()
    const later = {
      replyTo: { id: PUBLIC, userName: 'ada' },
      createdAt: '2009-03-05T10:00:00.000Z'
    }
    await posts(id, post(PUBLIC), post('1000000000000000009', later))
    const before = await browse(site())
    assert.match(JSON.stringify(before), /Text of 1000000000000000009/)
    const photo = await file(PIXEL)
    const media = {
      type: 'photo',
      file: photo,
      width: 1,
      height: 1,
      sourceKey: 'a',
      alt: SECRET
    } as const
    const text = `${SECRET} text`
    await posts(
      id,
      post(IDS.hidden, { ...later, visibility: 'hidden', text, media: [media] }),
      post(IDS.deleted, { visibility: 'deleted', text, createdAt: '2011-05-01T10:00:00.000Z' })
    )
    const other = await account({ id: '99', userName: HIDDEN_ACCOUNT, name: SECRET, bio: SECRET })
    await posts(other, post('1000000000000000010', { visibility: 'hidden', text }))
    assert.deepEqual(await browse(site()), before)
    assert.doesNotMatch(
      JSON.stringify(await browse(site())),
      new RegExp(`${SECRET}|${HIDDEN_ACCOUNT}`)
    )
  })

  test('hidden, deleted, unknown and malformed ids get the same bytes on every route', async () => {
    for (const [pattern, check] of Object.entries(MATRIX)) {
      if (check.kind !== 'id') continue
      for (const [form, headers] of Object.entries(BROWSERS)) {
        const [first = ''] = NAMES
        const expected = await site().ask(check.path(first, IDS.unknown), headers)
        assert.equal(expected.status, 404, pattern)
        for (const id of Object.values(IDS)) {
          for (const name of NAMES) {
            const answer = await site().ask(check.path(name, id), headers)
            assert.deepEqual(seen(answer), seen(expected), `${check.path(name, id)} ${form}`)
          }
        }
        assert.notEqual((await site().ask(check.path(first, PUBLIC), headers)).status, 404, pattern)
      }
    }
  })

  test('each representation has its own error, without a name', async () => {
    const expected = {
      [`/api/tweet/${IDS.hidden}`]: '{"data":null}',
      [`/tweet-result?id=${IDS.hidden}`]: '{}',
      '/tweet-result': '{}',
      '/api/tweet/x': '{"data":null}'
    }
    for (const [path, text] of Object.entries(expected)) {
      assert.deepEqual(
        [(await site().ask(path)).status, (await site().ask(path)).text],
        [404, text]
      )
    }
    const page = await site().ask(`/ada/status/${IDS.hidden}`)
    assert.doesNotMatch(page.text, /ada|lovelace/i)
    assert.equal(page.headers.get('cache-control'), 'public, max-age=60')
    assert.equal(page.headers.get('etag'), null)
    const { text } = await site().ask(`/ada/status/${IDS.hidden}`, BROWSERS.json)
    assert.equal(JSON.parse(text).code, 'NOT_FOUND')
  })

  test('an account without public posts is the same as an unknown one', async () => {
    for (const rest of ['', '/feed.xml', '/feed.json', '/archive/2009/03']) {
      const unknown = seen(await site().ask(`/unknown${rest}`))
      assert.deepEqual(seen(await site().ask(`/${HIDDEN_ACCOUNT}${rest}`)), unknown)
    }
  })

  test('a search for hidden words is the same as one for unknown words', async () => {
    const unknown = 'quixotic'
    for (const query of ['', 'from:', '-text ']) {
      const word = query === 'from:' ? HIDDEN_ACCOUNT : SECRET
      const other = query === 'from:' ? 'nosuch' : unknown
      const ask = async (text: string) =>
        (await site().ask(`/search?q=${encodeURIComponent(query + text)}`)).text.replaceAll(
          text,
          'W'
        )
      assert.equal(await ask(word), await ask(other), query)
    }
  })

  test('a post that quotes or replies to a hidden one is as if that were unknown', async () => {
    const { posts, ask } = site()
    const referring = (id: string, to: string) =>
      post(id, {
        text: 'Look',
        replyTo: { id: to, userName: 'ada' },
        quotedId: to,
        quotedUrl: `https://twitter.com/ada/status/${to}`
      })
    const pairs = [
      ['1000000000000000021', IDS.hidden],
      ['1000000000000000022', IDS.unknown]
    ] as const
    await posts('12', ...pairs.map(([id, to]) => referring(id, to)))
    const paths = [
      (id: string) => `/ada/status/${id}`,
      (id: string) => `/ada/status/${id}/embed`,
      (id: string) => `/api/tweet/${id}`,
      (id: string) => `/oembed?url=https://x.com/i/status/${id}`
    ]
    for (const headers of Object.values(BROWSERS)) {
      for (const path of paths) {
        const texts: string[] = []
        for (const [id, to] of pairs) {
          const { status, text } = await ask(path(id), headers)
          assert.equal(status, 200, path(id))
          assert.doesNotMatch(text, new RegExp(SECRET))
          texts.push(text.replaceAll(id, 'ID').replaceAll(to, 'TO'))
        }
        assert.equal(texts[0], texts[1], path('ID'))
      }
    }
  })

  test('media are public as long as a public post or account shows them', async () => {
    const { account, posts, file, ask } = site()
    const [photo, film, avatar] = [
      await file(PIXEL),
      await file(video(3_000)),
      await file(video(4_000))
    ]
    const poster = { type: 'video', file: film, width: 4, height: 3, sourceKey: 'f' } as const
    const clip = (visibility: 'public' | 'hidden') =>
      post('1000000000000000031', {
        visibility,
        media: [{ ...poster, posterHash: photo.hash, posterKey: 'p' }]
      })
    const paths = [`/media/${photo.hash}`, `/media/${photo.hash}.png`, `/media/${film.hash}.mp4`]
    const unknown = await ask(`/media/${'0'.repeat(64)}`)
    assert.equal(unknown.status, 404)
    const statuses = async () => {
      const found: number[] = []
      for (const path of paths) {
        const answer = await ask(path)
        if (answer.status === 404) assert.deepEqual(seen(answer), seen(unknown), path)
        found.push(answer.status)
      }
      return found
    }
    // The photo is that of the hidden post above.
    assert.deepEqual(await statuses(), [404, 404, 404])
    await posts('12', clip('public'))
    assert.deepEqual(await statuses(), [200, 200, 200])
    assert.equal((await ask('/ada/status/1000000000000000031')).status, 200)
    await posts('12', clip('hidden'))
    assert.deepEqual(await statuses(), [404, 404, 404])
    assert.equal((await ask('/ada/status/1000000000000000031')).status, 404)
    const wrong = [
      `/media/${photo.hash}.jpg`,
      `/media/${photo.hash.toUpperCase()}`,
      '/media/x',
      '/media/..%2f..'
    ]
    for (const path of wrong) assert.deepEqual(seen(await ask(path)), seen(unknown), path)
    const picture = { file: avatar, sourceKey: 'av' }
    await account({ id: '99', userName: HIDDEN_ACCOUNT, avatar: picture })
    assert.equal((await ask(`/media/${avatar.hash}`)).status, 404)
    await account({ avatar: picture })
    assert.equal((await ask(`/media/${avatar.hash}`)).status, 200)
  })
})
