/** Whether a text contains each of the words, in any order and case. */
export function matchesWords(text: string, words: string): boolean {
  const searched = text.toLowerCase()
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word))
}
