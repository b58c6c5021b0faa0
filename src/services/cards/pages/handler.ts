import type { ServerResponse } from 'node:http'
import { isBoardJson, serveBoardJson } from '../api/board-json.ts'
import type { CardContext, Section, SectionRequest } from '../context.ts'
import { COMMON_HEADERS, MethodNotAllowed, RouteUnknown, TEXT_TYPE } from '../contract.ts'
import { resolveViewer } from '../http/credentials.ts'
import { boardPage } from './board.ts'
import { cardPage } from './card.ts'
import { homePage } from './home.ts'
import { CARD_PAGE_HEADERS, ICON } from './layout.ts'
import type { PageOutcome, PageRequest } from './page-request.ts'

const PAGES: Readonly<
  Record<string, (context: CardContext, request: PageRequest) => Promise<PageOutcome>>
> = { '': homePage, b: boardPage, c: cardPage }
const ROBOTS = 'User-agent: *\nDisallow: /1/\nAllow: /\n'
const DAY_CACHE = 'public, max-age=86400'

export function createPages(context: CardContext): Section {
  return async (request) => {
    if (isBoardJson(request.segments)) return serveBoardJson(context, request)
    const { raw, path, segments } = request
    const file = fileOf(path)
    const [kind = ''] = segments
    const page = Object.hasOwn(PAGES, kind) && segments.length <= 3 ? PAGES[kind] : undefined
    if (file === undefined && page === undefined) throw new RouteUnknown(raw.method ?? '', path)
    if (raw.method !== 'GET' && raw.method !== 'HEAD') {
      throw Object.assign(new MethodNotAllowed(), { headers: { allow: 'GET, HEAD' } })
    }
    if (file !== undefined) return sending(200, file.headers, file.text)
    return showPage(context, request, page ?? homePage)
  }
}

function fileOf(path: string): { headers: Record<string, string>; text: string } | undefined {
  const shared = { ...COMMON_HEADERS, 'cache-control': DAY_CACHE }
  if (path === '/favicon.svg') {
    const headers = {
      ...shared,
      'content-type': 'image/svg+xml',
      'content-security-policy': "default-src 'none'"
    }
    return { headers, text: ICON }
  }
  if (path !== '/robots.txt') return undefined
  return { headers: { ...shared, 'content-type': TEXT_TYPE }, text: ROBOTS }
}

async function showPage(
  context: CardContext,
  { raw, segments, query, baseUrl }: SectionRequest,
  page: NonNullable<(typeof PAGES)[string]>
): Promise<(reply: ServerResponse) => Promise<void>> {
  const viewer = await resolveViewer(context, raw, query)
  const root = segments.length < 2 ? '.' : segments.slice(1).fill('..').join('/')
  const outcome = await page(context, { viewer, names: segments.map(decode), root })
  const cache = { 'cache-control': viewer.kind === 'anonymous' ? 'no-cache' : 'private, no-cache' }
  if ('html' in outcome) {
    return sending(200, { ...CARD_PAGE_HEADERS, ...cache, vary: 'Authorization' }, outcome.html)
  }
  // The path is of stored data, so it leads to no other site.
  const location = baseUrl + outcome.redirect
  return sending(301, { ...COMMON_HEADERS, ...cache, location }, '')
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function sending(
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string
): (reply: ServerResponse) => Promise<void> {
  const length = { 'content-length': String(Buffer.byteLength(text)) }
  return async (reply) => {
    reply.writeHead(status, { ...headers, ...length }).end(text)
  }
}
