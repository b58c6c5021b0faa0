import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createImages } from '../../../kernel/images/images.ts'

const FOLDER = new URL('../../../../data/cards/', import.meta.url)

function readJson(name: string) {
  return JSON.parse(readFileSync(new URL(name, FOLDER), 'utf8'))
}

interface Attachment {
  id: string
  fileName?: string
  isUpload?: boolean
}

test('images.json says of each picture what decoding it finds, and it has no metadata', async () => {
  const { cards }: { cards: { attachments: Attachment[] }[] } = readJson('board.json')
  const uploads = cards.flatMap(({ attachments }) => attachments).filter((one) => one.isUpload)
  const facts = readJson('images.json')
  assert.deepEqual(uploads.map(({ id }) => id).sort(), Object.keys(facts).sort())
  const images = createImages()
  for (const { id, fileName } of uploads) {
    const picture = readFileSync(new URL(`attachments/${id}/${fileName}`, FOLDER))
    const { bytes, ...found } = await images.clean(picture)
    assert.deepEqual({ ...found }, facts[id], fileName)
    assert.ok(bytes.equals(picture), `${fileName} has metadata`)
  }
})
