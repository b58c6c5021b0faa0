const LINK = /^\s*(?:https?:\/\/|mailto:|tel:)/i
/** Of ids in a part of a page, which has ids of its own. */
const ID_PREFIX = 'user-content-'
const ESCAPES: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** References in the value stay as they are. */
export function attribute(name: string, value: string): string {
  return ` ${name}="${value.replace(/["<>]/g, escapeCharacter)}"`
}

export function idAttribute(id: string): string {
  return attribute('id', `${ID_PREFIX}${id}`)
}

/** The check is of the URL as written, so a reference cannot hide another scheme. */
export function linkAttributes(url: string, hasPrefixedIds: boolean): string {
  if (url.startsWith('#')) {
    return attribute('href', hasPrefixedIds ? `#${ID_PREFIX}${url.slice(1)}` : url)
  }
  if (!LINK.test(url)) return ''
  return `${attribute('href', url)} target="_blank" rel="noopener noreferrer"`
}

/** References could hide the name of a function, so the value contains no reference. */
export function styleAttribute(css: string): string {
  return css === '' ? '' : attribute('style', css.replaceAll('&', '&amp;'))
}

export function escapeText(text: string): string {
  return text.replace(/[<>]/g, escapeCharacter)
}

function escapeCharacter(character: string): string {
  return ESCAPES[character] ?? character
}
