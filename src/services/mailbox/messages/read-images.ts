import { createTransferDecoder } from '../sandbox/message/transfer-decoding.ts'
import { fetchUid } from './fetch.ts'
import type { MailSession } from './session.ts'
import { bareContentId, type MessageLeaf, type MessageParts } from './structure.ts'
import { IMAGE_TYPE, imageIdsOf, MAX_IMAGE_BYTES, MAX_IMAGES } from './web-safe/message-images.ts'

/** Data URLs of the images of a message that its HTML refers to, by their Content-IDs. */
export async function readImages(
  { client }: MailSession,
  uid: number,
  html: string,
  { attachments }: MessageParts
): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(imageIdsOf(html, MAX_IMAGES))
  const leaves = withinLimit(attachments.filter((leaf) => isImage(leaf, ids)))
  const images = new Map<string, string>()
  if (leaves.length === 0) return images
  const bodyParts = leaves.map(({ number }) => ({ key: number, maxLength: MAX_IMAGE_BYTES }))
  const message = await fetchUid(client, uid, { bodyParts })
  for (const leaf of leaves) {
    const bytes = message?.bodyParts?.get(leaf.number)
    if (Buffer.isBuffer(bytes)) images.set(bareContentId(leaf) ?? '', dataUrl(leaf, bytes))
  }
  return images
}

function isImage(leaf: MessageLeaf, ids: ReadonlySet<string>): boolean {
  return !leaf.isInMessage && IMAGE_TYPE.test(leaf.type) && ids.has(bareContentId(leaf) ?? '')
}

function withinLimit(leaves: readonly MessageLeaf[]): readonly MessageLeaf[] {
  let left = MAX_IMAGE_BYTES
  return leaves.slice(0, MAX_IMAGES).filter(({ size }) => {
    if (size > left) return false
    left -= size
    return true
  })
}

function dataUrl({ type, encoding }: MessageLeaf, bytes: Buffer): string {
  const decoder = createTransferDecoder(encoding)
  const content = Buffer.concat([decoder.write(bytes), decoder.end()])
  return `data:${type};base64,${content.toString('base64')}`
}
