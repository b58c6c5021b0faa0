import { type CleanImage, ImageRefused } from './image-refused.ts'
import { type ImageType, JPEG, PNG, WEBP } from './image-type.ts'
import { cleanJpeg } from './jpeg.ts'
import type { ImageLimits } from './limits.ts'
import { cleanPng } from './png.ts'
import { cleanWebp } from './webp.ts'

/** Removes metadata and leaves the compressed pixels as they are. */
export async function stripMetadata(
  bytes: Buffer,
  type: ImageType,
  limits: ImageLimits
): Promise<CleanImage> {
  if (type === JPEG) return cleanJpeg(bytes, limits)
  if (type === PNG) return cleanPng(bytes, limits)
  if (type === WEBP) return cleanWebp(bytes, limits)
  throw needsSharp(type)
}

export function needsSharp({ name }: ImageType): ImageRefused {
  return new ImageRefused(
    `${name} images need the package sharp, which is not available here; convert the image to JPEG, PNG or WebP.`
  )
}
