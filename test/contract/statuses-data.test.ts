import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import { sendPlain } from '../support/plain-http.ts'
import { PIXEL, post, sites, video } from './statuses-site.ts'

const TEXT = 'I ❤️ 👩‍👩‍👧 <b>&amp; @bob #Tag $CO https://e.example/?a=1&b=<2>'
const at = (part: string) => {
  const start = Array.from(TEXT.slice(0, TEXT.indexOf(part))).length
  return { start, end: start + Array.from(part).length }
}
const RICH: Partial<ImportedPost> = {
  text: TEXT,
  lang: 'en',
  entities: [
    { type: 'mention', ...at('@bob'), href: 'https://x.com/bob' },
    { type: 'hashtag', ...at('#Tag') },
    { type: 'symbol', ...at('$CO') },
    {
      type: 'url',
      ...at('https://e.example/?a=1&b=<2>'),
      href: 'https://e.example/?a=1&b=2',
      display: 'e.example/?a=1&b=<2>'
    },
    { type: 'url', start: 1, end: 3, href: 'javascript:alert(1)' },
    { type: 'url', start: 2, end: 9, href: 'https://overlaps.example/' },
    { type: 'url', start: 900, end: 950, href: 'https://outside.example/' }
  ],
  counts: { likes: 7, reposts: 2, replies: 1, quotes: null }
}

