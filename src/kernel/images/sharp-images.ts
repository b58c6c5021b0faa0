import type { Metadata, Sharp, SharpConstructor, SharpOptions } from 'sharp'
import { encode, encodeResized, outputType, type ResizedFormat, resizedType } from './encode.ts'
import { type CleanImage, damagedImage, ImageRefused } from './image-refused.ts'
import { AVIF, GIF, type ImageType, PNG, WEBP } from './image-type.ts'
import { checkPixels, type ImageLimits } from './limits.ts'
import { colorOf } from './pixel-color.ts'
import { isAnimatedPng } from './png.ts'
import { stripMetadata } from './strip-metadata.ts'

export type LoadSharp = () => Promise<{ readonly default: SharpConstructor }>

interface SharpSize {
  readonly width: number
  readonly height: number
  readonly fit: 'inside' | 'cover'
  readonly format?: ResizedFormat
}

export interface SharpImages {
  /** `encodesAgain`: also images that could keep their compressed pixels. */
  clean(bytes: Buffer, type: ImageType, encodesAgain: boolean): Promise<CleanImage>
  resize(
    bytes: Buffer,
    type: ImageType,
    size: SharpSize
  ): Promise<{ bytes: Buffer; mediaType: string }>
}

/** All other decoders of libvips are off, so that no byte of an image can select them. */
const DECODERS = ['Jpeg', 'Png', 'Webp', 'Nsgif', 'Heif'].map(
  (name) => `VipsForeignLoad${name}Buffer`
)

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

  /** Every pixel is decoded; the result is the mean colour of the first frame. */
  async function averageColor(bytes: Buffer, animated: boolean): Promise<string | undefined> {
    const pixel = open(bytes, { animated }).resize(1, 1, { fit: 'fill' }).raw()
    const { data, info } = await pixel.toBuffer({ resolveWithObject: true })
    return colorOf(data, info.channels)
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
      bytes: data,
      ...colorPart(await averageColor(data, false))
    }
  }

  async function clean(bytes: Buffer, type: ImageType, encodesAgain: boolean): Promise<CleanImage> {
    if (encodesAgain || type === GIF || type === AVIF)
      return compressAgain(bytes, type, await readMetadata(bytes))
    const stripped = await stripMetadata(bytes, type, limits)
    const metadata = await readMetadata(bytes)
    const animated = isAnimated(metadata)
    if (!animated && needsPixelChange(metadata) && !(type === PNG && isAnimatedPng(bytes))) {
      return compressAgain(bytes, type, metadata)
    }
    return { ...stripped, ...colorPart(await averageColor(stripped.bytes, animated)) }
  }

  async function resize(bytes: Buffer, type: ImageType, { format, ...size }: SharpSize) {
    const metadata = await readMetadata(bytes)
    const result = resizedType(type, format)
    const mayStay = format === undefined || result === type
    if (mayStay && (fitsInto(metadata, size) || (type === PNG && isAnimatedPng(bytes)))) {
      return { bytes, mediaType: type.mediaType }
    }
    // Of the results only WebP has several frames.
    const animated = isAnimated(metadata) && result === WEBP
    const opened = animated ? open(bytes, { animated }) : open(bytes).autoOrient()
    const smaller = opened.resize({ ...size, withoutEnlargement: true })
    return {
      bytes: await encodeResized(smaller, result).toBuffer(),
      mediaType: result.mediaType
    }
  }

  return {
    clean: (bytes, type, encodesAgain) =>
      refuseErrors(type, limits, () => clean(bytes, type, encodesAgain)),
    resize: (bytes, type, size) => refuseErrors(type, limits, () => resize(bytes, type, size))
  }
}

function isAnimated({ pages = 1 }: Metadata): boolean {
  return pages > 1
}

function fitsInto({ autoOrient: shown }: Metadata, { width, height, fit }: SharpSize): boolean {
  return fit === 'inside' && shown.width <= width && shown.height <= height
}

function colorPart(color: string | undefined): { color?: string } {
  return color === undefined ? {} : { color }
}

/** Other images keep their compressed pixels and lose no quality. */
function needsPixelChange({ orientation = 1, icc }: Metadata): boolean {
  return orientation > 1 || (icc !== undefined && !isSrgb(icc))
}

/** By the description of the profile, in ASCII or UTF-16. */
function isSrgb(profile: Buffer): boolean {
  return profile.includes('sRGB', 0, 'latin1') || profile.includes('s\0R\0G\0B', 0, 'latin1')
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
