const SPACE = /[ \t\r\n]/
/** Characters of atoms (RFC 5322 3.2.3); all bytes above 127 count as letters (RFC 6532). */
const ATOM = /[!#$%&'*+\-/=?^_`{|}~0-9A-Za-z\u0080-\u00ff]*/y
const ATOM_OR_DOTS = /[!#$%&'*+\-./=?^_`{|}~0-9A-Za-z\u0080-\u00ff]*/y
/** Without the characters that RFC 2045 5.1 reserves. */
const TOKEN = /[!#$%&'*+\-.^_`{|}~0-9A-Za-z\u0080-\u00ff]*/y

/**
 * Reads the value of a structured header field from left to right. A value is a binary string: each
 * character is one byte. Methods that return a boolean tell whether the syntax was right.
 */
export class FieldCursor {
  at = 0
  /** Text of the last comment that was skipped. */
  lastComment = ''
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get isAtEnd(): boolean {
    return this.at >= this.#text.length
  }

  /** The next character; empty at the end. */
  get next(): string {
    return this.#text.charAt(this.at)
  }

  /** Skips white space and comments; false if a comment does not end. */
  skipSpace(): boolean {
    while (!this.isAtEnd) {
      if (SPACE.test(this.next)) this.at++
      else if (this.next !== '(') return true
      else if (!this.#skipComment()) return false
    }
    return true
  }

  /** Skips this character if it is the next one. */
  skip(character: string): boolean {
    if (this.next !== character || character === '') return false
    this.at++
    return true
  }

  /** Empty if the next character is of no atom. */
  readAtom(): string {
    return this.#match(ATOM)
  }

  readAtomOrDots(): string {
    return this.#match(ATOM_OR_DOTS)
  }

  readToken(): string {
    return this.#match(TOKEN)
  }

  /** Up to one of the characters. */
  readUntil(stops: RegExp): string {
    const start = this.at
    while (!this.isAtEnd && !stops.test(this.next)) this.at++
    return this.#text.slice(start, this.at)
  }

  /** Without quotes, escapes and line ends; undefined if it does not end. */
  readQuoted(): string | undefined {
    let text = ''
    let start = ++this.at
    for (; !this.isAtEnd; this.at++) {
      const character = this.next
      if (character === '"') {
        text += this.#text.slice(start, this.at++)
        return text
      }
      if (character === '\\' || character === '\n' || character === '\r') {
        text += this.#text.slice(start, this.at)
        start = this.at + 1
        if (character === '\\') this.at++
      }
    }
    return undefined
  }

  /** With its brackets; undefined if it does not end. */
  readDomainLiteral(): string | undefined {
    const start = this.at
    for (; !this.isAtEnd; this.at++) {
      if (this.next === '\\') this.at++
      else if (this.next === ']') return this.#text.slice(start, ++this.at)
    }
    return undefined
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const [text = ''] = pattern.exec(this.#text) ?? []
    this.at += text.length
    return text
  }

  #skipComment(): boolean {
    let comment = ''
    let level = 1
    let start = ++this.at
    for (; !this.isAtEnd; this.at++) {
      const character = this.next
      if (character === '(') level++
      else if (character === ')' && --level === 0) {
        this.lastComment = comment + this.#text.slice(start, this.at++)
        return true
      } else if (character === '\\') {
        comment += this.#text.slice(start, this.at)
        start = ++this.at
      }
    }
    this.lastComment = ''
    return false
  }
}
