export interface ListedObject {
  key: string
  size: number
  /** Milliseconds since 1970. */
  modified: number
}

export interface Listing {
  objects: readonly ListedObject[]
  /** Undefined on the last page. */
  next: string | undefined
}

/** Reads a page of ListObjectsV2. Keys of files need no unescaping; others are of no interest. */
export function parseListing(xml: string): Listing {
  const objects = [...xml.matchAll(/<Contents>(.*?)<\/Contents>/gs)].map(([, text = '']) => ({
    key: element(text, 'Key') ?? '',
    size: Number(element(text, 'Size')),
    modified: Date.parse(element(text, 'LastModified') ?? '')
  }))
  const isTruncated = element(xml, 'IsTruncated') === 'true'
  return { objects, next: isTruncated ? element(xml, 'NextContinuationToken') : undefined }
}

/** What an error says, such as `AccessDenied: Access Denied`; undefined if the text is no error. */
export function parseS3Error(xml: string): string | undefined {
  if (!/<Error[\s>]/.test(xml)) return undefined
  return [element(xml, 'Code'), element(xml, 'Message')].filter(Boolean).join(': ')
}

/** Text of the first element of that name. */
function element(xml: string, name: string): string | undefined {
  const text = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return text?.replace(/&(amp|lt|gt|quot|apos|#\d{1,6}|#x[0-9a-f]{1,5});/gi, (_all, entity) =>
    decodeEntity(String(entity))
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'"
}

function decodeEntity(entity: string): string {
  if (!entity.startsWith('#')) return ENTITIES[entity.toLowerCase()] ?? ''
  const code = /^#x/i.test(entity) ? `0${entity.slice(1)}` : entity.slice(1)
  return String.fromCodePoint(Math.min(Number(code), 0x10ffff))
}
