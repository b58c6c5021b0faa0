import { plainRequest } from './exchange.mjs'
import { headerOf, parseResponses } from './responses.mjs'

/** The first pages to read, and the maximum number of pages and files. */
const STARTS = {
  console: { limit: 40, paths: ['/', '/forms/catch', '/openapi/boxes.json'] },
  reference: {
    limit: 120,
    paths: ['/', '/api/', '/api/people/', '/api/people/1/', '/api/films/', '/api/planets/3/']
  },
  boxes: {
    limit: 30,
    paths: ['/', '/comparedboxcomparedbox', '/comparedboxcomparedbox/things', '/none']
  },
  countries: { limit: 30, paths: ['/', '/playground', '/countries/BR.json'] },
  scenarios: {
    limit: 50,
    paths: ['/', '/_workspaces', '/_scenarios', '/app', '/workspaces/compared']
  },
  forms: { limit: 10, paths: ['/'] },
  mailbox: { limit: 20, paths: ['/', '/openapi.json'] },
  statuses: {
    limit: 60,
    paths: ['/', '/marit', '/marit/feed.xml', '/marit/feed.json', '/sitemap.xml', '/robots.txt']
  },
  mock: { limit: 30, paths: ['/__nonet/', '/__nonet/journal', '/__nonet/coverage', '/beds'] },
  cards: {
    limit: 40,
    paths: ['/', '/content', '/content/portfolio', '/content/portfolio/feed.xml']
  }
}
const ACCEPT = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8'
const LINKS = /(?:href|src|action)="([^"]+)"|(?:from|import) ?\(?['"](\.{0,2}\/[^'"]+)['"]/g

/** Reads pages as a browser does and follows their links on the same service. */
export async function readPages(service, play) {
  const { limit, paths } = STARTS[service] ?? { limit: 0, paths: [] }
  const queue = paths.map((path) => [path, path])
  const seen = new Set(paths)
  for (let read = 0; read < limit && queue.length > 0; read += 1) {
    const pair = queue.shift()
    const { sides, targets } = await play(pageRequest(service, pair))
    const found = sides.map(({ bytes }, side) => linksIn(bytes, pair[side], targets[side].url))
    for (const next of pairsOf(found)) {
      if (seen.has(next[0])) continue
      seen.add(next[0])
      queue.push(next)
    }
  }
}

/** Equal links, and those with random values by their order if both pages have as many. */
function pairsOf([first, second]) {
  const [firstOnly, secondOnly] = [
    first.filter((path) => !second.includes(path)),
    second.filter((path) => !first.includes(path))
  ]
  const equal = first.filter((path) => second.includes(path)).map((path) => [path, path])
  if (firstOnly.length !== secondOnly.length) return equal
  return [...equal, ...firstOnly.map((path, index) => [path, secondOnly[index]])]
}

/** Each server gets its own links, because they may contain random values. */
function pageRequest(service, pair) {
  const headers = { accept: ACCEPT }
  const requests = pair.map((path) => plainRequest({ path, headers }))
  const [{ label, methods, bytes }] = requests
  return { label, methods, bytes, sides: requests, group: 'pages', service }
}

function linksIn(bytes, path, url) {
  const { responses } = parseResponses(bytes, ['GET'])
  const page = responses.at(-1)
  const location = page && headerOf(page.headers, 'location')
  if (location !== undefined) return pathsOf([location], path, url)
  if (!/html|javascript/.test((page && headerOf(page.headers, 'content-type')) ?? '')) return []
  const links = [...page.body.toString().matchAll(LINKS)].map(([, quoted, module]) =>
    (quoted ?? module).replaceAll('&amp;', '&')
  )
  return pathsOf(links, path, url)
}

/** Paths of the links to the same service. */
function pathsOf(links, path, url) {
  return links
    .filter((link) => URL.canParse(link, url + path))
    .map((link) => new URL(link, url + path))
    .filter((link) => link.origin === new URL(url).origin)
    .map((link) => link.pathname + link.search)
}
