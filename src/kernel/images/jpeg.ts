import { JoinedBytes } from '../joined-bytes.ts'
import { type CleanImage, damagedImage, ImageRefused } from './image-refused.ts'
import { JPEG } from './image-type.ts'
import { checkPixels, type ImageLimits, MAX_PARTS } from './limits.ts'
import { orient, readOrientation, writeOrientation } from './orientation.ts'

const START = Buffer.from([0xff, 0xd8])
const END = Buffer.from([0xff, 0xd9])
const EXIF = Buffer.from('Exif\0\0', 'latin1')
const JFIF = Buffer.from('JFIF\0', 'latin1')
const ADOBE = Buffer.from('Adobe', 'latin1')
/** Version, density and no thumbnail. */
const JFIF_BYTES = 14
const ADOBE_BYTES = 12
/** Real files have up to about 20; each scan costs a decoder one pass over all pixels. */
const MAX_SCANS = 50

const EOI = 0xd9
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP14 = 0xee
/** Huffman tables, quantization tables, restart interval. */
const TABLES = [0xc4, 0xdb, 0xdd]
/** Baseline, extended and progressive, all with Huffman coding: what browsers decode. */
const FRAMES = [0xc0, 0xc1, 0xc2]
/** Lossless, hierarchical and arithmetic coding, with their tables. */
const OTHER_FRAMES = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcc, 0xcd, 0xce, 0xcf, 0xde, 0xdf]

interface Progress {
  readonly output: JoinedBytes
  readonly limits: ImageLimits
  frame?: { readonly width: number; readonly height: number }
  orientation?: number
  hasJfif: boolean
  hasAdobe: boolean
  segments: number
  scans: number
}

/**
 * Copies what decoding needs. Of the metadata only the orientation is kept, and the density of
 * JFIF; colour profiles are lost. What follows the end of the image is dropped.
 */
export function cleanJpeg(bytes: Buffer, limits: ImageLimits): CleanImage {
  const output = new JoinedBytes()
  output.add(Buffer.from(START))
  const counts = { segments: 0, scans: 0 }
  const progress: Progress = { output, limits, hasJfif: false, hasAdobe: false, ...counts }
  let position = findMarker(bytes, START.length)
  while (bytes[position + 1] !== EOI) {
    const marker = bytes[position + 1] ?? 0
    position += 2
    if (hasContent(marker)) {
      const content = readContent(bytes, position)
      progress.segments++
      if (progress.segments > MAX_PARTS) throw damagedImage('JPEG', 'it has too many segments')
      addSegment(progress, marker, content)
      position += 2 + content.length
      if (marker === SOS) position = copyScan(progress, bytes, position)
    }
    position = findMarker(bytes, position)
  }
  const { frame, scans, orientation = 1 } = progress
  if (frame === undefined || scans === 0) throw damagedImage('JPEG', 'it contains no pixels')
  output.add(END)
  const shown = orient(frame.width, frame.height, orientation)
  return { mediaType: JPEG.mediaType, ...shown, bytes: output.take() }
}

/** Position of the next marker; stray bytes before it are skipped, as decoders do. */
function findMarker(bytes: Buffer, from: number): number {
  for (let position = from; position + 1 < bytes.length; position++) {
    if (bytes[position] !== 0xff) continue
    const code = bytes[position + 1]
    // 0 follows a byte 0xff of compressed data; 0xff may be repeated before a marker.
    if (code !== 0 && code !== 0xff) return position
  }
  throw damagedImage('JPEG', 'its end is missing')
}

/** Restart markers, the start of an image and TEM consist of the marker only. */
function hasContent(marker: number): boolean {
  return marker !== 0x01 && !(marker >= 0xd0 && marker <= 0xd8)
}

function readContent(bytes: Buffer, position: number): Buffer {
  const length = position + 2 <= bytes.length ? bytes.readUInt16BE(position) : 0
  if (length < 2 || position + length > bytes.length) {
    throw damagedImage('JPEG', 'a segment is cut')
  }
  return bytes.subarray(position + 2, position + length)
}

function addSegment(progress: Progress, marker: number, content: Buffer): void {
  if (marker === APP0) addJfif(progress, content)
  else if (marker === APP1) addOrientation(progress, content)
  else if (marker === APP14) addAdobe(progress, content)
  else if (TABLES.includes(marker)) write(progress, marker, content)
  else if (FRAMES.includes(marker)) addFrame(progress, marker, content)
  else if (marker === SOS) addScanHeader(progress, content)
  else if (OTHER_FRAMES.includes(marker)) {
    throw new ImageRefused(
      'The JPEG image uses a coding that browsers do not show; save it as baseline or progressive.'
    )
  }
}

function write({ output }: Progress, marker: number, content: Buffer): void {
  const header = Buffer.from([0xff, marker, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  output.add(header)
  output.add(content)
}

function addJfif(progress: Progress, content: Buffer): void {
  if (progress.hasJfif || content.length < JFIF_BYTES || !startsWith(content, JFIF)) return
  progress.hasJfif = true
  const withoutThumbnail = Buffer.from(content.subarray(0, JFIF_BYTES)).fill(0, 12)
  write(progress, APP0, withoutThumbnail)
}

function addOrientation(progress: Progress, content: Buffer): void {
  if (progress.orientation !== undefined || !startsWith(content, EXIF)) return
  progress.orientation = readOrientation(content.subarray(EXIF.length))
  if (progress.orientation === 1) return
  write(progress, APP1, Buffer.concat([EXIF, writeOrientation(progress.orientation)]))
}

/** Says how three or four components are colours. */
function addAdobe(progress: Progress, content: Buffer): void {
  if (progress.hasAdobe || content.length < ADOBE_BYTES || !startsWith(content, ADOBE)) return
  progress.hasAdobe = true
  write(progress, APP14, content.subarray(0, ADOBE_BYTES))
}

function addFrame(progress: Progress, marker: number, content: Buffer): void {
  if (progress.frame !== undefined) throw damagedImage('JPEG', 'it declares its size twice')
  const components = content[5] ?? 0
  const isValid = [1, 3, 4].includes(components) && content.length === 6 + 3 * components
  if (!isValid || content[0] !== 8) throw damagedImage('JPEG', 'its header is wrong')
  const height = content.readUInt16BE(1)
  const width = content.readUInt16BE(3)
  if (width === 0 || height === 0) throw damagedImage('JPEG', 'its size is missing')
  checkPixels(width, height, progress.limits)
  progress.frame = { width, height }
  write(progress, marker, content)
}

function addScanHeader(progress: Progress, content: Buffer): void {
  const components = content[0] ?? 0
  const isValid = components >= 1 && components <= 4 && content.length === 4 + 2 * components
  if (!isValid || progress.frame === undefined) {
    throw damagedImage('JPEG', 'the header of its pixels is wrong')
  }
  progress.scans++
  if (progress.scans > MAX_SCANS) throw damagedImage('JPEG', 'it has too many scans')
  write(progress, SOS, content)
}

/** Copies compressed data with its restart markers, returns the position of the next marker. */
function copyScan({ output }: Progress, bytes: Buffer, start: number): number {
  let end = findMarker(bytes, start)
  while (isRestart(bytes[end + 1])) end = findMarker(bytes, end + 2)
  if (end === start) throw damagedImage('JPEG', 'it contains no pixels')
  output.add(bytes.subarray(start, end))
  return end
}

function isRestart(marker: number | undefined): boolean {
  return marker !== undefined && marker >= 0xd0 && marker <= 0xd7
}

function startsWith(content: Buffer, start: Buffer): boolean {
  return content.subarray(0, start.length).equals(start)
}
