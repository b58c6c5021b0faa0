const MAX_LENGTH = 16_384

/**
 * The URL without surrounding spaces; undefined unless it is an absolute one of http or https with
 * its slashes, because browsers take `http:a` for a path of the page.
 */
export function webUrl(text: string): string | undefined {
  const url = text.trim()
  if (url.length > MAX_LENGTH || /[\s\p{Cc}\p{Cs}]/u.test(url) || !URL.canParse(url)) {
    return undefined
  }
  return /^https?:\/\//i.test(url) ? url : undefined
}
