/** With colours and a record of usual values, a page stays below 100 KB. */
const MAX_LENGTH = 12_000

/** The beginning of a long text, up to the end of a line: `expand` may embed thousands of records. */
export function cutJson(text: string): { text: string; isCut: boolean } {
  if (text.length <= MAX_LENGTH) return { text, isCut: false }
  const end = text.lastIndexOf('\n', MAX_LENGTH)
  return { text: `${text.slice(0, end)}\n…`, isCut: true }
}
