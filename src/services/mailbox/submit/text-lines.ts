/** Joins words to lines, as a browser does with the text of HTML. */
export class TextLines {
  readonly pieces: string[] = []
  /** Line ends before the next piece. */
  #breaks = 0
  #needsSpace = false

  /** Runs of space are one space. */
  add(text: string): void {
    const words = text.replace(/[ \t\r\n\f]+/g, ' ')
    const trimmed = words.replace(/^ | $/g, '')
    this.#needsSpace ||= words.startsWith(' ')
    if (trimmed === '') return
    const isLineStart = this.#breaks > 0 || this.pieces.length === 0
    this.addAsIs(this.#needsSpace && !isLineStart ? ` ${trimmed}` : trimmed)
    this.#needsSpace = words.endsWith(' ')
  }

  addAsIs(text: string): void {
    if (text === '') return
    if (this.pieces.length > 0 && this.#breaks > 0) this.pieces.push('\n'.repeat(this.#breaks))
    this.pieces.push(text)
    this.#breaks = 0
    this.#needsSpace = false
  }

  endLine(): void {
    this.#breaks = Math.min(this.#breaks + 1, 3)
    this.#needsSpace = false
  }

  /** At least this many line ends follow. */
  endBlock(breaks: number): void {
    this.#breaks = Math.max(this.#breaks, breaks)
    this.#needsSpace = false
  }

  text(): string {
    const lines = this.pieces.join('').split('\n')
    return lines.map((line) => line.trimEnd()).join('\n')
  }
}
