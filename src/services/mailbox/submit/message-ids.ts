/** Of one header; the first one, which began the thread, and the last ones are kept. */
const MAX_REFERENCES = 100
const MESSAGE_ID = /<[!-;=?-~]{1,994}>/g

/** Message ids in a header field, in angle brackets. */
export function messageIdsIn(value: string): readonly string[] {
  return value.match(MESSAGE_ID) ?? []
}

/** `References` of a reply: those of the original, what it replied to, and itself, each once. */
export function referencesOf(
  references: readonly string[],
  inReplyTo: readonly string[],
  own: string | undefined
): readonly string[] {
  const before = new Set([...references, ...inReplyTo])
  // The last one is what this message refers to.
  if (own !== undefined) before.delete(own)
  const all = [...before, ...(own === undefined ? [] : [own])]
  if (all.length <= MAX_REFERENCES) return all
  return [...all.slice(0, 1), ...all.slice(1 - MAX_REFERENCES)]
}
