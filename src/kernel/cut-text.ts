/** The first `most` UTF-16 units of a string; a surrogate pair at the end is not split. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const splitsPair = /[\ud800-\udbff]/.test(text.charAt(most - 1))
  return text.slice(0, splitsPair ? most - 1 : most)
}
