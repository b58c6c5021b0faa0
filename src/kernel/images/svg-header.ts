/** libvips looks for the root element in as many bytes. */
const HEADER_BYTES = 1000
const ROOT = /^<svg[\s>/]/

/**
 * Whether the bytes are UTF-8 text whose first element is `svg`, after a byte order mark, an XML
 * declaration, comments and a document type.
 */
export function isSvg(bytes: Buffer): boolean {
  let rest = bytes
    .toString('utf8', 0, HEADER_BYTES)
    .replace(/^\ufeff/, '')
    .trimStart()
  while (rest !== '' && !ROOT.test(rest)) {
    const end = endOfPrologPart(rest)
    if (end === undefined) return false
    rest = rest.slice(end).trimStart()
  }
  return rest !== ''
}

/** Undefined if the text starts with something else or the part does not end. */
function endOfPrologPart(text: string): number | undefined {
  if (text.startsWith('<?')) return endAfter(text, '?>')
  if (text.startsWith('<!--')) return endAfter(text, '-->')
  return /^<!doctype\s/i.test(text) ? endOfDoctype(text) : undefined
}

function endAfter(text: string, mark: string): number | undefined {
  const position = text.indexOf(mark)
  return position === -1 ? undefined : position + mark.length
}

/** Quoted texts may contain brackets. */
function endOfDoctype(text: string): number | undefined {
  let isInside = false
  let quote = ''
  for (let position = 0; position < text.length; position++) {
    const character = text[position] ?? ''
    if (quote !== '') quote = character === quote ? '' : quote
    else if (character === '"' || character === "'") quote = character
    else if (character === '[' || character === ']') isInside = character === '['
    else if (character === '>' && !isInside) return position + 1
  }
  return undefined
}
