/** One scenario as it was written: `flaky:1/3` is `{ name: 'flaky', args: ['1/3'] }`. */
export interface Written {
  readonly name: string
  readonly args: readonly string[]
}

const MAX_SPEC_LENGTH = 1000

/** `name[:arg[:arg…]]` joined by commas; undefined if the string is too long. */
export function parseSpec(text: string): Written[] | undefined {
  if (text.length > MAX_SPEC_LENGTH) return undefined
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => {
      const [name = '', ...args] = part.split(':').map((piece) => piece.trim())
      return { name: name.toLowerCase(), args }
    })
}

export function writeSpec(written: readonly Written[]): string {
  return written.map(({ name, args }) => [name, ...args].join(':')).join(',')
}

/** `eve.holt+locked+slow@x` without its tags, and the tags. */
export function splitTags(email: string): { email: string; tags: readonly string[] } {
  const at = email.lastIndexOf('@')
  const end = at === -1 ? email.length : at
  const [name = '', ...tags] = email.slice(0, end).split('+')
  return { email: name + email.slice(end), tags }
}
