import { buffer } from 'node:stream/consumers'
import type { Files } from '../files/files.ts'
import { ImageRefused } from './image-refused.ts'
import type { Images, ResizedImage, TargetSize } from './images.ts'

/**
 * A stored image in this size; undefined if it is not stored or not an image. Throws ImagesBusy
 * if too many images wait already.
 */
export async function resizeStored(
  files: Pick<Files, 'open'>,
  images: Images,
  hash: string,
  size: TargetSize
): Promise<ResizedImage | undefined> {
  const read = async () => {
    const opened = await files.open(hash)
    if (opened === undefined) throw new ImageRefused('The file is missing.')
    return buffer(opened.stream)
  }
  try {
    return await images.resize(hash, read, size)
  } catch (error) {
    if (error instanceof ImageRefused) return undefined
    throw error
  }
}
