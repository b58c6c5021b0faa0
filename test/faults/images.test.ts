/** Damaged and hostile images: each is cleaned or refused with a sentence, within bounds. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deflateSync } from 'node:zlib'
import { createImages, ImageRefused } from '../../src/kernel/images/images.ts'
import { EFFORT } from '../support/effort.ts'
import {
  animate,
  animatePng,
  noise,
  palettePng,
  plantChunks,
  plantParts,
  plantSegments,
  pngChunk,
  segment,
  webpPart
} from '../support/planted-images.ts'
import { createRandom, type Random } from '../support/random.ts'

const MUTATIONS = 150 * EFFORT
const withSharp = createImages()
const withoutSharp = createImages({ load: () => Promise.reject(new Error('not installed')) })
const random = createRandom(17)
const image = noise(random, 9, 7, 4)

const jpeg = await image.clone().jpeg().toBuffer()
const png = await image.clone().png().toBuffer()
const webp = await image.clone().webp().toBuffer()
const animation = await animate(random, (one) => one.webp())

/** Types that our own code cleans. */
const OWN: Record<string, Buffer> = {
  JPEG: jpeg,
  'JPEG, progressive': await image.clone().jpeg({ progressive: true }).toBuffer(),
  'JPEG with metadata': plantSegments(jpeg),
  PNG: png,
  'PNG, interlaced': await image.clone().png({ progressive: true, palette: true }).toBuffer(),
  'PNG with metadata': plantChunks(png),
  'PNG, animated': animatePng(png),
  WebP: webp,
  'WebP, lossless': await image.clone().webp({ lossless: true }).toBuffer(),
  'WebP with metadata': plantParts(webp),
  'WebP, animated': plantParts(animation)
}
const ALL: Record<string, Buffer> = {
  ...OWN,
  GIF: await animate(random, (one) => one.gif()),
  AVIF: await image.clone().avif({ effort: 0 }).toBuffer()
}

/** True if the image is cleaned; any error but ImageRefused fails the test. */
async function isAccepted(images: typeof withSharp, bytes: Buffer, name: string): Promise<boolean> {
  try {
    const { width, height } = await images.clean(bytes)
    assert.ok(width > 0 && height > 0, name)
    return true
  } catch (error) {
    assert.ok(error instanceof ImageRefused, `${name}: ${error}`)
    assert.match(error.message, /^[A-Z].* .*\.$/, name)
    return false
  }
}

/** Changes bytes, lengths, repeats a part, leaves one out or inserts one. */
function mutate({ below, pick, bytes }: Random, original: Buffer): Buffer {
  const copy = Buffer.from(original)
  const at = below(copy.length)
  const part = copy.subarray(at, at + 1 + below(32))
  const mutations: readonly [() => Buffer, ...(() => Buffer)[]] = [
    () => copy.fill(below(256), at, at + 1),
    () => {
      copy.subarray(at, at + 4).fill(pick([0, 0xff, 0x7f, 0x80]))
      return copy
    },
    () => Buffer.concat([copy.subarray(0, at), part, copy.subarray(at)]),
    () => Buffer.concat([copy.subarray(0, at), copy.subarray(at + part.length)]),
    () => Buffer.concat([copy.subarray(0, at), bytes(1 + below(8)), copy.subarray(at)])
  ]
  return pick(mutations)()
}

describe('damaged images', () => {
  for (const [name, bytes] of Object.entries(ALL)) {
    test(`${name}: random changes`, async () => {
      assert.equal(await isAccepted(withSharp, bytes, name), true)
      const seeded = createRandom(name.length)
      for (let index = 0; index < MUTATIONS; index++) {
        let changed = bytes
        for (let count = 0; count <= index % 3; count++) changed = mutate(seeded, changed)
        await isAccepted(withoutSharp, changed, `${name}, change ${index}`)
        if (index % 5 === 0) await isAccepted(withSharp, changed, `${name}, change ${index}`)
      }
    })
  }

  for (const [name, bytes] of Object.entries(OWN)) {
    test(`${name}: every cut`, async () => {
      const { bytes: whole } = await withoutSharp.clean(bytes)
      for (let length = 0; length < whole.length; length++) {
        const isShown = await isAccepted(withoutSharp, whole.subarray(0, length), name)
        assert.equal(isShown, false, `${name} cut to ${length} of ${whole.length} bytes`)
      }
    })
  }
})

