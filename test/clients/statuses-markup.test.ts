/** Texts that look like markup, through every field and every form of a post, in Chromium. */
import assert from 'node:assert/strict'
import { after, afterEach, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { type Nonet, start } from '../../src/host/start.ts'
import type { ImportedPost } from '../../src/services/statuses/import/protocol.ts'
import type { Entity } from '../../src/services/statuses/records/record.ts'
import { PIXEL, post, type Site, siteOf } from '../contract/statuses-site.ts'
import { openBrowser } from '../support/browser.ts'
import { MARKUP_CORPUS, storedText } from '../support/markup-corpus.ts'
import { findMarkup, type ParsedPage, readPages } from '../support/parsed-page.ts'
import { type ApplicationServer, serveApplication } from './react-tweet/application-server.ts'

/** Accounts; each has a part of the corpus in its name, which is limited. */
const ACCOUNTS = 6
const GROUP = Math.ceil(MARKUP_CORPUS.length / ACCOUNTS)
const WEBSITES = [
  'javascript:alert(1)',
  'https://example.org/"onmouseover="alert(1)"id="xss',
  'data:text/html,<script>alert(1)</script>',
  "https://example.org/'><b id=xss>",
  '//evil.example/<b id=xss>',
  ' javascript:alert(1)'
]
const MONTH = '2009/03'
const UNKNOWN_ID = '99'
const JSON_ONLY = { accept: 'application/json' }
const NOTHING: Pick<ParsedPage, 'contents' | 'summaries' | 'alts' | 'names' | 'title' | 'query'> = {
  ...{ contents: [], summaries: [], alts: [], names: [], title: '', query: undefined }
}

interface Person {
  userName: string
  name: string
  bio: string
  location: string
  texts: readonly string[]
}

const PEOPLE: readonly Person[] = Array.from({ length: ACCOUNTS }, (_, index) => {
  const texts = MARKUP_CORPUS.slice(index * GROUP, (index + 1) * GROUP)
  const all = texts.join('\n')
  return { userName: `ada${index}`, name: all, bio: all, location: all, texts }
})

/** The post with the text itself, and the one with the text as content warning. */
const plainId = (text: string) => String(1_000 + MARKUP_CORPUS.indexOf(text))
const warnedId = (text: string) => String(2_000 + MARKUP_CORPUS.indexOf(text))

/** The text as text, hashtag, mention, name of a link and target of a link. */
function plainPost(text: string, file: ImportedPost['media'][number]['file']): ImportedPost {
  const stored = storedText(text)
  let all = stored
  const entities: Entity[] = []
  const add = (part: string, entity: Pick<Entity, 'type' | 'href' | 'display'>) => {
    all += ' '
    const start = Array.from(all).length
    all += part
    entities.push({ ...entity, start, end: Array.from(all).length })
  }
  add(`#${stored}`, { type: 'hashtag' })
  add(`@${stored}`, { type: 'mention', href: `https://x.com/${text}` })
  add('named', { type: 'url', href: `https://example.org/?q=${text}`, display: text })
  add('target', { type: 'url', href: text })
  add('quoted', { type: 'url', href: 'https://example.org/', display: `example.org/${text}` })
  const index = MARKUP_CORPUS.indexOf(text)
  return post(plainId(text), {
    text: all,
    entities,
    media: file
      ? [{ type: 'photo', file, alt: text, width: 1, height: 1, sourceKey: `photo ${index}` }]
      : [],
    // The one before, which the list of posts has too.
    ...(index > 0 && { quotedId: plainId(MARKUP_CORPUS[index - 1] ?? '') }),
    lang: 'en'
  })
}

function warnedPost(text: string): ImportedPost {
  return post(warnedId(text), {
    text: 'behind',
    summary: text,
    lang: text,
    replyTo: { id: '5', userName: text },
    quotedId: '6',
    quotedUrl: text,
    originalUrl: text
  })
}

async function storeCorpus(site: Site): Promise<void> {
  const file = await site.file(PIXEL)
  for (const [index, { userName, name, bio, location, texts }] of PEOPLE.entries()) {
    const website = WEBSITES[index]
    const account = await site.account({
      ...{ id: String(100 + index), userName, name, bio, location },
      ...(website !== undefined && { website })
    })
    const posts = texts.flatMap((text) => [plainPost(text, file), warnedPost(text)])
    const results = await site.posts(account, ...posts)
    assert.deepEqual(new Set(results), new Set(['added']))
  }
}

/** A text on one line without direction controls, as titles are. */
function inOneLine(text: string): string {
  return storedText(text)
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
}

describe('texts that look like markup', () => {
  let nonet: Nonet<'statuses'>
  let application: ApplicationServer
  let site: Site
  let browser: Browser
  /** Shows pages without the policy that would stop a script. */
  let page: Page
  const complaints: string[] = []
  before(async () => {
    ;[nonet, application, browser] = await Promise.all([
      start({ services: ['statuses'] }),
      serveApplication(),
      openBrowser()
    ])
    site = siteOf(nonet)
    await storeCorpus(site)
    page = await openWatched(browser, complaints)
    await open(application.urlOf(site.url, []))
  })
  after(async () => {
    await browser.close()
    await application[Symbol.asyncDispose]()
    await nonet.stop()
  })
  afterEach(() => assert.deepEqual(complaints.splice(0), []))

  async function read(path: string, status = 200, headers = {}): Promise<string> {
    const answer = await site.ask(path, headers)
    assert.equal(answer.status, status, path)
    return answer.text
  }

  async function parse(paths: readonly string[]): Promise<ParsedPage[]> {
    const pages: string[] = []
    for (const path of paths) pages.push(await read(path))
    assert.deepEqual(await page.evaluate(findMarkup, pages), [], paths[0])
    return page.evaluate(readPages, pages)
  }

  /** Opens a page as people do. */
  async function open(url: string): Promise<void> {
    await page.goto(url)
    assert.equal(page.url(), new URL(url).href)
    assert.deepEqual(await page.evaluate(findMarkup, undefined), [], url)
  }

  test('the page and the embedded page of a post show them as text', async () => {
    for (const { userName, texts, name } of PEOPLE) {
      for (const suffix of ['', '/embed']) {
        const pathOf = (id: string) => `/${userName}/status/${id}${suffix}`
        const plain = await parse(texts.map((text) => pathOf(plainId(text))))
        const warned = await parse(texts.map((text) => pathOf(warnedId(text))))
        for (const [index, text] of texts.entries()) {
          const stored = storedText(text)
          const { contents, alts, names, title } = plain[index] ?? NOTHING
          const [content] = contents
          assert.ok(content?.startsWith(`${stored} #${stored} @${stored} `), `${text}: ${content}`)
          assert.equal(alts[0], stored)
          assert.equal(names[0], storedText(name))
          assert.ok(title.startsWith(inOneLine(name).slice(0, 20)), title)
          assert.equal(warned[index]?.summaries[0], stored)
        }
      }
    }
  })

  test('structured data and the JSON record have them unchanged', async () => {
    for (const { userName, name, bio, texts } of PEOPLE) {
      const paths = texts.map((text) => `/${userName}/status/${plainId(text)}`)
      const pages = await parse(paths)
      for (const [index, text] of texts.entries()) {
        const record = JSON.parse(await read(paths[index] ?? '', 200, JSON_ONLY))
        assert.ok(record.text.startsWith(`${storedText(text)} #`))
        assert.equal(record.media[0].alt, storedText(text))
        for (const { href } of record.entities) assert.match(href ?? 'https:', /^https?:/)
        const [data] = pages[index]?.data ?? []
        assert.equal(data?.text, record.text)
        assert.equal(data?.author?.name, storedText(name))
      }
      const [profile] = await parse([`/${userName}`])
      assert.equal(profile?.data[0]?.mainEntity?.description, storedText(bio))
    }
  })

  test('profile and month show all of them, and run nothing', async () => {
    for (const { userName, name, bio, location, texts } of PEOPLE) {
      const paths = [`/${userName}`, `/${userName}/archive/${MONTH}`]
      const pages = await parse(paths)
      assert.equal(pages[0]?.names[0], storedText(name))
      assert.equal(pages[0]?.bio, storedText(bio))
      assert.equal(pages[0]?.location, storedText(location))
      for (const [index, path] of paths.entries()) {
        const { contents, summaries } = pages[index] ?? NOTHING
        for (const text of texts) {
          const stored = storedText(text)
          assert.ok(
            contents.some((content) => content.startsWith(`${stored} #`)),
            `${path}: ${stored}`
          )
          assert.ok(summaries.includes(stored), `${path}: ${stored}`)
        }
        await open(site.url + path)
      }
    }
  })

  test('the page of a post and the embedded page run nothing', async () => {
    for (const { userName, texts } of PEOPLE) {
      const id = plainId(texts.at(-1) ?? '')
      for (const suffix of ['', '/embed']) {
        await open(`${site.url}/${userName}/status/${id}${suffix}`)
      }
    }
  })

  test('the search page shows the query as text', async () => {
    const pathOf = (text: string) => `/search?${new URLSearchParams({ q: text })}`
    const pages = await parse(MARKUP_CORPUS.map(pathOf))
    for (const [index, text] of MARKUP_CORPUS.entries()) {
      const { query } = pages[index] ?? NOTHING
      // Fields of forms have no line breaks, and URLs no half characters.
      assert.equal(query, storedText(text.trim()).replaceAll('\n', ''), text)
    }
    const query = new URLSearchParams({ q: PEOPLE[0]?.name ?? '' })
    await open(`${site.url}/search?${query}`)
  })

  test('user names of a request are never shown', async () => {
    const plain = await read(`/nobody-here/status/${UNKNOWN_ID}`, 404)
    const known = MARKUP_CORPUS[0] ?? ''
    for (const text of MARKUP_CORPUS) {
      const name = encodeURIComponent(text.toWellFormed())
      for (const path of [`/${name}/status/${UNKNOWN_ID}`, `/${name}`, `/${name}/feed.xml`]) {
        assert.equal(await read(path, 404), plain, path)
      }
      const { status, headers } = await site.ask(`/${name}/status/${plainId(known)}`)
      assert.deepEqual(
        [status, headers.get('location')],
        [302, `/${PEOPLE[0]?.userName}/status/${plainId(known)}`]
      )
    }
  })

  test('feeds and oEmbed give HTML that other sites can insert', async () => {
    for (const { userName, name, texts } of PEOPLE) {
      const feed = JSON.parse(await read(`/${userName}/feed.json`))
      const rss = await page.evaluate(readRss, await read(`/${userName}/feed.xml`))
      assert.equal(rss.error, undefined)
      assert.equal(rss.items.length, feed.items.length)
      const embeds = await Promise.all(
        texts.flatMap((text) => [plainId(text), warnedId(text)]).map(oembedOf)
      )
      for (const embed of embeds) assert.equal(embed.author_name, storedText(name))
      const parts = [
        ...feed.items.map(({ content_html }: { content_html: string }) => content_html),
        ...rss.items,
        ...embeds.map(({ html }) => html)
      ]
      const shown = await page.evaluate(insertAll, parts)
      assert.deepEqual(await page.evaluate(findMarkup, undefined), [], userName)
      for (const text of texts) {
        const stored = storedText(text)
        // The one with the text, and the one with the text as warning, of three forms.
        const found = shown.filter((one) =>
          withoutControls(one).startsWith(withoutControls(stored))
        )
        assert.ok(found.length >= 6, `${stored}: ${found.length}`)
      }
    }
  })

  async function oembedOf(id: string): Promise<{ html: string; author_name: string }> {
    const url = new URLSearchParams({ url: `${site.url}/x/status/${id}` })
    return JSON.parse(await read(`/oembed?${url}`))
  }

  test('react-tweet shows them as text', async () => {
    const ids = MARKUP_CORPUS.flatMap((text) => [plainId(text), warnedId(text)])
    await open(application.urlOf(site.url, ids))
    await page
      .locator('section:has(time)')
      .nth(ids.length - 1)
      .waitFor()
    assert.deepEqual(await page.evaluate(findMarkup, undefined), [])
    for (const [index, text] of MARKUP_CORPUS.entries()) {
      const [content, quoted] = await page
        .locator(`#post-${plainId(text)} p[lang]`)
        .evaluateAll((all) => all.map(({ textContent }) => textContent))
      assert.ok(content?.startsWith(`${storedText(text)} `), `${text}: ${content}`)
      if (index === 0) continue
      const before = storedText(MARKUP_CORPUS[index - 1] ?? '')
      assert.ok(quoted?.startsWith(`${before} #${before} @${before} `), `${before}: ${quoted}`)
    }
  })
})

/** A page that records dialogs, errors and requests to other hosts. */
async function openWatched(browser: Browser, complaints: string[]): Promise<Page> {
  const context = await browser.newContext({ bypassCSP: true })
  context.setDefaultTimeout(120_000)
  await context.route(
    ({ hostname, protocol }) => protocol.startsWith('http') && hostname !== '127.0.0.1',
    (route) => {
      complaints.push(`request: ${route.request().url()}`)
      return route.abort()
    }
  )
  context.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.page()?.url()}`)
    return dialog.dismiss()
  })
  context.on('weberror', (error) => complaints.push(String(error.error())))
  return context.newPage()
}

/** XML has fewer characters than HTML. */
function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are to be removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '')
}

/** Content of the items of a feed; runs in the page. */
function readRss(xml: string): { error: string | undefined; items: string[] } {
  const parsed = new DOMParser().parseFromString(xml, 'application/xml')
  const items = [...parsed.querySelectorAll('item > description')]
  return {
    error: parsed.querySelector('parsererror')?.textContent,
    items: items.map(({ textContent }) => textContent)
  }
}

/** Shows parts of other sites and returns their text; runs in the page. */
function insertAll(parts: string[]): string[] {
  const root = document.body
  root.replaceChildren()
  return parts.map((part) => {
    const element = document.createElement('div')
    element.innerHTML = part
    root.append(element)
    return element.textContent
  })
}
