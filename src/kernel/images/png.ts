import { crc32 } from 'node:zlib'
import { JoinedBytes } from '../joined-bytes.ts'
import { type CleanImage, damagedImage } from './image-refused.ts'
import { PNG } from './image-type.ts'
import { checkPixels, type ImageLimits, MAX_PARTS } from './limits.ts'
import { orient, readOrientation, writeOrientation } from './orientation.ts'
import { PNG_SIGNATURE, writePngChunk } from './png-chunk.ts'
import { readPngHeader, trimPixels } from './png-pixels.ts'

/**
 * The chunks that are kept besides IHDR, IDAT and IEND, with their greatest length: the palette,
 * transparency, colours, density and animation. A longer one is dropped like all others.
 */
const KEPT: Readonly<Record<string, number>> = {
  PLTE: 768,
  tRNS: 256,
  gAMA: 4,
  cHRM: 32,
  sRGB: 1,
  cICP: 4,
  sBIT: 4,
  bKGD: 6,
  pHYs: 9,
  acTL: 8,
  fcTL: 26,
  fdAT: Number.POSITIVE_INFINITY
}

interface Chunk {
  readonly type: string
  readonly content: Buffer
  /** Position of the next chunk. */
  readonly end: number
}

interface Progress {
  /** Chunks before and after the pixels. */
  readonly before: JoinedBytes
  readonly pixels: JoinedBytes
  readonly after: JoinedBytes
  orientation: number
}

/**
 * Copies what decoding needs. Of the metadata only the orientation is kept; colour profiles are
 * lost. What follows the pixels within their chunks or the end of the image is dropped.
 */
export async function cleanPng(bytes: Buffer, limits: ImageLimits): Promise<CleanImage> {
  const first = readChunk(bytes, PNG_SIGNATURE.length)
  const header = readPngHeader(first.type === 'IHDR' ? first.content : undefined)
  checkPixels(header.width, header.height, limits)
  const progress = readChunks(bytes, first.end)
  const { before, pixels, after, orientation } = progress
  if (pixels.size === 0) throw damagedImage('PNG', 'it contains no pixels')
  const output = new JoinedBytes()
  output.add(Buffer.from(PNG_SIGNATURE))
  output.add(writePngChunk('IHDR', first.content))
  if (orientation !== 1) output.add(writePngChunk('eXIf', writeOrientation(orientation)))
  output.add(before.take())
  output.add(writePngChunk('IDAT', await trimPixels(pixels.take(), header)))
  output.add(after.take())
  output.add(writePngChunk('IEND', Buffer.alloc(0)))
  const shown = orient(header.width, header.height, orientation)
  return { mediaType: PNG.mediaType, ...shown, bytes: output.take() }
}

/** Animated images are told by a chunk before the pixels. */
export function isAnimatedPng(bytes: Buffer): boolean {
  const pixels = bytes.indexOf('IDAT', 0, 'latin1')
  return bytes.subarray(0, Math.max(pixels, 0)).includes('acTL', 0, 'latin1')
}

function readChunks(bytes: Buffer, start: number): Progress {
  const progress: Progress = {
    before: new JoinedBytes(),
    pixels: new JoinedBytes(),
    after: new JoinedBytes(),
    orientation: 1
  }
  let chunk = readChunk(bytes, start)
  for (let count = 0; chunk.type !== 'IEND'; count++) {
    if (count === MAX_PARTS) throw damagedImage('PNG', 'it has too many chunks')
    addChunk(progress, chunk)
    chunk = readChunk(bytes, chunk.end)
  }
  return progress
}

function addChunk(progress: Progress, { type, content }: Chunk): void {
  if (type === 'IDAT') {
    if (progress.after.size > 0) throw damagedImage('PNG', 'its pixels are not in one piece')
    progress.pixels.add(content)
  } else if (type === 'eXIf') {
    progress.orientation = readOrientation(content)
  } else if (content.length <= (KEPT[type] ?? -1)) {
    const target = progress.pixels.size === 0 ? progress.before : progress.after
    target.add(writePngChunk(type, content))
  } else if (isCritical(type)) {
    throw damagedImage('PNG', 'it has a part that no decoder knows')
  }
}

function readChunk(bytes: Buffer, start: number): Chunk {
  if (start + 12 > bytes.length) throw damagedImage('PNG', 'its end is missing')
  const length = bytes.readUInt32BE(start)
  const end = start + 12 + length
  if (end > bytes.length) throw damagedImage('PNG', 'its end is missing')
  const type = bytes.toString('latin1', start + 4, start + 8)
  if (!/^[A-Za-z]{4}$/.test(type)) throw damagedImage('PNG', 'a chunk has no valid type')
  if (bytes.readUInt32BE(end - 4) !== crc32(bytes.subarray(start + 4, end - 4))) {
    throw damagedImage('PNG', 'a checksum is wrong')
  }
  return { type, content: bytes.subarray(start + 8, end - 4), end }
}

/** Types that start with a capital letter are needed for decoding. */
function isCritical(type: string): boolean {
  return /^[A-Z]/.test(type)
}
