/** Small images with metadata in every part of a file that can have some. */
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import type { Random } from './random.ts'

/** Every planted text contains it, in ASCII. */
export const SECRET = 'PLANTED-SECRET'

export interface PlantedImage {
  readonly name: string
  /** With metadata, and bytes after the end. */
  readonly bytes: Buffer
  /** Without metadata but the orientation. */
  readonly original: Buffer
}

const secret = (label: string) => Buffer.from(`${label} ${SECRET} 48.8584N 2.2945E`, 'latin1')

/** Random pixels, so that a wrong byte is seen. */
export function noise(random: Random, width: number, height: number, channels: 1 | 2 | 3 | 4) {
  const pixels = random.bytes(width * height * channels)
  return sharp(pixels, { raw: { width, height, channels } })
}

function randomNoise(random: Random) {
  const width = 1 + random.below(40)
  const height = 1 + random.below(40)
  return noise(random, width, height, random.pick([1, 2, 3, 4]))
}

function withExif(image: Sharp, orientation: number): Sharp {
  return image.withMetadata({ orientation }).withExifMerge({
    IFD0: { ImageDescription: `description ${SECRET}`, Copyright: SECRET },
    IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '48/1 51/1 30/1', GPSProcessingMethod: SECRET }
  })
}

/** The encoded image, and the same with EXIF, as cameras write it. */
async function encode(
  image: Sharp,
  orientation: number,
  format: (image: Sharp) => Sharp
): Promise<{ original: Buffer; bytes: Buffer }> {
  const original = await format(image.clone()).toBuffer()
  const oriented = withExif(format(image.clone()), orientation).withIccProfile('srgb')
  return { original, bytes: await oriented.toBuffer() }
}

export async function plantJpeg(random: Random, orientation: number): Promise<PlantedImage> {
  const progressive = random.pick([true, false])
  const chromaSubsampling = random.pick(['4:2:0', '4:4:4'])
  const image = randomNoise(random).removeAlpha()
  const made = await encode(image, orientation, (one) =>
    one.jpeg({ progressive, chromaSubsampling, quality: 90 })
  )
  return { name: `JPEG, progressive ${progressive}`, ...made, bytes: plantSegments(made.bytes) }
}

/** After the start, before each scan and after the end. */
export function plantSegments(bytes: Buffer): Buffer {
  const xmp = Buffer.concat([Buffer.from('http://ns.adobe.com/xap/1.0/\0'), secret('<x:xmpmeta')])
  const jfif = Buffer.from('JFIF\0\x01\x02\0\0\x01\0\x01\x05\x02', 'latin1')
  const start = [
    segment(0xe0, Buffer.concat([jfif, secret('thumbnail')])),
    segment(0xe0, secret('JFXX\0')),
    bytes.subarray(2, firstScan(bytes)),
    segment(0xe1, xmp),
    ...[0xe2, 0xe5, 0xec, 0xed, 0xee, 0xef, 0xfe].map((code) => segment(code, secret('x'))),
    segment(0xee, Buffer.concat([Buffer.from('Adobe\0'), secret('too short')]).subarray(0, 9)),
    secret('between segments')
  ]
  const scans = bytes.subarray(firstScan(bytes), -2).toString('latin1')
  const commented = segment(0xfe, secret('comment')).toString('latin1')
  return Buffer.concat([
    bytes.subarray(0, 2),
    ...start,
    // `\xda\0` within compressed data always follows another byte than 0xff.
    Buffer.from(scans.replaceAll('\xff\xda', `${commented}\xff\xda`), 'latin1'),
    segment(0xfe, secret('last comment')),
    bytes.subarray(-2),
    secret('after the end')
  ])
}

function firstScan(bytes: Buffer): number {
  let position = 2
  while (bytes[position + 1] !== 0xda) position += 2 + bytes.readUInt16BE(position + 2)
  return position
}

export function segment(code: number, content: Buffer): Buffer {
  const header = Buffer.from([0xff, code, 0, 0])
  header.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([header, content])
}

export async function plantPng(random: Random, orientation: number): Promise<PlantedImage> {
  const options = {
    progressive: random.pick([true, false]),
    palette: random.pick([true, false]),
    colours: random.pick([2, 4, 16, 256])
  }
  const depth = random.pick(['srgb', 'rgb16'])
  const image = randomNoise(random).toColourspace(depth)
  const made = await encode(image, orientation, (one) => one.png(options))
  return {
    name: `PNG, ${depth}, ${JSON.stringify(options)}`,
    ...made,
    bytes: plantChunks(made.bytes)
  }
}

/** Around the pixels, after them within their chunk, and after the end. */
export function plantChunks(bytes: Buffer): Buffer {
  const chunks = listChunks(bytes)
  const types = ['tEXt', 'zTXt', 'iTXt', 'tIME', 'iCCP', 'gAMA', 'pHYs', 'prVt', 'sPLT', 'caBX']
  const planted = types.map((type) => pngChunk(type, secret(type)))
  const pixels = chunks.findLastIndex(({ type }) => type === 'IDAT')
  const last = chunks[pixels]?.content ?? Buffer.alloc(0)
  return Buffer.concat([
    bytes.subarray(0, 8),
    ...chunks.slice(0, pixels).flatMap(({ type, content }) => {
      const chunk = pngChunk(type, content)
      return type === 'IHDR' ? [chunk, ...planted] : [chunk]
    }),
    pngChunk('IDAT', Buffer.concat([last, secret('after the pixels')])),
    pngChunk('IDAT', secret('more')),
    ...chunks.slice(pixels + 1, -1).map(({ type, content }) => pngChunk(type, content)),
    ...planted,
    pngChunk('IEND', secret('end')),
    secret('after the end')
  ])
}

