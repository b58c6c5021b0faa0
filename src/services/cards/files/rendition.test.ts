import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRendition, targetOf } from './rendition.ts'

const PHOTO = { width: 1000, height: 500, mediaType: 'image/jpeg' }
const DRAWING = { ...PHOTO, mediaType: 'image/png' }

test('sizes come from a short list', () => {
  const read = (query: string) => readRendition(new URLSearchParams(query))
  assert.equal(read('token=a'), undefined)
  assert.deepEqual(read('w=320'), { width: 320 })
  assert.deepEqual(read('w=70&h=50&fit=cover&format=webp'), {
    width: 70,
    height: 50,
    fit: 'cover',
    format: 'webp'
  })
  for (const wrong of ['w=321', 'w=', 'w=0', 'w=-1', 'w=1e2', 'w=0320', 'h=321', 'fit=fill']) {
    assert.throws(() => read(wrong), { code: 'REQUEST_INVALID', message: /must be one of/ })
  }
  assert.throws(() => read('format=avif'), { message: /^format must be one of auto, webp/ })
  assert.throws(() => read('w=320&fit=cover'), { message: 'fit=cover needs both w and h' })
})

test('auto chooses a type that the client accepts', () => {
  const format = (image: typeof PHOTO, accept?: string) =>
    targetOf({ format: 'auto' }, image, accept).format
  assert.equal(format(PHOTO, 'image/avif,image/webp,*/*;q=0.8'), 'webp')
  assert.equal(format(PHOTO, 'image/webp;q=0, */*'), 'jpeg')
  assert.equal(format(PHOTO, '*/*'), 'jpeg')
  assert.equal(format(DRAWING), 'png')
})

test('a missing side is that of the image', () => {
  assert.deepEqual(targetOf({ width: 320 }, PHOTO, undefined), {
    width: 320,
    height: 500,
    fit: 'inside'
  })
  assert.deepEqual(targetOf({ format: 'png' }, PHOTO, undefined), {
    width: 1000,
    height: 500,
    fit: 'inside',
    format: 'png'
  })
})
