import { ImageRefused } from './image-refused.ts'

export interface ImageLimits {
  /** Of the encoded image. */
  readonly bytes: number
  /** Width times height, of all frames together. */
  readonly pixels: number
  /** Of processing one image; libvips compares it for each group of rows that it writes. */
  readonly seconds: number
  /** Images that are processed at the same time. */
  readonly workers: number
  /** Images that wait for a worker. */
  readonly waiting: number
  /** Of all resized images in memory. */
  readonly cacheBytes: number
}

export const IMAGE_LIMITS: ImageLimits = {
  bytes: 32 * 1024 * 1024,
  pixels: 50_000_000,
  seconds: 20,
  workers: 2,
  waiting: 32,
  cacheBytes: 16 * 1024 * 1024
}

/** Segments or chunks of one image; real files have some thousands at most. */
export const MAX_PARTS = 100_000

export function checkBytes(bytes: Buffer, limits: ImageLimits): void {
  if (bytes.length <= limits.bytes) return
  const megabytes = Math.floor(limits.bytes / 1024 / 1024)
  throw new ImageRefused(`The image is larger than ${megabytes} MB; make it smaller.`)
}

export function checkPixels(width: number, height: number, limits: ImageLimits): void {
  if (width * height <= limits.pixels) return
  const megapixels = Math.floor(limits.pixels / 1_000_000)
  throw new ImageRefused(
    `The image has ${width} × ${height} pixels, more than ${megapixels} million; make it smaller.`
  )
}
