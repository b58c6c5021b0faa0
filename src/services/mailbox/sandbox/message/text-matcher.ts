/** A line of more characters is searched in pieces. */
const MAX_LINE_CHARACTERS = 64 * 1024

/** For comparisons without regard to case; accented letters are their letter and the accent. */
export function foldText(text: string): string {
  return text.normalize('NFKD').toLowerCase()
}

/** Searches a text that arrives in pieces; keeps a line and as much as the wanted text is long. */
export class TextMatcher {
  readonly #wanted: string
  #line = ''
  #tail = ''

  constructor(text: string) {
    this.#wanted = foldText(text)
  }

  /** Whether the text was found so far. */
  write(piece: string): boolean {
    this.#line += piece
    // Folded by lines, because an accent may come in another piece than its letter.
    const end = this.#line.lastIndexOf('\n') + 1
    if (end === 0 && this.#line.length < MAX_LINE_CHARACTERS) return false
    const cut = end === 0 ? this.#line.length : end
    const isFound = this.#search(this.#line.slice(0, cut))
    this.#line = this.#line.slice(cut)
    return isFound
  }

  end(): boolean {
    return this.#search(this.#line)
  }

  #search(text: string): boolean {
    const searched = this.#tail + foldText(text)
    this.#tail = this.#wanted.length > 1 ? searched.slice(1 - this.#wanted.length) : ''
    return searched.includes(this.#wanted)
  }
}