sites('I-7, posts as data', {}, (site) => {
  test('posts with media, a quotation and a thread are imported', async () => {
    const { account, posts, file } = site()
    const id = await account()
    const photo = await file(PIXEL)
    const film = await file(video(5_000))
    await posts(
      id,
      post('20', RICH),
      post('21', { quotedId: '20', replyTo: { id: '20', userName: 'ada' } }),
      post('22', {
        replyTo: { id: '21', userName: 'ada' },
        sensitive: true,
        media: [
          { type: 'photo', file: photo, width: 1, height: 1, sourceKey: '1', alt: 'A "dot"' },
          {
            ...{ type: 'video', file: film, width: 640, height: 360, sourceKey: '2' },
            ...{ posterHash: photo.hash, posterKey: '1', durationMs: 1500, bitrate: 832000 }
          }
        ]
      }),
      post('23', { replyTo: { id: '5', userName: 'bob' }, quotedId: '6' })
    )
  })

  test('the record', async () => {
    const { ask, url } = site()
    const record = async (id: string) =>
      JSON.parse((await ask(`/ada/status/${id}`, { accept: 'application/json' })).text)
    const first = await record('20')
    assert.deepEqual(Object.keys(first).toSorted(), [
      ...['author', 'counts', 'created_at', 'edited_at', 'entities', 'id', 'in_reply_to', 'lang'],
      ...['media', 'quoted', 'sensitive', 'source', 'summary', 'text', 'thread', 'url']
    ])
    assert.equal(first.text, TEXT)
    assert.equal(first.url, `${url}/ada/status/20`)
    assert.deepEqual(first.author, {
      id: '12',
      user_name: 'ada',
      name: 'Ada Lovelace',
      avatar_url: null
    })
    const characters = Array.from(TEXT)
    assert.deepEqual(
      first.entities.map(({ type, start, end, href }: Record<string, number>) => [
        type,
        characters.slice(start, end).join(''),
        href
      ]),
      [
        ['url', characters.slice(1, 3).join(''), null],
        ['mention', '@bob', 'https://x.com/bob'],
        ['hashtag', '#Tag', null],
        ['symbol', '$CO', null],
        ['url', 'https://e.example/?a=1&b=<2>', 'https://e.example/?a=1&b=2']
      ]
    )
    const second = await record('21')
    assert.deepEqual(second.thread, { previous: ['20'], next: ['22'] })
    assert.equal(second.quoted.text, TEXT)
    assert.deepEqual(second.in_reply_to, {
      id: '20',
      user_name: 'ada',
      url: `${url}/ada/status/20`,
      known: true
    })
    const { media } = await record('22')
    assert.equal(media[0].alt, 'A "dot"')
    assert.match(media[0].url, /\/media\/[0-9a-f]{64}\.png$/)
    assert.equal(media[1].poster_url, media[0].url)
    assert.deepEqual(media[1].variants, [
      { url: media[1].url, content_type: 'video/mp4', bitrate: 832000 }
    ])
    const last = await record('23')
    assert.deepEqual(last.quoted, { id: '6', url: null })
    assert.equal(last.in_reply_to.known, false)
    assert.equal(last.in_reply_to.url, 'https://x.com/bob/status/5')
  })

  test('the shapes of embedding clients: escaped text, and positions in it', async () => {
    const { ask, url } = site()
    const { data } = JSON.parse((await ask('/api/tweet/20')).text)
    assert.equal(data.text.includes('<'), false)
    assert.match(data.text, /&lt;b&gt;&amp;amp; @bob/)
    const characters = Array.from<string>(data.text)
    const textAt = ([start = 0, end = 0]: number[]) => characters.slice(start, end).join('')
    assert.equal(textAt(data.display_text_range), data.text)
    assert.equal(textAt(data.entities.user_mentions[0].indices), '@bob')
    assert.equal(textAt(data.entities.hashtags[0].indices), '#Tag')
    assert.equal(data.entities.hashtags[0].text, 'Tag')
    assert.equal(textAt(data.entities.symbols[0].indices), '$CO')
    assert.equal(data.entities.urls.length, 1)
    const [link] = data.entities.urls
    assert.equal(textAt(link.indices), 'https://e.example/?a=1&amp;b=&lt;2&gt;')
    assert.equal(link.display_url, 'e.example/?a=1…')
    assert.equal(link.expanded_url, 'https://e.example/?a=1&b=2')
    assert.deepEqual([data.favorite_count, data.conversation_count], [7, 1])
    assert.equal(data.id_str, '20')
    assert.equal(data.user.screen_name, 'ada')
    assert.equal(data.user.profile_image_url_https, `${url}/media/default.svg`)
    assert.equal((await ask('/media/default?format=svg&name=small')).status, 200)
    const { data: reply } = JSON.parse((await ask('/api/tweet/21')).text)
    assert.equal(reply.quoted_tweet.id_str, '20')
    assert.equal(reply.quoted_tweet.self_thread.id_str, '20')
    assert.equal(reply.parent.favorite_count, 7)
    assert.equal(reply.in_reply_to_screen_name, 'ada')
    assert.deepEqual(
      JSON.parse((await ask('/tweet-result?id=21&lang=en&token=6dq1a2xwd93')).text),
      reply
    )
  })

  test('media of embedding clients: one extension, which they turn into a query', async () => {
    const { ask } = site()
    const { data } = JSON.parse((await ask('/api/tweet/22')).text)
    assert.equal(data.possibly_sensitive, true)
    const [photo, film] = data.mediaDetails
    assert.equal(photo.ext_alt_text, 'A "dot"')
    assert.deepEqual(film.video_info.aspect_ratio, [640, 360])
    assert.equal(film.video_info.variants[0].content_type, 'video/mp4')
    assert.deepEqual(film.sizes.thumb, { w: 150, h: 150, resize: 'crop' })
    assert.deepEqual(film.sizes.small, { w: 640, h: 360, resize: 'fit' })
    for (const { media_url_https: address } of [photo, film]) {
      const { pathname } = new URL(address)
      const [path, extension, ...more] = pathname.split('.')
      assert.deepEqual([extension, more], ['png', []])
      for (const name of ['thumb', 'small', 'medium', 'large', 'orig', '900x900', '4096x4096']) {
        const answer = await ask(`${path}?format=${extension}&name=${name}`)
        assert.equal(answer.status, 200, name)
        assert.match(answer.headers.get('content-type') ?? '', /^image\//)
      }
    }
    assert.equal(data.photos.length, 1)
    assert.equal(data.video.variants[0].type, 'video/mp4')
  })

  test('media have ranges, last for ever, and may be shown by any site', async () => {
    const { ask, url } = site()
    const { data } = JSON.parse((await ask('/api/tweet/22')).text)
    const path = new URL(data.mediaDetails[1].video_info.variants[0].url).pathname
    const bytes = Buffer.from(video(5_000))
    const get = (headers: Record<string, string> = {}, method = 'GET') =>
      sendPlain(url + path, { method, headers })
    const whole = await get()
    assert.deepEqual(whole.body, bytes)
    const { headers } = whole
    assert.equal(headers['content-type'], 'video/mp4')
    assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable')
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin')
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['accept-ranges'], 'bytes')
    const ranges = [
      ['bytes=0-99', 0, 99],
      ['bytes=4000-', 4000, 4999],
      ['bytes=-10', 4990, 4999],
      ['bytes=4990-9999', 4990, 4999],
      ['bytes=0-0', 0, 0]
    ] as const
    for (const [range, start, end] of ranges) {
      const part = await get({ range })
      assert.equal(part.status, 206, range)
      assert.equal(part.headers['content-range'], `bytes ${start}-${end}/5000`)
      assert.deepEqual(part.body, bytes.subarray(start, end + 1))
    }
    for (const range of ['bytes=5000-', 'bytes=-0']) {
      const none = await get({ range })
      assert.deepEqual([none.status, none.headers['content-range']], [416, 'bytes */5000'], range)
    }
    for (const range of ['bytes=0-1,4-5', 'items=0-1', 'bytes=9-1', 'bytes=-', 'x']) {
      assert.equal((await get({ range })).status, 200, range)
    }
    const etag = String(headers.etag)
    assert.equal((await get({ 'if-none-match': etag })).status, 304)
    assert.equal((await get({ range: 'bytes=0-1', 'if-range': etag })).status, 206)
    assert.equal((await get({ range: 'bytes=0-1', 'if-range': '"old"' })).status, 200)
    const head = await get({}, 'HEAD')
    assert.deepEqual(
      [head.status, head.headers['content-length'], head.body.length],
      [200, '5000', 0]
    )
  })

  test('oEmbed resolves URLs of this site and of the original one', async () => {
    const { ask, url } = site()
    const oembed = (target: string, rest = '') =>
      ask(`/oembed?url=${encodeURIComponent(target)}${rest}`)
    for (const target of [
      ...[`${url}/ada/status/20`, `${url}/wrong/status/20/`, `${url}/i/web/status/20?s=20`],
      ...['https://twitter.com/x/status/20', 'http://www.twitter.com/x/statuses/20#m'],
      ...['https://mobile.twitter.com/i/status/20', 'https://x.com/x/status/20/photo/1'],
      'https://www.x.com/statuses/20?ref_src=twsrc%5Etfw'
    ]) {
      const { status, headers, text } = await oembed(target)
      assert.equal(status, 200, target)
      assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
      const { html, ...rest } = JSON.parse(text)
      assert.deepEqual(rest, {
        version: '1.0',
        type: 'rich',
        url: `${url}/ada/status/20`,
        author_name: 'Ada Lovelace',
        author_url: `${url}/ada`,
        provider_name: new URL(url).host,
        provider_url: url,
        cache_age: 86400,
        width: 550,
        height: null
      })
      assert.ok(html.startsWith(`<blockquote class="nonet-status" cite="${url}/ada/status/20">`))
      assert.match(html, /&lt;b&gt;&amp;amp;/)
      assert.doesNotMatch(html, /<script|<b>|javascript:/)
    }
    for (const target of [
      ...['https://evil.example/x/status/20', 'https://twitter.com.evil.example/x/status/20'],
      ...['ftp://twitter.com/x/status/20', 'not a url', 'https://x.com/x', 'https://x.com/'],
      ...[`${url}/ada`, `${url}/api/tweet/20`, 'https://x.com/x/status/020', '//x.com/x/status/20']
    ]) {
      assert.equal((await oembed(target)).status, 404, target)
    }
    assert.equal((await ask('/oembed')).status, 400)
    assert.equal((await ask('/oembed?format=xml')).status, 400)
    assert.equal((await oembed('https://x.com/x/status/20', '&format=xml')).status, 501)
    assert.equal((await oembed('https://x.com/x/status/404', '&format=xml')).status, 501)
    assert.equal((await oembed('https://x.com/x/status/20', '&format=json')).status, 200)
    for (const [given, width] of [
      ['100', 220],
      ['300', 300],
      ['9999', 550],
      ['x', 550],
      ['-1', 550],
      ['', 550]
    ]) {
      const { text } = await oembed('https://x.com/x/status/20', `&maxwidth=${given}`)
      assert.equal(JSON.parse(text).width, width, String(given))
    }
    const { html } = JSON.parse((await oembed('https://x.com/x/status/20', '&iframe=true')).text)
    assert.ok(html.startsWith(`<iframe src="${url}/ada/status/20/embed" width="550"`))
  })

  test('an embed may be shown in a frame, and nothing else', async () => {
    const { headers, text } = await site().ask('/ada/status/20/embed')
    assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors \*$/)
    assert.match(text, /&lt;b&gt;&amp;amp;/)
    const data = await site().ask('/api/tweet/20')
    assert.match(data.headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/)
  })
})

