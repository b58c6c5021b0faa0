// Builds a static portfolio from the published cards of a board: `node build.mjs [folder]`.
//
//   CARDS_URL  content API of the board  (http://127.0.0.1:4009/content/portfolio)
//   CARDS_KEY  publishable key, for a board that is not public
//
// The folder (`site`) needs nothing else: its pages link to each other and to copies of the images,
// so it works on any host and when index.html is opened from the disk. A second build requests the
// cards with their ETag and ends at once if no published card has changed.
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { argv, env, exit } from 'node:process'

const BOARD_URL = (env.CARDS_URL ?? 'http://127.0.0.1:4009/content/portfolio').replace(/\/$/, '')
const FOLDER = argv[2] ?? 'site'
const LANGUAGE = 'en'
/** Names of the files of the last build, which are removed when they are no longer needed. */
const MANIFEST = '.portfolio.json'
/** A change of this file changes the pages too. */
const BUILDER = String((await readFile(new URL(import.meta.url))).length)
const PARALLEL_DOWNLOADS = 4

// Reading

async function read(path, headers = {}) {
  const key = env.CARDS_KEY ? { authorization: `Bearer ${env.CARDS_KEY}` } : {}
  const response = await fetch(BOARD_URL + path, { headers: { ...key, ...headers } })
  if (response.ok || response.status === 304) return response
  throw new Error(`${BOARD_URL}${path}: ${response.status} ${await response.text()}`)
}

/** Undefined if no published card has changed. */
async function readCards(etag) {
  const cards = []
  let tag = null
  for (let cursor = ''; cursor !== null; ) {
    const isFirst = cursor === ''
    const page = `/cards?sort=-completed&limit=1000${isFirst ? '' : `&cursor=${cursor}`}`
    const response = await read(page, isFirst && etag ? { 'if-none-match': etag } : {})
    if (response.status === 304) return undefined
    if (isFirst) tag = response.headers.get('etag')
    const { cards: some, next } = await response.json()
    cards.push(...some)
    cursor = next === null ? null : encodeURIComponent(next)
  }
  return { cards, etag: tag }
}

// Images: each size is downloaded once; names contain the hash of the content.

function fileOf(url) {
  const { pathname, searchParams } = new URL(url)
  const [, name, ending] = /([0-9a-f]{12})[0-9a-f]*\.(\w+)$/.exec(pathname) ?? []
  if (name === undefined) throw new Error(`${url} is not the URL of an image of cards`)
  const width = searchParams.get('w')
  return `images/${name}${width ? `-${width}` : ''}.${searchParams.get('format') ?? ending}`
}

function urlsOf({ url, srcset }) {
  return [url, ...srcset.filter(({ format }) => format === 'webp').map((size) => size.url)]
}

async function download(cards, known) {
  const urls = [...new Set(cards.flatMap(({ images }) => images.flatMap(urlsOf)))]
  const missing = urls.filter((url) => !known.has(fileOf(url)))
  const work = missing.values()
  async function copySome() {
    for (const url of work) {
      const response = await fetch(url)
      if (!response.ok) throw new Error(`${url}: ${response.status}`)
      await write(fileOf(url), new Uint8Array(await response.arrayBuffer()))
    }
  }
  await Promise.all(Array.from({ length: PARALLEL_DOWNLOADS }, copySome))
  return { files: urls.map(fileOf), count: missing.length }
}

// Pages

const escapeHtml = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
const day = new Intl.DateTimeFormat(LANGUAGE, { month: 'long', year: 'numeric', timeZone: 'UTC' })
const date = (text) =>
  `<time datetime="${text}">${day.format(new Date(`${text}T00:00:00Z`))}</time>`
/** The first page has the name `index`. */
const projectFile = ({ slug }) =>
  `${encodeURIComponent(slug === 'index' ? 'index-project' : slug)}.html`

/** `sizes` tells how wide the image is shown, so that the browser can choose a file. */
function picture(image, sizes, isFirst) {
  const { url, alt, width, height, mimeType, dominantColor, srcset } = image
  // The smaller sizes of an animation show only its first picture.
  const smaller = mimeType === 'image/gif' ? [] : srcset.filter(({ format }) => format === 'webp')
  const files = [...smaller, { url, width }].map((size) => `${fileOf(size.url)} ${size.width}w`)
  const loading = isFirst ? 'fetchpriority="high"' : 'loading="lazy"'
  const color = /^#[0-9a-f]{6}$/.test(dominantColor ?? '')
    ? ` style="background:${dominantColor}"`
    : ''
  return `<img src="${fileOf(url)}" srcset="${files.join(', ')}" sizes="${sizes}" width="${width}" height="${height}" alt="${escapeHtml(alt)}" ${loading} decoding="async"${color}>`
}

