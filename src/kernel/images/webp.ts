import { JoinedBytes } from '../joined-bytes.ts'
import { type CleanImage, damagedImage } from './image-refused.ts'
import { WEBP } from './image-type.ts'
import { checkPixels, type ImageLimits, MAX_PARTS } from './limits.ts'
import { orient, readOrientation, writeOrientation } from './orientation.ts'

const HEADER_BYTES = 12
const CHUNK_HEADER_BYTES = 8
const CANVAS_BYTES = 10
const FRAME_HEADER_BYTES = 16
/** Flags of the canvas. */
const ALPHA = 0x10
const EXIF = 0x08
const ANIMATION = 0x02
/** Some writers start the chunk like the segment of a JPEG. */
const EXIF_PREFIX = Buffer.from('Exif\0\0', 'latin1')

interface Size {
  readonly width: number
  readonly height: number
}

interface Chunk {
  readonly type: string
  readonly content: Buffer
}

interface Progress {
  readonly output: JoinedBytes
  readonly limits: ImageLimits
  canvas?: Size & { readonly flags: number }
  image?: Size
  orientation: number
  hasAnimation: boolean
  /** Of all frames. */
  pixels: number
}

/**
 * Copies what decoding needs. Of the metadata only the orientation is kept; colour profiles are
 * lost. What follows the end of the image is dropped.
 */
export function cleanWebp(bytes: Buffer, limits: ImageLimits): CleanImage {
  const progress: Progress = {
    output: new JoinedBytes(),
    limits,
    orientation: 1,
    hasAnimation: false,
    pixels: 0
  }
  const end = bytes.length < HEADER_BYTES ? 0 : CHUNK_HEADER_BYTES + bytes.readUInt32LE(4)
  if (end < HEADER_BYTES || end > bytes.length) throw damagedImage('WebP', 'its end is missing')
  for (const chunk of readChunks(bytes.subarray(HEADER_BYTES, end))) addChunk(progress, chunk)
  const size = checkedSize(progress)
  const { orientation } = progress
  return {
    mediaType: WEBP.mediaType,
    ...orient(size.width, size.height, orientation),
    bytes: assemble(progress)
  }
}

function checkedSize({ canvas, image, limits }: Progress): Size {
  if (image === undefined) throw damagedImage('WebP', 'it contains no pixels')
  const size = canvas ?? image
  const isAnimated = canvas !== undefined && (canvas.flags & ANIMATION) !== 0
  if (!isAnimated && (size.width !== image.width || size.height !== image.height)) {
    throw damagedImage('WebP', 'it declares two sizes')
  }
  checkPixels(size.width, size.height, limits)
  return size
}

function* readChunks(bytes: Buffer): Generator<Chunk> {
  let position = 0
  for (let count = 0; position < bytes.length; count++) {
    if (count === MAX_PARTS) throw damagedImage('WebP', 'it has too many parts')
    if (position + CHUNK_HEADER_BYTES > bytes.length) throw damagedImage('WebP', 'a part is cut')
    const start = position + CHUNK_HEADER_BYTES
    const length = bytes.readUInt32LE(position + 4)
    if (start + length > bytes.length) throw damagedImage('WebP', 'a part is cut')
    const type = bytes.toString('latin1', position, position + 4)
    yield { type, content: bytes.subarray(start, start + length) }
    position = start + length + (length % 2)
  }
}

function addChunk(progress: Progress, { type, content }: Chunk): void {
  const { output } = progress
  const isFirst = progress.image === undefined
  if (type === 'VP8X') readCanvas(progress, content)
  else if (type === 'EXIF') progress.orientation = readExif(content)
  else if (type === 'ANIM' && content.length === 6 && isFirst) {
    progress.hasAnimation = true
    addTo(output, type, content)
  } else if (type === 'ANMF') addFrame(progress, content)
  else if (type === 'ALPH' && isFirst) addTo(output, type, content)
  else if (isPixels(type) && isFirst) {
    progress.image = readPixelsSize(type, content)
    addTo(output, type, content)
  }
}

function readCanvas(progress: Progress, content: Buffer): void {
  if (progress.canvas !== undefined || progress.image !== undefined) {
    throw damagedImage('WebP', 'its size is declared twice')
  }
  if (content.length < CANVAS_BYTES) throw damagedImage('WebP', 'its header is cut')
  progress.canvas = {
    flags: content.readUInt8(0) & (ALPHA | ANIMATION),
    width: 1 + content.readUIntLE(4, 3),
    height: 1 + content.readUIntLE(7, 3)
  }
}

