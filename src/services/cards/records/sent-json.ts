/** The value of a parameter that some clients send as JSON text; undefined if the text is not JSON. */
export function parseSentJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // The caller rejects a value that is no object or array.
    return undefined
  }
}