const LARGE = 4 * 1024 * 1024
const header = jpeg.subarray(0, 2)
const scan = jpeg.subarray(2, -2)
const riff = (...parts: Buffer[]) =>
  webpPart('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))

/** Each is refused by both ways, without work or memory that its declared sizes would need. */
const HOSTILE: Record<string, readonly [() => Buffer, RegExp]> = {
  'a PNG of 4 billion pixels': [
    () => palettePng(65_535, deflateSync(Buffer.alloc(9))),
    /65535 × 65535 pixels, more than 50 million/
  ],
  'a PNG with more pixels than declared': [
    () => palettePng(8, deflateSync(Buffer.alloc(LARGE))),
    /more pixels than declared/
  ],
  'a PNG with fewer pixels than declared': [
    () => palettePng(7_000, deflateSync(Buffer.alloc(9))),
    /fewer pixels than declared/
  ],
  'a PNG with many chunks': [
    () => {
      const chunks = Buffer.alloc(12 * 200_000, pngChunk('IDAT', Buffer.alloc(0)))
      return Buffer.concat([png.subarray(0, 33), chunks, png.subarray(33)])
    },
    /too many chunks/
  ],
  'a PNG with an unknown critical chunk': [
    () => Buffer.concat([png.subarray(0, 33), pngChunk('CgBI', Buffer.alloc(4)), png.subarray(33)]),
    /a part that no decoder knows/
  ],
  'a JPEG of escaped bytes': [
    () => Buffer.concat([header, scan, Buffer.alloc(LARGE, '\xff\0', 'latin1')]),
    /its end is missing/
  ],
  'a JPEG of fill bytes': [
    () => Buffer.concat([header, Buffer.alloc(LARGE, 0xff)]),
    /its end is missing/
  ],
  'a JPEG with many segments': [
    () => Buffer.concat([header, Buffer.alloc(4 * 200_000, segment(0xdb, Buffer.alloc(0))), scan]),
    /too many segments/
  ],
  'a JPEG with many scans': [
    () => {
      const start = jpeg.indexOf('\xff\xda', 0, 'latin1')
      const scans = Buffer.alloc(100 * (jpeg.length - 2 - start), jpeg.subarray(start, -2))
      return Buffer.concat([jpeg.subarray(0, -2), scans, jpeg.subarray(-2)])
    },
    /too many scans/
  ],
  'a JPEG of 4 billion pixels': [
    () => {
      const frame = jpeg.indexOf('\xff\xc0', 0, 'latin1')
      return Buffer.from(jpeg).fill(0xff, frame + 5, frame + 9)
    },
    /65535 × 65535 pixels/
  ],
  'a JPEG that is lossless': [
    () => Buffer.concat([header, segment(0xc3, Buffer.alloc(15)), scan, jpeg.subarray(-2)]),
    /coding that browsers do not show/
  ],
  'a WebP with many parts': [
    () => riff(Buffer.alloc(8 * 200_000, webpPart('junk', Buffer.alloc(0)))),
    /too many parts/
  ],
  'a WebP with a canvas of 280 billion pixels': [
    () =>
      riff(
        webpPart('VP8X', Buffer.alloc(10, 0xff).fill(0, 0, 4)),
        webpPart('VP8L', Buffer.from('2f08c00100000000', 'hex'))
      ),
    /declares two sizes/
  ],
  'an SVG image': [() => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), /use JPEG/],
  'no bytes': [() => Buffer.alloc(0), /use JPEG/]
}

test('sharp decodes every pixel before an image is accepted', async () => {
  const unknownFilter = palettePng(8, deflateSync(Buffer.alloc(16, 9)))
  const message = /The PNG image is damaged: it cannot be decoded/
  await assert.rejects(withSharp.clean(unknownFilter), { name: 'ImageRefused', message })
})

describe('hostile images', () => {
  for (const [name, [make, message]] of Object.entries(HOSTILE)) {
    test(name, async () => {
      for (const images of [withSharp, withoutSharp]) {
        await assert.rejects(images.clean(make()), { name: 'ImageRefused', message })
      }
    })
  }
})