function readExif(content: Buffer): number {
  const hasPrefix = content.subarray(0, EXIF_PREFIX.length).equals(EXIF_PREFIX)
  return readOrientation(hasPrefix ? content.subarray(EXIF_PREFIX.length) : content)
}

/** A frame has chunks of its own; those that are not pixels are dropped. */
function addFrame(progress: Progress, content: Buffer): void {
  const { canvas, hasAnimation, limits } = progress
  if (!hasAnimation || canvas === undefined || (canvas.flags & ANIMATION) === 0) {
    throw damagedImage('WebP', 'its animation has no header')
  }
  if (content.length < FRAME_HEADER_BYTES) throw damagedImage('WebP', 'a frame is cut')
  const frame = new JoinedBytes()
  frame.add(Buffer.from(content.subarray(0, FRAME_HEADER_BYTES)))
  let size: Size | undefined
  for (const chunk of readChunks(content.subarray(FRAME_HEADER_BYTES))) {
    if (size !== undefined || !(isPixels(chunk.type) || chunk.type === 'ALPH')) continue
    if (isPixels(chunk.type)) size = readPixelsSize(chunk.type, chunk.content)
    addTo(frame, chunk.type, chunk.content)
  }
  if (size === undefined) throw damagedImage('WebP', 'a frame contains no pixels')
  progress.image = size
  progress.pixels += canvas.width * canvas.height
  checkPixels(progress.pixels, 1, limits)
  addTo(progress.output, 'ANMF', frame.take())
}

function isPixels(type: string): boolean {
  return type === 'VP8 ' || type === 'VP8L'
}

function readPixelsSize(type: string, content: Buffer): Size {
  const size = type === 'VP8L' ? readLossless(content) : readLossy(content)
  if (size === undefined || size.width === 0 || size.height === 0) {
    throw damagedImage('WebP', 'its pixels are damaged')
  }
  return size
}

function readLossless(content: Buffer): Size | undefined {
  if (content.length < 6 || content[0] !== 0x2f) return undefined
  const bits = content.readUInt32LE(1)
  const version = bits >>> 29
  if (version !== 0) return undefined
  return { width: 1 + (bits & 0x3fff), height: 1 + ((bits >>> 14) & 0x3fff) }
}

function readLossy(content: Buffer): Size | undefined {
  if (content.length < 11) return undefined
  const tag = content.readUIntLE(0, 3)
  const isKeyFrame = (tag & 1) === 0
  const firstPartition = tag >>> 5
  const hasStartCode = content.readUIntBE(3, 3) === 0x9d012a
  if (!isKeyFrame || !hasStartCode || 10 + firstPartition > content.length) return undefined
  return {
    width: content.readUInt16LE(6) & 0x3fff,
    height: content.readUInt16LE(8) & 0x3fff
  }
}

function assemble({ output, canvas, image, orientation }: Progress): Buffer {
  const body = output.take()
  const result = new JoinedBytes()
  result.add(Buffer.from('RIFF\0\0\0\0WEBP', 'latin1'))
  // The orientation needs a canvas, which simple files do not have.
  const declared = canvas ?? (orientation === 1 || !image ? undefined : { ...image, flags: 0 })
  if (declared !== undefined) addTo(result, 'VP8X', writeCanvas(declared, orientation))
  result.add(body)
  if (orientation !== 1) addTo(result, 'EXIF', writeOrientation(orientation))
  const bytes = result.take()
  bytes.writeUInt32LE(bytes.length - CHUNK_HEADER_BYTES, 4)
  return bytes
}

function writeCanvas({ width, height, flags }: Size & { flags: number }, orientation: number) {
  const canvas = Buffer.alloc(CANVAS_BYTES)
  canvas.writeUInt8(flags | (orientation === 1 ? 0 : EXIF), 0)
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  return canvas
}

/** Adds a chunk; its length is made even. */
function addTo(output: JoinedBytes, type: string, content: Buffer): void {
  const header = Buffer.alloc(CHUNK_HEADER_BYTES)
  header.write(type, 'latin1')
  header.writeUInt32LE(content.length, 4)
  output.add(header)
  output.add(content)
  if (content.length % 2 === 1) output.add(Buffer.alloc(1))
}