export function listChunks(bytes: Buffer): { type: string; content: Buffer }[] {
  const chunks = []
  for (let position = 8; position < bytes.length; ) {
    const end = position + 12 + bytes.readUInt32BE(position)
    const type = bytes.toString('latin1', position + 4, position + 8)
    chunks.push({ type, content: bytes.subarray(position + 8, end - 4) })
    position = end
  }
  return chunks
}

export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const numbers = Buffer.alloc(8)
  numbers.writeUInt32BE(content.length, 0)
  numbers.writeUInt32BE(crc32(named), 4)
  return Buffer.concat([numbers.subarray(0, 4), named, numbers.subarray(4)])
}

export async function plantWebp(random: Random, orientation: number): Promise<PlantedImage> {
  const lossless = random.pick([true, false])
  const image = randomNoise(random)
  const made = await encode(image, orientation, (one) => one.webp({ lossless }))
  return { name: `WebP, lossless ${lossless}`, ...made, bytes: plantParts(made.bytes) }
}

/** After the pixels, in frames, and after the end. */
export function plantParts(bytes: Buffer): Buffer {
  const planted = ['XMP ', 'EXIX', 'junk'].map((type) => webpPart(type, secret(type)))
  const parts = listParts(bytes.subarray(12)).map(({ type, content }) => {
    const isFrame = type === 'ANMF'
    const inner = isFrame ? Buffer.concat([content, webpPart('junk', secret('frame'))]) : content
    return webpPart(type, inner)
  })
  const body = Buffer.concat([Buffer.from('WEBP'), ...parts, ...planted])
  return Buffer.concat([webpPart('RIFF', body), secret('after the end')])
}

function listParts(bytes: Buffer): { type: string; content: Buffer }[] {
  const parts = []
  for (let position = 0; position < bytes.length; ) {
    const length = bytes.readUInt32LE(position + 4)
    const type = bytes.toString('latin1', position, position + 4)
    parts.push({ type, content: bytes.subarray(position + 8, position + 8 + length) })
    position += 8 + length + (length % 2)
  }
  return parts
}

export function webpPart(type: string, content: Buffer): Buffer {
  const header = Buffer.alloc(8)
  header.write(type, 'latin1')
  header.writeUInt32LE(content.length, 4)
  return Buffer.concat([header, content, Buffer.alloc(content.length % 2)])
}

/** Three frames. */
export async function animate(random: Random, format: (image: Sharp) => Sharp): Promise<Buffer> {
  const pixels = random.bytes(8 * 18 * 4)
  const raw = { width: 8, height: 18, channels: 4, pageHeight: 6 } as const
  return format(sharp(pixels, { raw })).toBuffer()
}

/** A comment, an application extension and bytes after the end. */
export function plantGif(bytes: Buffer): Buffer {
  const comment = secret('comment')
  const colours = 2 << ((bytes[10] ?? 0) & 7)
  const start = 13 + ((bytes[10] ?? 0) & 0x80 ? 3 * colours : 0)
  return Buffer.concat([
    bytes.subarray(0, start),
    Buffer.from([0x21, 0xfe, comment.length]),
    comment,
    Buffer.from([0, 0x21, 0xff, 11]),
    Buffer.from('XMP DataXMP'),
    Buffer.from([comment.length]),
    comment,
    Buffer.from([0]),
    bytes.subarray(start),
    secret('after the end')
  ])
}

/** An animated PNG with two frames, both with the pixels of the image. */
export function animatePng(bytes: Buffer): Buffer {
  const [header, ...rest] = listChunks(bytes)
  const size = header?.content.subarray(0, 8) ?? Buffer.alloc(8)
  const pixels = rest.filter(({ type }) => type === 'IDAT').map(({ content }) => content)
  const control = (sequence: number) =>
    pngChunk('fcTL', Buffer.concat([number32(sequence), size, Buffer.alloc(14, 0)]))
  const second = Buffer.concat([number32(2), ...pixels])
  return Buffer.concat([
    bytes.subarray(0, 8),
    pngChunk('IHDR', header?.content ?? Buffer.alloc(0)),
    ...rest.filter(({ type }) => type === 'eXIf').map(({ content }) => pngChunk('eXIf', content)),
    pngChunk('acTL', Buffer.concat([number32(2), number32(0)])),
    control(0),
    ...pixels.map((content) => pngChunk('IDAT', content)),
    control(1),
    pngChunk('fdAT', second),
    pngChunk('IEND', Buffer.alloc(0))
  ])
}

function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A square with one bit per pixel, a small file for many pixels, with colours of Display P3. */
export async function largePng(side: number): Promise<Buffer> {
  const create = { width: 1, height: 1, channels: 3, background: '#c03020' } as const
  const tagged = await sharp({ create }).withIccProfile('p3').png().toBuffer()
  const profile = listChunks(tagged).find(({ type }) => type === 'iCCP')?.content
  const rows = deflateSync(Buffer.alloc(side * (1 + Math.ceil(side / 8))), { level: 1 })
  return palettePng(side, rows, pngChunk('iCCP', profile ?? Buffer.alloc(0)))
}

/** A square with one bit per pixel. */
export function palettePng(
  side: number,
  compressed: Buffer,
  other: Buffer = Buffer.alloc(0)
): Buffer {
  const header = Buffer.concat([number32(side), number32(side), Buffer.from([1, 3, 0, 0, 0])])
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    other,
    pngChunk('PLTE', Buffer.from([192, 48, 32, 0, 0, 0])),
    pngChunk('IDAT', compressed),
    pngChunk('IEND', Buffer.alloc(0))
  ])
}
