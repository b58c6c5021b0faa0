import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import sharp from 'sharp'
import { animate, animatePng, largePng, noise } from '../../../test/support/planted-images.ts'
import { createRandom } from '../../../test/support/random.ts'
import { createImages, ImageRefused, ImagesBusy } from './images.ts'

const random = createRandom(1)
const images = createImages()
const jpeg = await noise(random, 40, 20, 3).jpeg().toBuffer()
const png = await noise(random, 40, 20, 4).png().toBuffer()
const inside = { width: 10, height: 10, fit: 'inside' } as const
const cover = { width: 10, height: 10, fit: 'cover' } as const

function refused(message: RegExp) {
  return (error: unknown) => {
    assert.ok(error instanceof ImageRefused)
    assert.match(error.message, message)
    return true
  }
}

const sizeOf = async (bytes: Buffer) => {
  const { format, width, height, pages } = await sharp(bytes).metadata()
  return [format, width, height, pages ?? 1]
}

describe('resized images', () => {
  const cases = {
    'the whole image': { bytes: jpeg, size: inside, result: ['jpeg', 10, 5, 1] },
    'a cut image': { bytes: jpeg, size: cover, result: ['jpeg', 10, 10, 1] },
    'another type': { bytes: png, size: inside, result: ['webp', 10, 5, 1] }
  }
  for (const [name, { bytes, size, result }] of Object.entries(cases)) {
    test(name, async () => {
      const resized = await images.resize(name, async () => bytes, size)
      assert.deepEqual(await sizeOf(resized.bytes), result)
      assert.equal(resized.mediaType, `image/${result[0]}`)
    })
  }

  test('an image that is small enough is returned as it is', async () => {
    const size = { width: 40, height: 20, fit: 'inside' } as const
    const resized = await images.resize('small', async () => png, size)
    assert.deepEqual(resized, { bytes: png, mediaType: 'image/png' })
    const large = { width: 400, height: 200, fit: 'cover' } as const
    const cut = await images.resize('small', async () => png, large)
    assert.deepEqual(await sizeOf(cut.bytes), ['webp', 40, 20, 1])
  })

  test('the type can be chosen, also for an image that is small enough', async () => {
    const gif = await animate(random, (image) => image.gif())
    const large = { width: 100, height: 100, fit: 'inside' } as const
    const cases = [
      [jpeg, 'webp', ['webp', 40, 20, 1]],
      [jpeg, 'png', ['png', 40, 20, 1]],
      [png, 'jpeg', ['jpeg', 40, 20, 1]],
      [gif, 'webp', ['webp', 8, 6, 3]],
      [gif, 'jpeg', ['jpeg', 8, 6, 1]],
      [gif, 'png', ['png', 8, 6, 1]],
      [animatePng(png), 'jpeg', ['jpeg', 40, 20, 1]]
    ] as const
    for (const [index, [bytes, format, result]] of cases.entries()) {
      const resized = await images.resize(`type ${index}`, async () => bytes, { ...large, format })
      assert.deepEqual(await sizeOf(resized.bytes), result)
      assert.equal(resized.mediaType, `image/${format}`)
    }
    const animated = animatePng(png)
    for (const bytes of [png, animated]) {
      const size = { ...large, format: 'png' } as const
      const same = await images.resize(`${bytes.length}`, async () => bytes, size)
      assert.deepEqual(same, { bytes, mediaType: 'image/png' })
    }
  })

  test('results of different types are cached apart', async () => {
    const types = []
    for (const format of ['webp', 'jpeg', undefined, 'webp', 'png'] as const) {
      const size = format === undefined ? inside : { ...inside, format }
      types.push((await images.resize('types', async () => jpeg, size)).mediaType)
    }
    const expected = ['webp', 'jpeg', 'jpeg', 'webp', 'png'].map((type) => `image/${type}`)
    assert.deepEqual(types, expected)
  })

  test('behind a transparent image a JPEG is white', async () => {
    const background = { r: 255, g: 0, b: 0, alpha: 0 }
    const clear = await sharp({ create: { width: 9, height: 9, channels: 4, background } })
      .png()
      .toBuffer()
    const { bytes } = await images.resize('clear', async () => clear, { ...inside, format: 'jpeg' })
    assert.deepEqual([...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)], [255, 255, 255])
  })

  test('an animation keeps its frames', async () => {
    const gif = await animate(random, (image) => image.gif())
    const size = { width: 4, height: 3, fit: 'inside' } as const
    const { bytes } = await images.resize('animation', async () => gif, size)
    assert.deepEqual(await sizeOf(bytes), ['webp', 4, 3, 3])
  })

  test('an image is shown upright', async () => {
    const rotated = await sharp(jpeg).withMetadata({ orientation: 6 }).toBuffer()
    const { bytes } = await images.resize('rotated', async () => rotated, inside)
    assert.deepEqual(await sizeOf(bytes), ['jpeg', 5, 10, 1])
  })

  test('calls at the same time and later ones share one result', async () => {
    let reads = 0
    const read = async () => {
      reads++
      return jpeg
    }
    const calls = Array.from({ length: 5 }, () => images.resize('shared', read, inside))
    const [first, ...others] = await Promise.all(calls)
    for (const other of others) assert.equal(other, first)
    assert.equal(await images.resize('shared', read, inside), first)
    assert.equal(reads, 1)
    await images.resize('shared', read, cover)
    assert.equal(reads, 2)
  })

  test('the cache is bounded', async () => {
    const small = createImages({ limits: { cacheBytes: 1 } })
    let reads = 0
    const read = async () => {
      reads++
      return jpeg
    }
    await small.resize('a', read, inside)
    await small.resize('a', read, inside)
    assert.equal(reads, 2)
  })

  test('an error of the reader is passed on and not remembered', async () => {
    const fail = () => Promise.reject(new RangeError('disk'))
    await assert.rejects(images.resize('later', fail, inside), RangeError)
    assert.equal((await images.resize('later', async () => jpeg, inside)).mediaType, 'image/jpeg')
  })

  test('a file that is no image is refused', async () => {
    const read = async () => Buffer.from('<svg/>')
    await assert.rejects(images.resize('svg', read, inside), refused(/not an image of a type/))
    const cut = async () => jpeg.subarray(0, 100)
    await assert.rejects(images.resize('cut', cut, inside), refused(/JPEG image is damaged/))
  })
})

