/** Reads responses of an IMAP server (RFC 3501, section 7). */

/**
 * An atom as it is, a quoted string or literal with a quotation mark before its content, in
 * Latin-1, or a list.
 */
export type Token = string | readonly Token[]

export interface ImapResponse {
  /** `*`, `+` or the tag of a command. */
  tag: string
  /** OK, NO, BAD, PREAUTH or BYE; empty for data. */
  status: string
  /** Of a status with a code in brackets. */
  code: readonly Token[]
  /** Of data. */
  tokens: readonly Token[]
  /** All of it in Latin-1, with literals. */
  raw: string
}

const STATUS = /^(OK|NO|BAD|PREAUTH|BYE)(?: |$)/i

/** Splits bytes in any chunks into responses. */
export function createResponseReader(onResponse: (response: ImapResponse) => void) {
  let chunks: Buffer[] = []
  let length = 0
  /** Fewer bytes do not complete a literal: those of a large one are joined once. */
  let needed = 0
  /** Bytes of the response that begins with the first chunk that are scanned already. */
  let scanned = 0
  return (chunk: Buffer) => {
    chunks.push(chunk)
    length += chunk.length
    if (length < needed) return
    const [first = chunk] = chunks
    const rest = read(chunks.length === 1 ? first : Buffer.concat(chunks))
    chunks = rest.length === 0 ? [] : [rest]
    length = rest.length
  }

  /** Returns the bytes of an incomplete response. */
  function read(bytes: Buffer): Buffer {
    let waiting = bytes
    needed = 0
    for (;;) {
      const end = waiting.indexOf('\r\n', scanned)
      if (end === -1) return waiting
      const literal = /\{(\d+)\}$/.exec(
        waiting.toString('latin1', Math.max(scanned, end - 24), end)
      )
      if (literal !== null) {
        const after = end + 2 + Number(literal[1])
        if (waiting.length < after) {
          needed = after
          return waiting
        }
        scanned = after
        continue
      }
      const raw = waiting.toString('latin1', 0, end)
      waiting = waiting.subarray(end + 2)
      scanned = 0
      onResponse(parseResponse(raw))
    }
  }
}

export function parseResponse(raw: string): ImapResponse {
  const [tag = ''] = raw.split(' ', 1)
  const rest = raw.slice(tag.length + 1)
  if (tag === '+') return { tag, status: '', code: [], tokens: [], raw }
  const status = STATUS.exec(rest)?.[1]?.toUpperCase() ?? ''
  if (status === '') return { tag, status, code: [], tokens: parseTokens(rest), raw }
  const text = rest.slice(status.length + 1)
  const code = text.startsWith('[') ? parseTokens(text.slice(1, text.indexOf(']'))) : []
  return { tag, status, code, tokens: [], raw }
}

export function parseTokens(text: string): readonly Token[] {
  const parser = { text, at: 0 }
  const tokens = parseList(parser)
  if (parser.at < text.length) throw new Error(`does not parse at ${parser.at}: ${text}`)
  return tokens
}

interface Parser {
  readonly text: string
  at: number
}

/** Up to the closing parenthesis of the list or the end. */
function parseList(parser: Parser): readonly Token[] {
  const tokens: Token[] = []
  while (parser.at < parser.text.length) {
    const character = parser.text[parser.at]
    if (character === ')') return tokens
    if (character === ' ') parser.at++
    else tokens.push(parseToken(parser, character))
  }
  return tokens
}

function parseToken(parser: Parser, first: string | undefined): Token {
  if (first === '(') {
    parser.at++
    const list = parseList(parser)
    if (parser.text[parser.at] !== ')') throw new Error(`no closing parenthesis: ${parser.text}`)
    parser.at++
    return list
  }
  if (first === '"') return parseQuoted(parser)
  if (first === '{' || first === '~') return parseLiteral(parser)
  return parseAtom(parser)
}

function parseQuoted(parser: Parser): string {
  const [quoted, content = ''] = matchAt(parser, /"((?:[^"\\]|\\.)*)"/y)
  parser.at += quoted.length
  return `"${content.replace(/\\(.)/g, '$1')}`
}

function parseLiteral(parser: Parser): string {
  const [head, length] = matchAt(parser, /~?\{(\d+)\}\r\n/y)
  const start = parser.at + head.length
  parser.at = start + Number(length)
  return `"${parser.text.slice(start, parser.at)}`
}

/** Brackets, as in `BODY[HEADER.FIELDS (To)]<0>`, belong to the atom. */
function parseAtom(parser: Parser): string {
  const [atom] = matchAt(parser, /(?:\[[^\]]*\]|[^ ()"])+/y)
  parser.at += atom.length
  return atom
}

function matchAt(parser: Parser, pattern: RegExp): RegExpExecArray {
  pattern.lastIndex = parser.at
  const match = pattern.exec(parser.text)
  if (match === null) throw new Error(`does not parse at ${parser.at}: ${parser.text}`)
  return match
}
