import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { EFFORT } from '../../../test/support/effort.ts'
import {
  animate,
  animatePng,
  listChunks,
  noise,
  type PlantedImage,
  plantChunks,
  plantGif,
  plantJpeg,
  plantParts,
  plantPng,
  plantWebp,
  SECRET,
  webpPart
} from '../../../test/support/planted-images.ts'
import { createRandom } from '../../../test/support/random.ts'
import { createImages } from './images.ts'

const withSharp = createImages()
const withoutSharp = createImages({ load: () => Promise.reject(new Error('not installed')) })
const CASES = 16 * EFFORT

const FORMATS = { JPEG: plantJpeg, PNG: plantPng, WebP: plantWebp }

function assertNoSecret(bytes: Buffer, name: string): void {
  assert.equal(bytes.includes(SECRET, 0, 'latin1'), false, name)
  assert.equal(bytes.includes(SECRET, 0, 'utf16le'), false, name)
}

const decode = (bytes: Buffer) => sharp(bytes).raw().toBuffer({ resolveWithObject: true })
const decodeShown = (bytes: Buffer) =>
  sharp(bytes).autoOrient().raw().toBuffer({ resolveWithObject: true })

function assertSamePixels(
  actual: Awaited<ReturnType<typeof decode>>,
  expected: Awaited<ReturnType<typeof decode>>,
  name: string
): void {
  const size = ({ info }: typeof actual) => [info.width, info.height, info.channels]
  assert.deepEqual(size(actual), size(expected), name)
  assert.ok(actual.data.equals(expected.data), `${name}: other pixels`)
}

async function checkWithoutSharp({ name, bytes, original }: PlantedImage, orientation: number) {
  const cleaned = await withoutSharp.clean(bytes)
  assertNoSecret(cleaned.bytes, name)
  assertSamePixels(await decode(cleaned.bytes), await decode(original), name)
  const metadata = await sharp(cleaned.bytes).metadata()
  assert.deepEqual(metadata.autoOrient.width, cleaned.width, name)
  assert.deepEqual(metadata.autoOrient.height, cleaned.height, name)
  assert.equal(metadata.orientation ?? 1, orientation, name)
  assert.equal(metadata.icc, undefined, name)
  assert.equal(metadata.xmp, undefined, name)
  assert.ok(cleaned.bytes.length <= bytes.length, name)
  if (name.startsWith('WebP')) {
    assert.equal(metadataFlags(cleaned.bytes), orientation === 1 ? 0 : 0x08, name)
  }
  // Nothing is left to remove.
  assert.deepEqual(await withoutSharp.clean(cleaned.bytes), cleaned, name)
}

async function checkWithSharp({ name, bytes, original }: PlantedImage, orientation: number) {
  const cleaned = await withSharp.clean(bytes)
  assertNoSecret(cleaned.bytes, name)
  const { exif, icc, xmp } = await sharp(cleaned.bytes).metadata()
  assert.deepEqual([exif, icc, xmp], [undefined, undefined, undefined], name)
  const shown = await decode(cleaned.bytes)
  assert.deepEqual([shown.info.width, shown.info.height], [cleaned.width, cleaned.height], name)
  if (orientation === 1) assertSamePixels(shown, await decode(original), name)
  else if (name.startsWith('PNG')) assertSamePixels(shown, await decodeShown(bytes), name)
}

function hasAdobeSegment(bytes: Buffer): boolean {
  return bytes.includes('\xff\xee\0\x0eAdobe', 0, 'latin1')
}

/** Flags for EXIF, XMP and a colour profile in the header of a WebP. */
function metadataFlags(bytes: Buffer): number {
  return bytes.toString('latin1', 12, 16) === 'VP8X' ? bytes.readUInt8(20) & 0x2c : 0
}