function coverOf({ images, cover }) {
  return images.find(({ id }) => id === cover) ?? images[0]
}

function labelLinks(card, labels) {
  const links = card.labels.filter(({ name }) => labels.has(name))
  if (links.length === 0) return ''
  const items = links.map(
    ({ name }) => `<li><a href="${labels.get(name).file}">${escapeHtml(name)}</a></li>`
  )
  return `<ul class="labels">${items.join('')}</ul>`
}

function tile(card, labels, isFirst) {
  const cover = coverOf(card)
  const sizes = isFirst
    ? '(min-width: 64rem) 46rem, 100vw'
    : '(min-width: 64rem) 23rem, (min-width: 40rem) 50vw, 100vw'
  return `<li class="tile${isFirst ? ' first' : ''}">
<div class="cover">${cover ? picture(cover, sizes, isFirst) : `<span class="blank" aria-hidden="true">${escapeHtml([...card.title][0] ?? '')}</span>`}</div>
<h2><a href="${projectFile(card)}">${escapeHtml(card.title)}</a></h2>
<p class="excerpt">${escapeHtml(card.excerpt)}</p>
<div class="facts">${card.completedAt ? date(card.completedAt) : ''}${labelLinks(card, labels)}</div>
</li>`
}

function page({ title, description, body, image }) {
  return `<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(description)}">
<meta name="color-scheme" content="light dark">
<meta property="og:title" content="${escapeHtml(title)}">
${image ? `<meta property="og:image" content="${image}">` : ''}
<link rel="stylesheet" href="style.css">
</head>
<body>
<a class="skip" href="#main">Skip to content</a>
${body}
</body>
</html>
`
}

function listPage(board, cards, labels, current) {
  const chosen = cards.filter(
    (card) => !current || card.labels.some(({ name }) => name === current)
  )
  const link = (name, file, count) =>
    `<li><a href="${file}"${name === current ? ' aria-current="page"' : ''}>${escapeHtml(name ?? 'All')} <span>${count}</span></a></li>`
  const chips = [...labels].map(([name, { file, count }]) => link(name, file, count))
  const body = `<header class="intro"><h1><a href="index.html">${escapeHtml(board.name)}</a></h1>
<div class="lead">${board.descriptionHtml}</div>
<nav aria-label="Kinds of projects"><ul class="chips">${link(undefined, 'index.html', cards.length)}${chips.join('')}</ul></nav></header>
<main id="main"><ul class="tiles">${chosen.map((card, index) => tile(card, labels, index === 0)).join('\n')}</ul>
${chosen.length === 0 ? '<p class="empty">Nothing is published yet.</p>' : ''}</main>
${footer(board)}`
  const title = current ? `${current} – ${board.name}` : board.name
  return page({ title, description: textOf(board.descriptionHtml), body })
}

function projectPage(board, cards, labels, index) {
  const card = cards[index]
  const { title, url, completedAt, images } = card
  const sizes = '(min-width: 64rem) 62rem, 100vw'
  const cover = coverOf(card)
  // Images that the text shows get their sizes there, and are not shown a second time.
  const inText = new Set()
  const text = card.descriptionHtml.replace(/<img\b[^>]*\bsrc="([^"]+)"[^>]*>/g, (tag, src) => {
    const image = images.find((one) => one.url === src.replaceAll('&amp;', '&'))
    if (image === undefined) return tag
    inText.add(image.id)
    return picture(image, '(min-width: 48rem) 40rem, 100vw', false)
  })
  const others = images.filter(({ id }) => id !== cover?.id && !inText.has(id))
  const host = url ? new URL(url).host : ''
  const near = [
    ['Newer', cards[index - 1]],
    ['Older', cards[index + 1]]
  ].map(([name, other]) =>
    other
      ? `<a href="${projectFile(other)}"><span>${name}</span> ${escapeHtml(other.title)}</a>`
      : '<span></span>'
  )
  const body = `<header class="bar"><a href="index.html">${escapeHtml(board.name)}</a></header>
<main id="main" class="project"><article>
<h1>${escapeHtml(title)}</h1>
<div class="facts">${completedAt ? date(completedAt) : ''}${labelLinks(card, labels)}</div>
${cover && !inText.has(cover.id) ? `<figure class="hero">${picture(cover, sizes, true)}</figure>` : ''}
<div class="text">${text}
${url ? `<p><a class="site-link" href="${escapeHtml(url)}" rel="noopener">${escapeHtml(host)}</a></p>` : ''}</div>
${others.map((image) => `<figure>${picture(image, sizes, false)}${image.alt ? `<figcaption aria-hidden="true">${escapeHtml(image.alt)}</figcaption>` : ''}</figure>`).join('\n')}
</article>
<nav class="near" aria-label="Other projects">${near.join('')}</nav></main>
${footer(board)}`
  const image = cover && fileOf(cover.url)
  return page({ title: `${title} – ${board.name}`, description: card.excerpt, body, image })
}

