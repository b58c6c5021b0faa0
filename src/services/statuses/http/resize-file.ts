import { ImagesBusy, type ResizedImage } from '../../../kernel/images/images.ts'
import { resizeStored } from '../../../kernel/images/resize-stored.ts'
import type { StatusContext } from '../context.ts'
import { FilesBusy } from '../contract.ts'
import type { MediaSize } from './media-size.ts'

/** A stored image in this size; undefined if it is not stored or not an image. */
export async function resizeFile(
  { kernel, images }: Pick<StatusContext, 'kernel' | 'images'>,
  hash: string,
  size: MediaSize
): Promise<ResizedImage | undefined> {
  try {
    return await resizeStored(kernel.files, await images(), hash, size)
  } catch (error) {
    throw error instanceof ImagesBusy ? new FilesBusy() : error
  }
}