describe('metadata of images', () => {
  for (const [type, plant] of Object.entries(FORMATS)) {
    test(`${type}: it is removed and the pixels stay`, async () => {
      for (let index = 0; index < CASES; index++) {
        const orientation = 1 + (index % 8)
        const planted = await plant(createRandom(index + 1), orientation)
        assert.ok(planted.bytes.includes(SECRET))
        await checkWithoutSharp(planted, orientation)
        await checkWithSharp(planted, orientation)
      }
    })
  }

  test('an animated WebP keeps its frames', async () => {
    const original = await animate(createRandom(7), (image) =>
      image.webp({ lossless: true, delay: [50, 60, 70], loop: 3 })
    )
    for (const images of [withSharp, withoutSharp]) {
      const cleaned = await images.clean(plantParts(original))
      assertNoSecret(cleaned.bytes, 'animated WebP')
      assert.deepEqual([cleaned.width, cleaned.height], [8, 6])
      assert.deepEqual(cleaned.bytes, original)
    }
  })

  test('a frame of a WebP loses what precedes its pixels', async () => {
    const original = await animate(createRandom(7), (image) => image.webp({ lossless: true }))
    const frame = original.indexOf('ANMF')
    const junk = webpPart('junk', Buffer.from(SECRET))
    const inside = frame + 8 + 16
    const bytes = Buffer.concat([original.subarray(0, inside), junk, original.subarray(inside)])
    bytes.writeUInt32LE(bytes.length - 8, 4)
    bytes.writeUInt32LE(bytes.readUInt32LE(frame + 4) + junk.length, frame + 4)
    assert.deepEqual((await withoutSharp.clean(bytes)).bytes, original)
  })

  test('a JPEG keeps its restart markers', async () => {
    const original = await noise(createRandom(4), 8, 8, 3).jpeg().toBuffer()
    const end = original.subarray(-2)
    const restart = Buffer.from([0xff, 0xd0, 0x12, 0x34])
    const bytes = Buffer.concat([original.subarray(0, -2), restart, end])
    assert.deepEqual((await withoutSharp.clean(bytes)).bytes, bytes)
  })

  test('an animated PNG keeps its frames, even if it is to be rotated', async () => {
    const image = noise(createRandom(6), 8, 6, 3).png()
    const bytes = animatePng(await image.withMetadata({ orientation: 6 }).toBuffer())
    for (const images of [withSharp, withoutSharp]) {
      const cleaned = await images.clean(plantChunks(bytes))
      assertNoSecret(cleaned.bytes, 'animated PNG')
      const types = listChunks(cleaned.bytes).map(({ type }) => type)
      assert.deepEqual(types, ['IHDR', 'eXIf', 'acTL', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'])
      assert.deepEqual([cleaned.width, cleaned.height], [6, 8])
      const resized = await images.resize('animated', async () => cleaned.bytes, {
        width: 2,
        height: 2,
        fit: 'inside'
      })
      assert.equal(resized.bytes, cleaned.bytes)
    }
  })

  test('a JPEG in CMYK keeps its colours', async () => {
    const image = noise(createRandom(5), 24, 16, 3).toColourspace('cmyk')
    const bytes = await image.jpeg().toBuffer()
    for (const images of [withSharp, withoutSharp]) {
      const cleaned = await images.clean(bytes)
      assertSamePixels(await decode(cleaned.bytes), await decode(bytes), 'CMYK')
      assert.deepEqual([bytes, cleaned.bytes].map(hasAdobeSegment), [true, true])
    }
  })

  test('an animated GIF keeps its frames', async () => {
    const original = await animate(createRandom(8), (image) =>
      image.gif({ delay: [50, 60, 70], loop: 3 })
    )
    const cleaned = await withSharp.clean(plantGif(original))
    assertNoSecret(cleaned.bytes, 'GIF')
    const { pages, delay, loop, width, pageHeight } = await sharp(cleaned.bytes, {
      animated: true
    }).metadata()
    assert.deepEqual([pages, delay, loop], [3, [50, 60, 70], 3])
    assert.deepEqual([width, pageHeight], [8, 6])
    assert.deepEqual([cleaned.width, cleaned.height], [8, 6])
    assert.equal(cleaned.mediaType, 'image/gif')
  })

  test('an AVIF image becomes WebP without metadata', async () => {
    const image = noise(createRandom(9), 12, 7, 3).withExif({ IFD0: { Copyright: SECRET } })
    const bytes = await image.avif({ effort: 0 }).toBuffer()
    assert.ok(bytes.includes(SECRET))
    const cleaned = await withSharp.clean(bytes)
    assertNoSecret(cleaned.bytes, 'AVIF')
    const { mediaType, width, height } = cleaned
    assert.deepEqual([mediaType, width, height], ['image/webp', 12, 7])
    assert.equal((await sharp(cleaned.bytes).metadata()).format, 'webp')
  })

  test('colours of another profile are converted to sRGB', async () => {
    const red = sharp({ create: { width: 16, height: 16, channels: 3, background: '#c03020' } })
    const bytes = await red.withIccProfile('p3').png().toBuffer()
    const stored = (await withoutSharp.clean(bytes)).bytes
    const cleaned = (await withSharp.clean(bytes)).bytes
    const first = async (image: Buffer) => [...(await decode(image)).data.subarray(0, 3)]
    assert.deepEqual(await first(cleaned), await first(bytes))
    assert.notDeepEqual(await first(stored), await first(cleaned))
    assert.equal((await sharp(cleaned).metadata()).icc, undefined)
  })
})
