import { createCache } from '../cache.ts'
import type { ResizedFormat } from './encode.ts'
import { type CleanImage, ImageRefused } from './image-refused.ts'
import { findImageType, type ImageType, PNG, SVG } from './image-type.ts'
import { checkBytes, IMAGE_LIMITS, type ImageLimits } from './limits.ts'
import { createSharpImages, type LoadSharp, type SharpImages } from './sharp-images.ts'
import { needsSharp, stripMetadata } from './strip-metadata.ts'
import { isSvg } from './svg-header.ts'
import { createWorkQueue } from './work-queue.ts'

export type { ResizedFormat } from './encode.ts'
export { type CleanImage, type ImageFacts, ImageRefused } from './image-refused.ts'
export { ImagesBusy } from './work-queue.ts'

export interface TargetSize {
  readonly width: number
  readonly height: number
  /** `inside`: the whole image, at most this large. `cover`: cut to this ratio. */
  readonly fit: 'inside' | 'cover'
  /** By default JPEG stays JPEG and other types become WebP. Only WebP can be animated. */
  readonly format?: ResizedFormat
}

export interface ResizedImage {
  readonly bytes: Buffer
  readonly mediaType: string
}

/** Both functions throw ImagesBusy if too many images wait already. */
export interface Images {
  /**
   * The image without metadata, as JPEG, PNG, WebP or GIF; throws ImageRefused if it is of another
   * type, damaged or too large.
   */
  clean(bytes: Buffer): Promise<CleanImage>
  /**
   * The clean image that `read` returns in a smaller size; never enlarged. `hash` identifies its
   * bytes. Concurrent calls for the same hash and size share one result, and recent results are
   * cached. An image that is small enough and of the wanted type is returned as it is, and so is
   * every image without sharp.
   */
  resize(hash: string, read: () => Promise<Buffer>, size: TargetSize): Promise<ResizedImage>
}

export interface ImagesOptions {
  readonly load?: LoadSharp
  /** Whether `clean` also accepts SVG, which becomes PNG; needs sharp. */
  readonly svg?: boolean
  /**
   * Whether all images are decoded and encoded again, so that no byte of a file is passed on. By
   * default those whose pixels need no change keep them compressed as they are. Needs sharp.
   */
  readonly encodesAgain?: boolean
  readonly limits?: Partial<ImageLimits>
}

/** Loads sharp at first use; without it, metadata is removed by our own code. */
export function createImages(options: ImagesOptions = {}): Images {
  const limits = { ...IMAGE_LIMITS, ...options.limits }
  const { load = () => import('sharp'), encodesAgain = false } = options
  const run = createWorkQueue(limits)
  const resized = createCache<ResizedImage>(limits.cacheBytes, ({ bytes }) => bytes.length)
  const pending = new Map<string, Promise<ResizedImage>>()
  let loading: Promise<SharpImages | undefined> | undefined

  function loadOnce(): Promise<SharpImages | undefined> {
    loading ??= createSharpImages(load, limits)
    return loading
  }

  function createResized(read: () => Promise<Buffer>, size: TargetSize): Promise<ResizedImage> {
    return run(async () => {
      const bytes = await read()
      const type = requireType(bytes)
      const sharpImages = await loadOnce()
      return sharpImages?.resize(bytes, type, size) ?? { bytes, mediaType: type.mediaType }
    })
  }

  /** Only our own check selects the renderer of SVG; the decoders here have it switched off. */
  async function cleanSvg(bytes: Buffer): Promise<CleanImage> {
    const sharpImages = await loadOnce()
    if (sharpImages === undefined) throw needsSharp(SVG)
    const { renderSvg } = await import('./render-svg.ts')
    return sharpImages.clean(await renderSvg(bytes, limits), PNG, false)
  }

  return {
    async clean(bytes) {
      checkBytes(bytes, limits)
      if (options.svg === true && isSvg(bytes)) return run(() => cleanSvg(bytes))
      const type = requireType(bytes, options.svg)
      return run(async () => {
        const sharpImages = await loadOnce()
        return sharpImages?.clean(bytes, type, encodesAgain) ?? stripMetadata(bytes, type, limits)
      })
    },
    async resize(hash, read, size) {
      const key = `${hash} ${size.width} ${size.height} ${size.fit} ${size.format ?? ''}`
      const found = resized.get(key) ?? pending.get(key)
      if (found !== undefined) return found
      const promise = createResized(read, size)
        .then((result) => {
          resized.set(key, result)
          return result
        })
        .finally(() => pending.delete(key))
      pending.set(key, promise)
      return promise
    }
  }
}

function requireType(bytes: Buffer, svg = false): ImageType {
  const type = findImageType(bytes)
  if (type !== undefined) return type
  throw new ImageRefused(
    `This is not an image of a type that all browsers show; use JPEG, PNG, WebP, GIF${svg ? ', AVIF or SVG' : ' or AVIF'}.`
  )
}
