import type { Sharp } from 'sharp'
import { AVIF, GIF, type ImageType, JPEG, PNG, WEBP } from './image-type.ts'

/** Of a clean image that had to be compressed again. */
const FULL_QUALITY = 92
const RESIZED_QUALITY = 80

/** Types that a resized image can have; encoding AVIF takes many seconds. */
export type ResizedFormat = 'webp' | 'jpeg' | 'png'

const RESIZED_TYPES: Readonly<Record<ResizedFormat, ImageType>> = {
  webp: WEBP,
  jpeg: JPEG,
  png: PNG
}

/** Encoding AVIF takes many seconds, so it becomes WebP. */
export function outputType(type: ImageType): ImageType {
  return type === AVIF ? WEBP : type
}

/** sharp converts to sRGB and writes no metadata. */
export function encode(image: Sharp, type: ImageType, chromaSubsampling = '4:2:0'): Sharp {
  if (type === GIF) return image.gif()
  if (type === PNG) return image.png()
  if (type !== JPEG) return image.webp({ quality: FULL_QUALITY })
  const isFull = chromaSubsampling.startsWith('4:4:4')
  return image.jpeg({ quality: FULL_QUALITY, chromaSubsampling: isFull ? '4:4:4' : '4:2:0' })
}

/** By default JPEG stays JPEG and others become WebP. */
export function resizedType(type: ImageType, format: ResizedFormat | undefined): ImageType {
  if (format !== undefined) return RESIZED_TYPES[format]
  return type === JPEG ? JPEG : WEBP
}

/** JPEG has no transparency: what is behind the image becomes white. */
export function encodeResized(image: Sharp, type: ImageType): Sharp {
  if (type === PNG) return image.png()
  if (type !== JPEG) return image.webp({ quality: RESIZED_QUALITY })
  return image
    .flatten({ background: '#ffffff' })
    .jpeg({ quality: RESIZED_QUALITY, progressive: true })
}