sites('I-7, what the import command sends', {}, (site) => {
  test('a wrong request is told in a sentence, and nothing of it is stored', async () => {
    const { account, receive, ask } = site()
    const id = await account()
    const send = (posts: unknown[], more = {}) =>
      receive('posts', { account: id, posts, dryRun: false, ...more })
    const file = { hash: '0'.repeat(64), mediaType: 'image/png', width: 1, height: 1, size: 1 }
    const photo = { type: 'photo', file, width: 1, height: 1, sourceKey: '1' } as const
    const wrong: [unknown[], RegExp, number?][] = [
      [[post('20'), { ...post('21'), text: 7 }], /posts\/1\/text must be string/],
      [[post('20'), { ...post('21'), extra: 1 }], /additional properties \(extra\)/],
      [[post('20'), post('9223372036854775808')], /9223372036854775808 is not an id/],
      [[post('20'), post('021')], /must match pattern/],
      [
        [post('20'), post('21', { createdAt: '2009-02-31T25:00:00.000Z' })],
        /must match|not a time/
      ],
      [[post('20'), post('21', { createdAt: '2009-13-01T10:00:00.000Z' })], /not a time/],
      [[post('20'), post('21', { media: [photo] })], /not stored/, 409],
      [
        [post('20'), post('21', { media: [{ ...photo, file: undefined as never }] })],
        /without a file/
      ],
      [Array.from({ length: 201 }, (_, n) => post(String(n + 1))), /more than 200/]
    ]
    for (const [posts, message, status = 400] of wrong) {
      const answer = await send(posts)
      assert.deepEqual([answer.status, message.test(answer.text)], [status, true], answer.text)
    }
    assert.equal((await receive('posts', Buffer.from('{'))).status, 400)
    assert.equal((await receive('posts', { posts: [] })).status, 400)
    assert.equal((await send([post('20')], { account: '77' })).status, 404)
    assert.equal((await receive('nothing', {})).status, 404)
    assert.equal((await receive('files', Buffer.from('some text'))).status, 422)
    assert.equal(
      (await receive('files', Buffer.from('\x89PNG\r\n\x1a\nxxxx', 'latin1'))).status,
      422
    )
    const names = { account: { ...{ name: '', bio: '', formerNames: [] }, source: 'sample' } }
    for (const userName of ['', 'a b', 'a/b', '<b>', '..', 'é']) {
      const body = { account: { ...names.account, userName }, newAccount: false, dryRun: false }
      assert.equal((await receive('account', body)).status, 400, userName)
    }
    assert.equal((await ask('/x/status/20')).status, 404)
  })

  test('a dry run tells what would be done, and does nothing', async () => {
    const { receive, ask } = site()
    const answer = await receive('posts', { account: '12', posts: [post('20')], dryRun: true })
    assert.equal(answer.text, '{"results":["added"]}')
    assert.equal((await ask('/x/status/20')).status, 404)
  })

  test('files are known by their keys once a post refers to them', async () => {
    const { posts, file, receive } = site()
    const known = async (...keys: string[]) => JSON.parse((await receive('known', { keys })).text)
    const stored = await file(PIXEL)
    assert.deepEqual(await known('k'), {})
    const media = [{ type: 'photo', file: stored, width: 1, height: 1, sourceKey: 'k' } as const]
    assert.deepEqual(await posts('12', post('20', { media })), ['added'])
    assert.deepEqual(await known('k', 'other'), { k: stored })
    assert.deepEqual(await file(PIXEL), stored)
    assert.deepEqual(await posts('12', post('20', { media })), ['unchanged'])
    assert.deepEqual(await posts('12', post('20')), ['updated'])
    assert.deepEqual(await known('k'), {})
    assert.equal((await receive('end', { account: '12' })).status, 200)
  })

  test('an id is in one account only, and one request may repeat an id', async () => {
    const { account, posts } = site()
    const other = await account({ id: '13', userName: 'bob' })
    const [result] = await posts(other, post('20'))
    assert.match((result as { skipped: string }).skipped, /another account/)
    const twice = [post('30'), post('30', { text: 'Later' })]
    assert.deepEqual(await posts(other, ...twice), ['added', 'updated'])
    assert.match((await site().ask('/bob/status/30')).text, /Later/)
  })

  test('an account without an id is the one of its name, and keeps its id', async () => {
    const { account, posts, ask } = site()
    const { id: _id, ...nameless } = { id: '', userName: 'Carol', name: 'Carol' }
    const first = await account({ ...nameless, id: undefined as never })
    await posts(first, post('40'))
    assert.equal(await account({ ...nameless, id: undefined as never }), first)
    assert.equal(await account({ ...nameless, id: '4711' }), first)
    assert.equal((await ask('/Carol/status/40')).status, 200)
  })

  test('text that databases do not agree on is stored the same', async () => {
    const { posts, ask } = site()
    await posts('12', post('50', { text: 'nul \u0000, half \ud83d, end' }))
    const { text } = await ask('/ada/status/50', { accept: 'application/json' })
    assert.equal(JSON.parse(text).text, 'nul \ufffd, half \ufffd, end')
  })
})
