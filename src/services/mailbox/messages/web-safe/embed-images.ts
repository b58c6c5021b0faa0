import { decodeId, IMAGE_REFERENCE, MAX_IMAGE_CHARACTERS } from './message-images.ts'

/** Markup as it is, with data URLs instead of references to images of the message. */
export function embedImages(html: string, images: ReadonlyMap<string, string>): string {
  let characters = 0
  return html.replace(IMAGE_REFERENCE, (whole, before: string, id: string) => {
    const image = images.get(decodeId(id))
    characters += image?.length ?? 0
    return image === undefined || characters > MAX_IMAGE_CHARACTERS ? whole : before + image
  })
}
