import { parseSentJson } from './sent-json.ts'

const COLORS: ReadonlySet<unknown> = new Set(
  'pink yellow lime blue black orange red purple sky green'.split(' ')
)

/** What a client wants of a cover; undefined members stay as they are. */
export interface CoverChange {
  /** Null for none; one of the two at most. */
  color?: string | null
  attachment?: string | null
  size?: 'normal' | 'full'
  brightness?: 'light' | 'dark'
}

/**
 * An object or JSON; an empty value removes the cover. Undefined for `[object Object]`, which
 * trello.js sends.
 */
export function parseCover(sent: unknown): CoverChange | 'invalid' | undefined {
  if (sent === '[object Object]') return undefined
  const value = typeof sent === 'string' && sent !== '' ? parseSentJson(sent) : sent
  if (value === null || value === '') return { color: null, attachment: null }
  if (typeof value !== 'object' || value === undefined || Array.isArray(value)) return 'invalid'
  return readCover(value)
}

interface SentCover {
  color?: unknown
  idAttachment?: unknown
  url?: unknown
  size?: unknown
  brightness?: unknown
}

function readCover({
  color,
  idAttachment,
  url,
  size,
  brightness
}: SentCover): CoverChange | 'invalid' {
  const hasColor = !isNone(color)
  const hasAttachment = !isNone(idAttachment)
  // Images of other sites are not covers: the public would load them from there.
  if (!isNone(url) || (hasColor && hasAttachment)) return 'invalid'
  if (hasColor && !COLORS.has(color)) return 'invalid'
  if (hasAttachment && typeof idAttachment !== 'string') return 'invalid'
  if (!isNone(size) && size !== 'normal' && size !== 'full') return 'invalid'
  if (!isNone(brightness) && brightness !== 'light' && brightness !== 'dark') return 'invalid'
  return {
    ...(hasColor && { color: String(color) }),
    ...(hasAttachment && { attachment: String(idAttachment) }),
    ...(!hasColor && color !== undefined && { color: null }),
    ...(!hasAttachment && idAttachment !== undefined && { attachment: null }),
    ...(!isNone(size) && { size: size === 'full' ? 'full' : 'normal' }),
    ...(!isNone(brightness) && { brightness: brightness === 'light' ? 'light' : 'dark' })
  }
}

function isNone(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}
