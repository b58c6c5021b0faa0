export function postPath(userName: string, id: string): string {
  return `/${userName}/status/${id}`
}

export function profilePath(userName: string): string {
  return `/${userName}`
}

/** Media types that are stored, with the extensions of their URLs. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['image/jpeg', 'jpg'],
  ['image/png', 'png'],
  ['image/webp', 'webp'],
  ['image/gif', 'gif'],
  ['image/avif', 'avif'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm']
])

export function extensionOf(mediaType: string): string | undefined {
  return EXTENSIONS.get(mediaType)
}

/** Without a known media type, without an extension. */
export function mediaPath(hash: string, mediaType?: string): string {
  const extension = mediaType === undefined ? undefined : extensionOf(mediaType)
  return extension === undefined ? `/media/${hash}` : `/media/${hash}.${extension}`
}

/** A picture for accounts and videos without one. */
export const DEFAULT_PICTURE = 'default'

/** Path of a base URL; empty if it has none. */
export function prefixOf(baseUrl: string): string {
  const start = baseUrl.indexOf('/', baseUrl.indexOf('://') + 3)
  return start === -1 ? '' : baseUrl.slice(start)
}
