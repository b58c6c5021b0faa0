/** Images that are part of a message and shown in it; further ones are left out. */
export const MAX_IMAGES = 50
/** Encoded bytes of all of them. */
export const MAX_IMAGE_BYTES = 8_000_000
/** Characters of all images in prepared HTML, which may refer to one image many times. */
export const MAX_IMAGE_CHARACTERS = 16_000_000
/** What precedes a reference in markup, and the id. */
export const IMAGE_REFERENCE = /(["'=(]\s?)cid:([^"')\s>]{1,250})/gi
export const IMAGE_TYPE = /^image\/(?:png|gif|jpeg|webp|svg\+xml)$/

/** Ids of images that the markup refers to, each once. */
export function imageIdsOf(source: string, most: number): readonly string[] {
  const ids = new Set<string>()
  for (const [, , id = ''] of source.matchAll(IMAGE_REFERENCE)) {
    if (ids.size < most) ids.add(decodeId(id))
  }
  return [...ids]
}

/** RFC 2392: the id is percent-encoded in a URL. */
export function decodeId(id: string): string {
  try {
    return decodeURIComponent(id)
  } catch {
    // Many programs write ids as they are.
    return id
  }
}
