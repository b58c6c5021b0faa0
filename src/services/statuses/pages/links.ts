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
