/** Words of our own in several scripts; none has a character that archives escape. */
const WORDS = [
  ...['harbour', 'lantern', 'quiet', 'copper', 'maple', 'Tuesday', 'the', 'and', 'signal'],
  ...['straße', 'naïve', 'čaj', 'пример', 'вечер', '漢字', '東京', 'مرحبا', 'سلام', 'שלום', 'नमस्ते'],
  ...['😀', '👩‍👩‍👧', '🇩🇪', '👍🏽', 'é', '1,024', '“quoted”', '—']
] as const
const ESCAPED = ['&amp;', '&lt;', '&gt;', 'R&amp;D', '&amp;lt;', 'a&lt;b&gt;c'] as const

export interface Source {
  below: (limit: number) => number
}

const unescaped = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')
const length = (text: string) => Array.from(text).length

/** The text of a post as an archive has it, with its entities, and as it has to become. */
export class ArchiveText {
  escaped = ''
  plain = ''
  /** The parts of `plain` that are entities, in their order. */
  readonly marked: string[] = []
  readonly entities = {
    hashtags: [] as object[],
    symbols: [] as object[],
    user_mentions: [] as object[],
    urls: [] as object[],
    media: [] as object[]
  }

  #indices(word: string): [string, string] {
    const space = this.escaped === '' ? '' : ' '
    const start = length(this.escaped + space)
    this.escaped += space + word
    return [String(start), String(start + length(word))]
  }

  #show(word: string): void {
    this.plain += (this.plain === '' ? '' : ' ') + word
  }

  word(text: string): void {
    this.#indices(text)
    this.#show(unescaped(text))
  }

  words(source: Source, count: number): void {
    for (let left = count; left > 0; left--) {
      const list: readonly string[] = source.below(10) === 0 ? ESCAPED : WORDS
      this.word(list[source.below(list.length)] ?? '')
    }
  }

  hashtag(tag: string): void {
    this.entities.hashtags.push({ text: tag, indices: this.#indices(`#${tag}`) })
    this.#mark(`#${tag}`)
  }

  symbol(text: string): void {
    this.entities.symbols.push({ text, indices: this.#indices(`$${text}`) })
    this.#mark(`$${text}`)
  }

  mention(name: string, id: string, isShown = true): void {
    const indices = this.#indices(`@${name}`)
    this.entities.user_mentions.push({ name, screen_name: name, id, id_str: id, indices })
    if (isShown) this.#mark(`@${name}`)
  }

  /** The link to a quoted post is not shown. */
  url(long: string, key: string, isShown = true): void {
    const url = `https://t.co/${key.padStart(10, '0')}`
    const display = long.replace(/^https:\/\//, '').slice(0, 26)
    const indices = this.#indices(url)
    this.entities.urls.push({ url, expanded_url: long, display_url: display, indices })
    if (isShown) this.#mark(long)
  }

  /** What the medium says about its link, which is not shown. */
  mediaLink(key: string): { url: string; indices: [string, string] } {
    const url = `https://t.co/${key.padStart(10, '0')}`
    return { url, indices: this.#indices(url) }
  }

  #mark(word: string): void {
    this.#show(word)
    this.marked.push(word)
  }

  get length(): number {
    return length(this.escaped)
  }
}
