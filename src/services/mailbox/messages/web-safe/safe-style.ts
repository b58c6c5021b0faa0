/** Functions and rules of CSS that make a browser load something. */
const LOADS = /url\s*\(|image-set\s*\(|@import/gi
const ESCAPE = /\\(?:([0-9a-f]{1,6})\s?|(.))/gis
const COMMENT = /\/\*[^*]*(?:\*(?!\/)[^*]*)*(?:\*\/|\*?$)/g
const URL_FUNCTION = /url\s*\(([^)]*)(?:\)|$)/gi
const DATA_IMAGE = /^data:image\/(?:png|gif|jpeg|webp|svg\+xml);base64,[\w+/=]*$/i
const PLAIN_URL = /^https?:\/\/[^\s"'()\\<>]+$/i

export interface SafeStyle {
  readonly css: string
  /** URLs of other hosts. */
  readonly remote: number
}

/**
 * A style sheet or declarations without anything that a browser would load, other than images of
 * other hosts if they are kept.
 */
export function safeStyle(
  source: string,
  imageOf: (id: string) => string | undefined,
  keepsRemote = false
): SafeStyle {
  const written = source.replace(COMMENT, ' ').replace(/<!--|-->/g, ' ')
  if (countLoads(decodeEscapes(written)) > countLoads(written)) return { css: '', remote: 0 }
  let remote = 0
  const css = written
    .replace(/@import[^;]*(?:;|$)/gi, '')
    .replace(/image-set\s*\(/gi, 'none(')
    .replace(URL_FUNCTION, (_whole, target: string) => {
      const url = target.trim().replace(/^["']|["']$/g, '')
      const data = /^cid:/i.test(url) ? imageOf(url.slice(4)) : url
      if (data !== undefined && DATA_IMAGE.test(data)) return `url(${data})`
      if (isRemote(url)) remote += 1
      return keepsRemote && PLAIN_URL.test(url) ? `url(${url})` : 'none'
    })
    .replaceAll('<', '\\3c ')
  return { css, remote }
}

export function isRemote(url: string): boolean {
  return /^\s*(?:https?:|\/\/)/i.test(url)
}

export function isDataImage(url: string): boolean {
  return DATA_IMAGE.test(url)
}

function countLoads(css: string): number {
  return css.match(LOADS)?.length ?? 0
}

/** Escapes can hide the name of a function. */
function decodeEscapes(css: string): string {
  if (!css.includes('\\')) return css
  return css.replace(ESCAPE, (_whole, code: string | undefined, character = '') => {
    const point = code === undefined ? 0 : Number.parseInt(code, 16)
    return point > 0 && point <= 0x10ffff ? String.fromCodePoint(point) : character
  })
}
