import type { Site } from './views.ts'

/** Links of one site: `to` is for pages, `file` for media, `absolute` for metadata and feeds. */
export interface Links {
  to: (path: string, query?: Readonly<Record<string, string>>) => string
  file: (path: string) => string
  absolute: (path: string) => string
}

/** The theme of the query stays, because pages set no cookie. */
export function createLinks({ baseUrl, theme }: Site): Links {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  return {
    to(path, query = {}) {
      const all = new URLSearchParams({ ...query, ...(theme !== undefined && { theme }) })
      const [target, fragment] = path.split('#')
      return `${prefix}${target}${all.size > 0 ? `?${all}` : ''}${fragment === undefined ? '' : `#${fragment}`}`
    },
    file: (path) => prefix + path,
    absolute: (path) => baseUrl + path
  }
}

export function postPath(userName: string, id: string): string {
  return `/${userName}/status/${id}`
}

export function profilePath(userName: string): string {
  return `/${userName}`
}

/** `month` is such as `2026-03`. */
export function monthPath(userName: string, month: string): string {
  return `/${userName}/archive/${month.replace('-', '/')}`
}

export function feedPath(userName: string, format: 'xml' | 'json'): string {
  return `/${userName}/feed.${format}`
}

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'image/avif': 'avif',
  'video/mp4': 'mp4',
  'video/webm': 'webm'
}

/** Without a media type, as of avatars and posters, without an extension. */
export function mediaPath(hash: string, mediaType?: string): string {
  const extension = EXTENSIONS[mediaType ?? '']
  return extension === undefined ? `/media/${hash}` : `/media/${hash}.${extension}`
}

const STATUS_PATH =
  /^(?:\/[^/]+)?(?:\/web)?\/(?:status(?:es)?|thread)\/([1-9]\d{0,18})(?:\/(?:photo|video)\/\d)?\/?$/
const ORIGINAL_HOSTS = new Set(
  ['twitter.com', 'x.com'].flatMap((host) => [host, `www.${host}`, `mobile.${host}`])
)

/** The id of the post that a URL of the original site or of this one leads to. */
export function linkedPostId(href: string, baseUrl: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { origin, hostname, pathname } = new URL(href)
  const own = new URL(baseUrl)
  if (origin !== own.origin && !ORIGINAL_HOSTS.has(hostname)) return undefined
  const prefix = origin === own.origin ? own.pathname.replace(/\/$/, '') : ''
  if (!pathname.startsWith(prefix)) return undefined
  return STATUS_PATH.exec(pathname.slice(prefix.length))?.[1]
}
