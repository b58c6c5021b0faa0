const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/

/** The bytes of base64, also with line ends; undefined if it is something else. */
export function decodeBase64(text: string): Buffer | undefined {
  const compact = /\s/.test(text) ? text.replace(/\s+/g, '') : text
  const digits = compact.replace(/=+$/, '').length
  if (!BASE64.test(compact) || digits % 4 === 1) return undefined
  return Buffer.from(compact, 'base64')
}
