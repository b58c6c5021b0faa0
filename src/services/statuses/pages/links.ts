import type { Site, StaticFiles } from './views.ts'

/** Links of one site: `to` is for pages, `file` for media, `absolute` for metadata and feeds. */
export interface Links {
  /** Whether the pages are files, so that only paths lead to other pages. */
  isStatic: boolean
  to: (path: string, query?: Readonly<Record<string, string>>) => string
  file: (path: string) => string
  absolute: (path: string) => string
}

/** The theme of the query stays, because pages set no cookie. */
export function createLinks({ baseUrl, theme, staticFiles }: Site): Links {
  const prefix = new URL(baseUrl).pathname.replace(/\/$/, '')
  if (staticFiles !== undefined) return staticLinks(baseUrl, prefix, staticFiles)
  return {
    isStatic: false,
    to(path, query = {}) {
      const all = new URLSearchParams({ ...query, ...(theme !== undefined && { theme }) })
      const [target, fragment] = path.split('#')
      return `${prefix}${target}${all.size > 0 ? `?${all}` : ''}${fragment === undefined ? '' : `#${fragment}`}`
    },
    file: (path) => prefix + path,
    absolute: (path) => baseUrl + path
  }
}

const BARE_MEDIA = /^\/media\/([0-9a-f]{64})$/

function staticLinks(baseUrl: string, prefix: string, { paths }: StaticFiles): Links {
  const typed = (path: string) => {
    const hash = BARE_MEDIA.exec(path)?.[1]
    return (hash === undefined ? undefined : paths.get(hash)) ?? path
  }
  return {
    isStatic: true,
    to: (path, { before } = {}) =>
      prefix + (before === undefined ? path : pageBeforePath(path, before)),
    file: (path) => prefix + typed(path),
    absolute: (path) => baseUrl + typed(path)
  }
}

/** Of a further page of a list in a tree of static files. */
export function pageBeforePath(path: string, before: string): string {
  return `${path}/before-${before}`
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
