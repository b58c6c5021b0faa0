const OBJECT_ID = /^[0-9a-f]{24}$/i
const SHORT_LINK = /^[A-Za-z0-9]{8}$/

/** 24 hexadecimal digits; upper-case ones are the same id. */
export function isObjectId(text: string): boolean {
  return OBJECT_ID.test(text)
}

export function isShortLink(text: string): boolean {
  return SHORT_LINK.test(text)
}

/** When the object was created, which its id tells in seconds. */
export function createdAt(id: string): string {
  return new Date(Number.parseInt(id.slice(0, 8), 16) * 1000).toISOString()
}
