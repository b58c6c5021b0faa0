const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes of base64, also with line ends; undefined if it is something else. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  if (!BASE64.test(compact)) return undefined
  const equals = compact.indexOf('=')
  const digits = equals === -1 ? compact.length : equals
  return digits % 4 === 1 ? undefined : Buffer.from(compact, 'base64')
}
