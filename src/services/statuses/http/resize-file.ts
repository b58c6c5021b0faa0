import { buffer } from 'node:stream/consumers'
import { ImageRefused, ImagesBusy, type ResizedImage } from '../../../kernel/images/images.ts'
import type { StatusContext } from '../context.ts'
import { FilesBusy } from '../contract.ts'
import type { MediaSize } from './media-size.ts'

/** A stored image in this size; undefined if it is not stored or not an image. */
export async function resizeFile(
  { kernel, images }: Pick<StatusContext, 'kernel' | 'images'>,
  hash: string,
  size: MediaSize
): Promise<ResizedImage | undefined> {
  const read = async () => {
    const opened = await kernel.files.open(hash)
    if (opened === undefined) throw new ImageRefused('The file is missing.')
    return buffer(opened.stream)
  }
  try {
    return await (await images()).resize(hash, read, size)
  } catch (error) {
    if (error instanceof ImageRefused) return undefined
    throw error instanceof ImagesBusy ? new FilesBusy() : error
  }
}
