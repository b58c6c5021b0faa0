/** One piece of a JSON text; the last string may be cut. */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[\]{},:]|\s+|[^"[\]{},:\s]+/gs

/** Headers of a part of a multipart body, with its name, and its content up to the next part. */
const PART =
  /^(content-disposition:[^\r\n]*?\bname="?([^";\r\n]*)[^\r\n]*(?:\r?\n[^\r\n]+)*\r?\n\r?\n)([\s\S]*?)(?=\r?\n--|$(?![\s\S]))/gim

/** A start tag and the text after it. */
const XML_TEXT = /<([^\s<>/!?]+)([^<>]*)>([^<>]+)/g

type IsSecret = (name: string) => boolean

/**
 * Masks the values of secret fields in the text of a body, which may be cut. The format is detected
 * by the beginning of the text, because a client may name a wrong type or none.
 */
export function maskBody(text: string, isSecret: IsSecret, mask: string): string | undefined {
  const [first] = /\S/.exec(text) ?? ['']
  if (first === '{' || first === '[') return maskJson(text, isSecret, mask)
  if (first === '<') return maskXml(text, isSecret, mask)
  if (text.startsWith('--')) return maskParts(text, isSecret, mask)
  return undefined
}

function maskJson(text: string, isSecret: IsSecret, mask: string): string {
  let shown = ''
  let last = ''
  let isHiding = false
  let depth = 0
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    const isBlank = token.trim() === ''
    if (depth > 0) {
      depth += depthOf(token)
    } else if (!isHiding || isBlank) {
      shown += token
      if (!isBlank) {
        isHiding = token === ':' && last.startsWith('"') && isSecret(nameIn(last))
        last = token
      }
    } else {
      shown += JSON.stringify(mask)
      depth = depthOf(token)
      isHiding = false
    }
  }
  return shown
}

function depthOf(token: string): number {
  if (token === '{' || token === '[') return 1
  return token === '}' || token === ']' ? -1 : 0
}

function nameIn(token: string): string {
  try {
    return JSON.parse(token)
  } catch {
    return token
  }
}

function maskParts(text: string, isSecret: IsSecret, mask: string): string {
  return text.replace(PART, (whole, head: string, name: string) =>
    isSecret(name) ? head + mask : whole
  )
}

function maskXml(text: string, isSecret: IsSecret, mask: string): string {
  return text.replace(XML_TEXT, (whole, name: string, more: string, inner: string) =>
    isSecret(name) && inner.trim() !== '' ? `<${name}${more}>${mask}` : whole
  )
}
