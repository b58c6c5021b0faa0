import assert from 'node:assert/strict'
import { test } from 'node:test'
import sharp from 'sharp'
import { temporaryFolder } from '../../../../test/support/launcher.ts'
import { createFiles, type Files } from '../../../kernel/files/files.ts'
import { openFileFolder } from '../../../kernel/files/folder.ts'
import { createImages } from '../../../kernel/images/images.ts'
import { prepareImage } from './send-image.ts'

async function* chunks(bytes: Buffer) {
  yield bytes
}

test('fifty requests at once make one rendition', async () => {
  using folder = temporaryFolder()
  const stored = createFiles(openFileFolder(folder.path, { durable: false }))
  const create = { width: 2000, height: 1000, channels: 3, background: '#c03020' } as const
  const bytes = await sharp({ create }).jpeg().toBuffer()
  const file = await stored.put(chunks(bytes))
  let reads = 0
  const files: Pick<Files, 'open'> = {
    open(...args) {
      reads++
      return stored.open(...args)
    }
  }
  const images = createImages()
  const context = { kernel: { files }, images: async () => images }
  const image = { ...file, mediaType: 'image/jpeg', width: 2000, height: 1000 }
  const request = (width: number) => {
    const size = { width, height: 1000, fit: 'inside' } as const
    return prepareImage(context, image, { size, headers: {} })
  }
  await Promise.all(Array.from({ length: 50 }, () => request(640)))
  assert.equal(reads, 1)
  await Promise.all([...Array.from({ length: 20 }, () => request(320)), request(640)])
  assert.equal(reads, 2)
})
