import { createReadStream } from 'node:fs'
import type { NewMedium, Posting } from './posting.ts'

/** Stored one after the other, so that one request does not take all workers for images. */
export async function storeImages(
  posting: Posting,
  images: readonly { path: string; alt: string | undefined }[]
): Promise<NewMedium[]> {
  const media: NewMedium[] = []
  for (const { path, alt } of images) {
    media.push({ file: await posting.addImage(createReadStream(path)), alt })
  }
  return media
}
