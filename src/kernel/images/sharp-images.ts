import type { Metadata, Sharp, SharpConstructor, SharpOptions } from 'sharp'
import { type CleanImage, damagedImage, ImageRefused } from './image-refused.ts'
import { AVIF, GIF, type ImageType, JPEG, PNG, WEBP } from './image-type.ts'
import { checkPixels, type ImageLimits } from './limits.ts'
import { isAnimatedPng } from './png.ts'
import { stripMetadata } from './strip-metadata.ts'

export type LoadSharp = () => Promise<{ readonly default: SharpConstructor }>

export interface SharpImages {
  clean(bytes: Buffer, type: ImageType): Promise<CleanImage>
  resize(
    bytes: Buffer,
    type: ImageType,
    size: { readonly width: number; readonly height: number; readonly fit: 'inside' | 'cover' }
  ): Promise<{ bytes: Buffer; mediaType: string }>
}

/** All other decoders of libvips are off, so that no byte of an image can select them. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(
  (name) => `VipsForeignLoad${name}Buffer`
)
/** Of a clean image that had to be compressed again. */
const FULL_QUALITY = 92
const RESIZED_QUALITY = 80

/** Undefined if sharp is not installed or does not run on this machine. */
export async function createSharpImages(
  load: LoadSharp,
  limits: ImageLimits
): Promise<SharpImages | undefined> {
  try {
    const { default: sharp } = await load()
    // libvips would keep memory and start one thread per core for each image.
    sharp.cache(false)
    sharp.concurrency(1)
    sharp.block({ operation: ['VipsForeignLoad'] })
    sharp.unblock({ operation: DECODERS })
    return useSharp(sharp, limits)
  } catch {
    return undefined
  }
}

function useSharp(sharp: SharpConstructor, limits: ImageLimits): SharpImages {
  function open(bytes: Buffer, options?: SharpOptions): Sharp {
    const limit = { failOn: 'error', limitInputPixels: limits.pixels } as const
    return sharp(bytes, { ...limit, ...options }).timeout({ seconds: limits.seconds })
  }

  async function readMetadata(bytes: Buffer): Promise<Metadata> {
    const metadata = await open(bytes).metadata()
    const frameHeight = metadata.pageHeight ?? metadata.height
    checkPixels(metadata.width, frameHeight * (metadata.pages ?? 1), limits)
    return metadata
  }

  /** Every pixel is decoded; the result has one. */
  async function checkDecodes(bytes: Buffer, animated: boolean): Promise<void> {
    await open(bytes, { animated }).resize(1, 1, { fit: 'fill' }).raw().toBuffer()
  }

  async function compressAgain(
    bytes: Buffer,
    type: ImageType,
    metadata: Metadata
  ): Promise<CleanImage> {
    const animated = isAnimated(metadata)
    const opened = animated ? open(bytes, { animated }) : open(bytes).autoOrient()
    const encoded = encode(opened, type, metadata.chromaSubsampling)
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return {
      mediaType: outputType(type).mediaType,
      width: info.width,
      height: info.pageHeight ?? info.height,
      bytes: data
    }
  }

  async function clean(bytes: Buffer, type: ImageType): Promise<CleanImage> {
    if (type === GIF || type === AVIF) return compressAgain(bytes, type, await readMetadata(bytes))
    const stripped = await stripMetadata(bytes, type, limits)
    const metadata = await readMetadata(bytes)
    const animated = isAnimated(metadata)
    if (!animated && needsPixelChange(metadata) && !(type === PNG && isAnimatedPng(bytes))) {
      return compressAgain(bytes, type, metadata)
    }
    await checkDecodes(stripped.bytes, animated)
    return stripped
  }

  async function resize(
    bytes: Buffer,
    type: ImageType,
    { width, height, fit }: Parameters<SharpImages['resize']>[2]
  ) {
    const metadata = await readMetadata(bytes)
    const shown = metadata.autoOrient
    const fits = fit === 'inside' && shown.width <= width && shown.height <= height
    if (fits || (type === PNG && isAnimatedPng(bytes))) return { bytes, mediaType: type.mediaType }
    const animated = isAnimated(metadata)
    const opened = animated ? open(bytes, { animated }) : open(bytes).autoOrient()
    const smaller = opened.resize({ width, height, fit, withoutEnlargement: true })
    const encoded =
      type === JPEG
        ? smaller.jpeg({ quality: RESIZED_QUALITY, progressive: true })
        : smaller.webp({ quality: RESIZED_QUALITY })
    return {
      bytes: await encoded.toBuffer(),
      mediaType: (type === JPEG ? JPEG : WEBP).mediaType
    }
  }

  return {
    clean: (bytes, type) => refuseErrors(type, limits, () => clean(bytes, type)),
    resize: (bytes, type, size) => refuseErrors(type, limits, () => resize(bytes, type, size))
  }
}

function isAnimated({ pages = 1 }: Metadata): boolean {
  return pages > 1
}

/** Other images keep their compressed pixels and lose no quality. */
function needsPixelChange({ orientation = 1, icc }: Metadata): boolean {
  return orientation > 1 || (icc !== undefined && !isSrgb(icc))
}

/** By the description of the profile, in ASCII or UTF-16. */
function isSrgb(profile: Buffer): boolean {
  return profile.includes('sRGB', 0, 'latin1') || profile.includes('s\0R\0G\0B', 0, 'latin1')
}

/** Encoding AVIF takes many seconds, so it becomes WebP. */
function outputType(type: ImageType): ImageType {
  return type === AVIF ? WEBP : type
}

/** sharp converts to sRGB and writes no metadata. */
function encode(image: Sharp, type: ImageType, chromaSubsampling = '4:2:0'): Sharp {
  if (type === GIF) return image.gif()
  if (type === PNG) return image.png()
  if (type !== JPEG) return image.webp({ quality: FULL_QUALITY })
  const isFull = chromaSubsampling.startsWith('4:4:4')
  return image.jpeg({ quality: FULL_QUALITY, chromaSubsampling: isFull ? '4:4:4' : '4:2:0' })
}

async function refuseErrors<Result>(
  type: ImageType,
  limits: ImageLimits,
  work: () => Promise<Result>
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ImageRefused) throw error
    if (error instanceof Error && error.message.startsWith('timeout')) {
      throw new ImageRefused(
        `The image takes longer than ${limits.seconds} ${limits.seconds === 1 ? 'second' : 'seconds'} to process; make it smaller.`,
        { cause: error }
      )
    }
    throw damagedImage(type.name, 'it cannot be decoded', { cause: error })
  }
}
