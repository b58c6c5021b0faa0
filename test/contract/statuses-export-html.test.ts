/** The tree of static pages, as a host that knows files only serves it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Nonet, start } from '../../src/host/start.ts'
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import { ENGINES, engineOptions } from '../support/engines.ts'
import {
  type FileHost,
  follow,
  parseRedirects,
  type RuleOrder,
  startFileHost
} from '../support/file-host.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { exportFrom } from '../support/statuses-export.ts'
import { PIXEL, post, siteOf, video } from './statuses-site.ts'

const ORDERS: readonly RuleOrder[] = ['files first', 'rules first']
const SECRET = 'Zaunkönig-Geheimnis'
const BOB = { id: '13', userName: 'Bob', name: 'Bob', bio: 'Builds.' }

/** Enough for two further pages of the month. */
const MANY = 75

for (const engine of ENGINES) {
  describe(`statuses: static pages, on ${engine}`, { timeout: 240_000 }, () => {
    let nonet: Nonet<'statuses'>
    let host: FileHost
    let hiddenHash = ''
    let files: string[]

    before(async () => {
      nonet = await start({ services: ['statuses'], ...engineOptions(engine) })
      host = await startFileHost()
      await nonet.reset()
      const site = siteOf(nonet)
      const picture = await site.file(PIXEL)
      const film = await site.file(video(2_000))
      const hiddenFilm = await site.file(video(2_222))
      hiddenHash = hiddenFilm.hash
      const avatar = { file: picture, sourceKey: 'avatar' }
      const ada = await site.account({ avatar, formerNames: [{ userName: 'countess' }] })
      const bob = await site.account({ ...BOB, formerNames: [{ userName: 'builder' }] })
      const movie = (file: typeof film, key: string): ImportedPost['media'][number] => ({
        ...{ type: 'video', file, width: 640, height: 360, sourceKey: key },
        ...{ posterHash: picture.hash, posterKey: 'poster' }
      })
      const photo: ImportedPost['media'][number] = {
        ...{ type: 'photo', file: picture, width: 2_000, height: 2_000, sourceKey: 'p' },
        alt: 'A red dot'
      }
      const many = Array.from({ length: MANY }, (_, index) => post(String(1_000 + index)))
      await site.posts(
        ada,
        ...many,
        post('90', {
          media: [photo],
          text: 'See #engines',
          entities: [{ type: 'hashtag', start: 4, end: 12 }]
        }),
        post('91', { media: [movie(film, 'v')], createdAt: '2009-05-01T10:00:00.000Z' }),
        post('92', { replyTo: { id: '90', userName: 'ada' }, kind: 'reply', quotedId: '300' }),
        post('93', { visibility: 'hidden', text: SECRET, media: [movie(hiddenFilm, 'h')] }),
        post('94', { replyTo: { id: '93', userName: 'ada' }, kind: 'reply', quotedId: '93' })
      )
      await site.posts(
        bob,
        post('300', { text: 'Of Bob & <others>' }),
        post('301', {
          text: 'Ada wrote https://x.com/ada/status/90',
          entities: [{ type: 'url', start: 10, end: 37, href: 'https://x.com/ada/status/90' }]
        }),
        post('302', { visibility: 'hidden', text: `${SECRET} of Bob` })
      )
      host.folder = join(scratchFolder(), 'site')
      const told = await exportFrom(nonet, host.folder, { html: true, 'base-url': host.url })
      assert.match(told, /^Exported 81 posts as \d+ files to /)
      files = globSync('**', { cwd: host.folder }).filter((name) =>
        statSync(join(host.folder, name)).isFile()
      )
    })
    after(async () => {
      await nonet.stop()
      await host[Symbol.asyncDispose]()
    })

    const read = (name: string) => readFileSync(join(host.folder, name), 'utf8')

    test('the same paths have the same pages, without what needs a server', async () => {
      const paths = ['/ada', '/Bob', '/ada/status/90', '/ada/status/91', '/Bob/status/301']
      paths.push('/ada/status/91/embed', '/ada/archive/2009/05', '/ada/feed.xml', '/Bob/feed.json')
      paths.push('/', '/sitemap.xml', '/favicon.svg')
      for (const path of paths) {
        const shown = await fetch(host.url + path)
        assert.equal(shown.status, 200, path)
        const live = await (await fetch(nonet.statuses.url + path)).text()
        const same = (text: string) =>
          text
            .replaceAll(nonet.statuses.url, host.url)
            .replaceAll(new URL(nonet.statuses.url).host, new URL(host.url).host)
            .replace(/<form class="search"[\s\S]*?<\/form>\n/, '\n')
            .replace(/<link rel="alternate" type="application\/json(\+oembed)?"[^>]*>\n?/g, '')
            .replace(/<a class="p-category"[^>]*>(.*?)<\/a>/g, '<span class="p-category">$1</span>')
            .replaceAll('?name=medium', '')
            .replace(
              /(&lt;a class="p-category".*?&gt;)(.*?)&lt;\/a&gt;/g,
              '&lt;span class="p-category"&gt;$2&lt;/span&gt;'
            )
            .replace(/(\/media\/[0-9a-f]{64})(?:\.png)?(?=["<])/g, '$1')
            .replace(/\n+/g, '\n')
        assert.equal(same(await shown.text()), same(live), path)
      }
    })

    test('all links of the tree lead to a file of the tree', async () => {
      const found = new Set<string>()
      for (const name of files.filter((one) => /\.(?:html|xml|json|txt)$/.test(one))) {
        const text = read(name)
          .replaceAll('\\"', '"')
          .replaceAll('&lt;', '<')
          .replaceAll('&gt;', '>')
        const here = [...text.matchAll(/(?:href|src|poster|action|cite)="([^"]*)"/g)]
        for (const [, target = ''] of here) found.add(new URL(target, host.url).href)
        for (const [target] of text.matchAll(/http:\/\/127\.0\.0\.1:\d+[^\s"<\\&)]*/g))
          found.add(target)
      }
      const own = [...found].filter((url) => url.startsWith(host.url))
      assert.ok(own.length > MANY, `${own.length} links`)
      for (const url of own) assert.equal((await fetch(url)).status, 200, url)
      assert.ok(![...found].some((url) => url.includes('/search') || url.includes('oembed')))
    })

    test('months of many posts have further pages with all of them', () => {
      const pages = files.filter((name) => name.startsWith('ada/archive/2009/03/'))
      assert.equal(pages.length, 3)
      const all = pages.map(read).join('')
      for (let index = 0; index < MANY; index++) {
        assert.ok(all.includes(`/ada/status/${1_000 + index}"`), String(index))
      }
    })

    test('nothing tells of hidden posts', () => {
      for (const name of files) {
        const bytes = readFileSync(join(host.folder, name))
        for (const secret of [SECRET, hiddenHash, '/status/93', '/status/302']) {
          assert.ok(!bytes.includes(secret), `${secret} in ${name}`)
        }
      }
      assert.ok(!files.some((name) => /\/(?:93|302)\/|^media\/.*2222/.test(name)))
      assert.equal(files.filter((name) => name.startsWith('media/')).length, 2)
    })

    test('no script, and the page for all other paths', async () => {
      for (const name of files.filter((one) => one.endsWith('.html'))) {
        const scripts = read(name).match(/<script\b[^>]*>/g) ?? []
        assert.ok(
          scripts.every((tag) => tag === '<script type="application/ld+json">'),
          name
        )
        assert.doesNotMatch(read(name), /\son\w+=/)
      }
      const missing = await fetch(`${host.url}/ada/status/93`)
      assert.equal(missing.status, 404)
      assert.match(await missing.text(), /There is no public post and no page at this URL/)
      assert.ok(!read('404.html').includes('/search'))
      assert.match(read('robots.txt'), /^User-agent: \*\nAllow: \/\n\nSitemap: http/)
    })

    for (const order of ORDERS) {
      test(`redirects of wrong names and other forms, on a host with ${order}`, () => {
        const rules = parseRedirects(read('_redirects'))
        const cases: [string, string | undefined, number][] = [
          ['/ada/status/90', '/ada/status/90', 0],
          ['/Bob/status/300', '/Bob/status/300', 0],
          ['/ada/status/90/embed', '/ada/status/90/embed', 0],
          ['/wrong/status/90', '/ada/status/90', 1],
          ['/wrong/status/300', '/Bob/status/300', 1],
          ['/ada/status/300', '/Bob/status/300', 1],
          ['/Bob/status/90', '/ada/status/90', 1],
          ['/countess/status/90', '/ada/status/90', 1],
          ['/builder/status/301/embed', '/Bob/status/301/embed', 1],
          ['/i/web/status/300', '/Bob/status/300', 2],
          ['/status/90', '/ada/status/90', 2],
          ['/statuses/300', '/Bob/status/300', 2],
          ['/x/statuses/90', '/ada/status/90', 2],
          ['/ada/status/90/photo/1', '/ada/status/90', 2],
          ['/Bob/status/300/likes', '/Bob/status/300', 2],
          ['/x/statuses/91/video/1', '/ada/status/91', 2],
          ['/countess', '/ada', 1],
          ['/@ada', '/ada', 1],
          ['/bob', '/Bob', 1],
          ['/builder/feed.xml', '/Bob/feed.xml', 1],
          ['/countess/archive/2009/03', '/ada/archive/2009/03', 1],
          ['/ada/status/93', undefined, 0],
          ['/wrong/status/93', undefined, 1],
          ['/wrong/status/999', undefined, 1],
          ['/nobody', undefined, 0]
        ]
        for (const [path, shown, hops] of cases) {
          const followed = follow(rules, host.folder, path, order)
          assert.deepEqual([path, followed.path, followed.hops], [path, shown, hops])
        }
      })
    }

    test('a site of one account below a path: redirects in one hop', async () => {
      await nonet.reset()
      const site = siteOf(nonet)
      await site.posts(await site.account({ userName: 'Ada' }), post('90'))
      const folder = join(scratchFolder(), 'a', 'b', 'site')
      const base = 'https://people.example/posts/'
      await exportFrom(nonet, folder, { html: true, 'base-url': base })
      const text = readFileSync(join(folder, '_redirects'), 'utf8')
      assert.ok(text.split('\n').length < 40, 'the number of rules does not depend on the posts')
      const index = readFileSync(join(folder, 'index.html'), 'utf8')
      assert.match(index, /<link rel="canonical" href="https:\/\/people\.example\/posts\/Ada">/)
      assert.match(index, /href="\/posts\/Ada\/status\/90"/)
      const rules = parseRedirects(text.replaceAll('/posts/', '/'))
      for (const order of ORDERS) {
        for (const path of ['/i/web/status/90', '/status/90', '/ada/statuses/90', '/x/status/90']) {
          const followed = follow(rules, folder, path, order)
          assert.deepEqual(followed, { path: '/Ada/status/90', hops: 1 }, path)
        }
      }
      const rejected: [Record<string, unknown>, RegExp][] = [
        [{ html: true }, /--html needs --base-url/],
        [{ html: true, 'base-url': 'ftp://x.example' }, /--html needs --base-url/],
        [{ 'base-url': base }, /--base-url is only for --html/]
      ]
      for (const [flags, message] of rejected) {
        await assert.rejects(exportFrom(nonet, join(scratchFolder(), 'x'), flags), message)
      }
      const other = await site.account({ id: '14', userName: 'robots.txt' })
      await site.posts(other, post('95'))
      await assert.rejects(
        exportFrom(nonet, join(scratchFolder(), 'x'), { html: true, 'base-url': base }),
        /A file of the tree has the name of the account robots\.txt/
      )
    })
  })
}
