import { decodeId } from './message-images.ts'

/** Characters of images in the result, which may refer to one image many times. */
const MAX_IMAGE_CHARACTERS = 16_000_000
const REFERENCE = /(["'=(]\s?)cid:([^"')\s>]{1,250})/gi

/** Markup as it is, with data URLs instead of references to images of the message. */
export function embedImages(html: string, images: ReadonlyMap<string, string>): string {
  let characters = 0
  return html.replace(REFERENCE, (whole, before: string, id: string) => {
    const image = images.get(decodeId(id))
    characters += image?.length ?? 0
    return image === undefined || characters > MAX_IMAGE_CHARACTERS ? whole : before + image
  })
}