function footer(board) {
  const year = new Date(board.updatedAt).getUTCFullYear()
  return `<footer><p>${escapeHtml(board.name)}, ${year}</p></footer>`
}

function textOf(html) {
  const signs = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (sign) => signs[sign])
    .replace(/\s+/g, ' ')
    .trim()
}

/** Names of labels with the file of their page. */
function labelsOf(cards) {
  const counts = new Map()
  for (const { labels } of cards) {
    for (const name of new Set(labels.map((label) => label.name).filter(Boolean))) {
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  }
  const names = [...counts.keys()].sort((a, b) => a.localeCompare(b, LANGUAGE))
  const used = new Set(['index', ...cards.map(({ slug }) => slug)])
  return new Map(
    names.map((name) => {
      const wanted = `label-${name
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, '-')
        .slice(0, 60)}`
      let file = wanted
      for (let number = 2; used.has(file); number++) file = `${wanted}-${number}`
      used.add(file)
      return [name, { file: `${encodeURIComponent(file)}.html`, count: counts.get(name) }]
    })
  )
}

const STYLE = `
:root { color-scheme: light dark; --ground: light-dark(#fbfaf7, #16171a); --ink: light-dark(#1d1e22, #ecebe6); --soft: light-dark(#62636b, #a3a4ab); --line: light-dark(#dddbd3, #34363c); --link: light-dark(#1a5fb4, #8ab8f5); --panel: light-dark(#f0eee8, #1f2125); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1.0625rem/1.6 system-ui, sans-serif; overflow-wrap: break-word; }
.intro, main, .bar, footer { width: min(70rem, 100% - 2.5rem); margin-inline: auto; }
a { color: inherit; text-underline-offset: .2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 3px; border-radius: 3px; }
.skip { position: absolute; left: -99rem; padding: .5rem 1rem; background: var(--panel); }
.skip:focus { left: 1rem; top: 1rem; z-index: 1; }
h1, h2 { line-height: 1.15; text-wrap: balance; letter-spacing: -.015em; }
.intro { padding-block: clamp(2.5rem, 7vw, 6rem) 2rem; }
.intro h1 { font-size: clamp(2.5rem, 7vw, 4.5rem); margin: 0; }
.intro h1 a, .tile h2 a { text-decoration: none; }
.lead { font-size: 1.25rem; color: var(--soft); max-width: 38rem; }
.lead p { margin: 1rem 0; }
ul { padding: 0; }
.chips, .labels, .tiles { list-style: none; margin: 0; display: flex; flex-wrap: wrap; gap: .5rem; }
.chips a { display: block; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 99px; text-decoration: none; }
.chips a:hover { border-color: var(--ink); }
.chips a[aria-current] { background: var(--ink); color: var(--ground); border-color: var(--ink); }
.chips span { opacity: .75; font-size: .85em; font-variant-numeric: tabular-nums; }
.tiles { display: grid; gap: 3rem 2rem; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); }
.tile { position: relative; }
.tile h2 a::after { content: ''; position: absolute; inset: 0; }
.tile .labels { position: relative; z-index: 1; }
.tile h2 { font-size: 1.35rem; margin: 1rem 0 .35rem; }
.tile h2 a:hover { text-decoration: underline; }
.excerpt { margin: 0 0 .6rem; color: var(--soft); display: -webkit-box; -webkit-line-clamp: 3; -webkit-box-orient: vertical; overflow: hidden; }
.cover { display: block; overflow: hidden; border-radius: .6rem; }
.cover img, .blank { display: block; width: 100%; height: auto; aspect-ratio: 16 / 10; object-fit: cover; }
.blank { display: grid; place-items: center; background: var(--panel); color: var(--soft); font-size: 5rem; }
.facts { display: flex; flex-wrap: wrap; gap: .35rem 1rem; align-items: baseline; color: var(--soft); font-size: .9rem; }
.labels { gap: .25rem .8rem; }
.labels a { color: var(--link); display: inline-block; padding-block: .25rem; }
.bar { padding-block: 1.5rem; }
.bar a { font-weight: 600; text-decoration: none; display: inline-block; padding-block: .25rem; }
.project h1 { font-size: clamp(2rem, 5.5vw, 3.5rem); margin: clamp(1rem, 5vw, 4rem) 0 .75rem; }
figure { margin: 2.5rem 0; }
figure img, .text img { display: block; max-width: 100%; height: auto; border-radius: .6rem; }
figcaption { margin-top: .6rem; color: var(--soft); font-size: .9rem; }
.text { max-width: 40rem; margin-inline: auto; font-size: 1.15rem; }
.text ul, .text ol { padding-left: 1.3em; }
.text pre { overflow-x: auto; background: var(--panel); padding: 1rem; border-radius: .6rem; font-size: .9em; }
.text a { color: var(--link); }
.text .site-link { font-weight: 600; }
.near { display: flex; justify-content: space-between; gap: 2rem; border-top: 1px solid var(--line); padding-block: 1.5rem; margin-top: 4rem; }
.near a { text-decoration: none; }
.near a:last-child { text-align: right; }
.near span { display: block; color: var(--soft); font-size: .9rem; }
footer { padding-block: 2rem 3rem; margin-top: 4rem; border-top: 1px solid var(--line); color: var(--soft); font-size: .9rem; }
.project + footer { margin-top: 0; }
@media (min-width: 64rem) {
  .tile.first { grid-column: 1 / -1; display: grid; grid-template-columns: 2fr 1fr; column-gap: 2.5rem; align-content: start; }
  .tile.first .cover { grid-row: 1 / 5; }
  .tile.first h2 { font-size: 2rem; margin-top: 0; }
  .tile.first .excerpt { -webkit-line-clamp: 8; font-size: 1.1rem; }
}
@media (prefers-reduced-motion: no-preference) {
  .cover img { transition: scale .4s ease-out; }
  .tile:hover .cover img { scale: 1.02; }
}
`.trimStart()

// Writing

/** By a new name first, so that a reader never sees half a file. */
async function write(file, content) {
  const path = join(FOLDER, decodeURIComponent(file))
  await mkdir(dirname(path), { recursive: true })
  await writeFile(`${path}.part`, content)
  await rename(`${path}.part`, path)
}

async function build() {
  const last = await readFile(join(FOLDER, MANIFEST), 'utf8').then(JSON.parse, () => undefined)
  const isSame = last?.builder === BUILDER && last.board === BOARD_URL
  const found = await readCards(isSame ? last.etag : undefined)
  if (found === undefined) return 'No published card has changed.'
  const { cards, etag } = found
  const board = await (await read('')).json()
  const labels = labelsOf(cards)
  const images = await download(cards, new Set(isSame ? last.files : []))
  const pages = new Map([['style.css', STYLE]])
  for (const [name, { file }] of labels) pages.set(file, listPage(board, cards, labels, name))
  for (const [index, card] of cards.entries()) {
    pages.set(projectFile(card), projectPage(board, cards, labels, index))
  }
  pages.set('index.html', listPage(board, cards, labels))
  for (const [file, content] of pages) await write(file, content)
  const files = [...new Set([...pages.keys(), ...images.files])]
  const unused = (last?.files ?? []).filter((file) => !files.includes(file))
  for (const file of unused) await rm(join(FOLDER, decodeURIComponent(file)), { force: true })
  await write(MANIFEST, JSON.stringify({ builder: BUILDER, board: BOARD_URL, etag, files }))
  return `${cards.length} projects, ${pages.size - 1} pages and ${images.count} new images are in ${FOLDER}.`
}

build().then(console.log, (error) => {
  console.error(
    error.cause?.code === 'ECONNREFUSED'
      ? `Nothing listens at ${BOARD_URL}: start nonet first.`
      : error.message
  )
  exit(1)
})
