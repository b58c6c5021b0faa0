/** JSON that a client with string parameters only sends; undefined if it is none. */
export function parseSentJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller rejects a value that is no object or array.
    return undefined
  }
}