describe('the colour of an image', () => {
  const filled = (background: string, channels: 3 | 4 = 3) =>
    sharp({ create: { width: 8, height: 6, channels, background } })

  test('is its mean, in any type', async () => {
    const half = await sharp({ create: { width: 4, height: 6, channels: 3, background: '#000' } })
      .png()
      .toBuffer()
    const cases: [Buffer, string | undefined][] = [
      [await filled('#c03020').png().toBuffer(), '#c03020'],
      [await filled('#c03020').png({ palette: true }).toBuffer(), '#c03020'],
      [await filled('#c03020').toColourspace('rgb16').png().toBuffer(), '#c03020'],
      [await filled('#c03020').gif().toBuffer(), '#c03020'],
      [await filled('#c03020').webp({ lossless: true }).toBuffer(), '#c03020'],
      [await filled('#808080').toColourspace('b-w').png().toBuffer(), '#808080'],
      [await filled('#ff000080', 4).png().toBuffer(), '#ff0000'],
      [await filled('#ff000000', 4).png().toBuffer(), undefined]
    ]
    for (const [bytes, color] of cases) assert.equal((await images.clean(bytes)).color, color)
    const mixed = await filled('#ffffff')
      .composite([{ input: half, left: 0, top: 0 }])
      .png()
      .toBuffer()
    assert.match((await images.clean(mixed)).color ?? '', /^#(7f|80){3}$/)
    const rotated = await filled('#3060c0').withMetadata({ orientation: 6 }).jpeg().toBuffer()
    const { color = '', width } = await images.clean(rotated)
    assert.equal(width, 6)
    assert.match(color, /^#(2[ef]|3[012])(5[ef]|6[012])(b[ef]|c[012])$/)
    assert.match((await images.clean(await animate(random, (one) => one.webp()))).color ?? '', /^#/)
  })

  test('is unknown without sharp', async () => {
    const plain = createImages({ load: () => Promise.reject(new Error('none')) })
    assert.equal((await plain.clean(jpeg)).color, undefined)
  })
})

describe('limits of images', () => {
  test('bytes', async () => {
    const strict = createImages({ limits: { bytes: 1024 * 1024 } })
    const large = Buffer.concat([jpeg, Buffer.alloc(1024 * 1024)])
    await assert.rejects(strict.clean(large), refused(/larger than 1 MB; make it smaller/))
  })

  test('pixels, of all frames together', async () => {
    const webp = await animate(random, (image) => image.webp())
    const gif = await animate(random, (image) => image.gif())
    for (const load of [undefined, () => Promise.reject(new Error('none'))]) {
      const loader = load === undefined ? {} : { load }
      const strict = createImages({ ...loader, limits: { pixels: 8 * 18 - 1 } })
      const fair = createImages({ ...loader, limits: { pixels: 8 * 18 } })
      await assert.rejects(strict.clean(webp), refused(/make it smaller/))
      await assert.rejects(strict.clean(jpeg), refused(/40 × 20 pixels, more than/))
      await assert.rejects(strict.clean(png), refused(/40 × 20 pixels, more than/))
      assert.equal((await fair.clean(webp)).width, 8)
      if (load !== undefined) continue
      await assert.rejects(strict.clean(gif), refused(/make it smaller/))
      assert.equal((await fair.clean(gif)).width, 8)
    }
  })

  test('time', async () => {
    const strict = createImages({ limits: { seconds: 1, pixels: 2e9 } })
    const cleaned = strict.clean(await largePng(12_000))
    await assert.rejects(cleaned, refused(/longer than 1 second to process/))
  })

  test('images at the same time and waiting', async () => {
    const busy = createImages({ limits: { workers: 2, waiting: 1 } })
    const gate = Promise.withResolvers<void>()
    let running = 0
    const read = async () => {
      running++
      await gate.promise
      return jpeg
    }
    const first = ['a', 'b', 'c'].map((hash) => busy.resize(hash, read, inside))
    const error = { name: 'ImagesBusy', message: /Too many images are being processed; try again/ }
    await assert.rejects(busy.resize('d', read, inside), error)
    await assert.rejects(busy.clean(jpeg), ImagesBusy)
    assert.equal(running, 2)
    gate.resolve()
    await Promise.all(first)
    assert.equal((await busy.resize('d', read, inside)).mediaType, 'image/jpeg')
    assert.equal(running, 4)
  })
})

test('images are encoded again if that is wanted, also those that need no change', async () => {
  const again = createImages({ encodesAgain: true })
  const webp = await noise(random, 40, 20, 3).webp().toBuffer()
  const loose = await noise(random, 40, 20, 4).png({ compressionLevel: 0 }).toBuffer()
  for (const bytes of [jpeg, loose, webp]) {
    const kept = await images.clean(bytes)
    const encoded = await again.clean(bytes)
    assert.notDeepEqual(encoded.bytes, kept.bytes)
    assert.deepEqual(await sizeOf(encoded.bytes), await sizeOf(kept.bytes))
    assert.equal(encoded.mediaType, kept.mediaType)
  }
  const animated = animatePng(png)
  assert.equal((await again.clean(animated)).mediaType, 'image/png')
})

describe('without sharp', () => {
  test('it is loaded once, at first use, and images keep their size', async () => {
    let loads = 0
    const load = () => {
      loads++
      return Promise.reject(new Error('Cannot find package'))
    }
    const plain = createImages({ load })
    assert.equal(loads, 0)
    const { mediaType, width, height } = await plain.clean(jpeg)
    assert.deepEqual(
      { mediaType, width, height },
      { mediaType: 'image/jpeg', width: 40, height: 20 }
    )
    const resized = await plain.resize('a', async () => png, inside)
    assert.deepEqual(resized, { bytes: png, mediaType: 'image/png' })
    assert.equal(loads, 1)
  })

  test('other types of images are refused', async () => {
    const plain = createImages({ load: () => Promise.reject(new Error('none')) })
    const gif = await animate(random, (image) => image.gif())
    const avif = await noise(random, 8, 8, 3).avif({ effort: 0 }).toBuffer()
    const message = (name: string) =>
      refused(new RegExp(`^${name} images need the package sharp, .*convert the image to JPEG`))
    await assert.rejects(plain.clean(gif), message('GIF'))
    await assert.rejects(plain.clean(avif), message('AVIF'))
    await assert.rejects(
      plain.clean(Buffer.from('BM')),
      refused(/use JPEG, PNG, WebP, GIF or AVIF/)
    )
  })
})
