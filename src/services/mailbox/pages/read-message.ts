import type { Files } from '../../../kernel/files/files.ts'
import {
  IMAGE_TYPE,
  imageIdsOf,
  MAX_IMAGE_BYTES,
  MAX_IMAGES
} from '../messages/web-safe/message-images.ts'
import type { FoundMessage } from '../sandbox/mail-store.ts'
import { type Attachment, attachmentsOf } from '../sandbox/message/attachments.ts'
import { readHeaders } from '../sandbox/message/header-fields.ts'
import { openPart, readSection } from '../sandbox/message/read-part.ts'
import { readHtml, readText } from '../sandbox/message/read-text.ts'
import { isTextBody, leavesOf } from '../sandbox/message/section.ts'
import { frameDocument } from './frame-document.ts'
import { type MessageView, VIEWS, type View } from './message-panel.ts'

/** Characters of a text that a page shows. */
const MAX_TEXT = 200_000
const MAX_SOURCE_BYTES = 100_000
const MAX_HEADERS = 500
const MAX_HTML = 1_000_000
const MAX_ATTACHMENTS = 200

/** Views that the message has; the first is shown by default. */
export function viewsOf({ contents }: FoundMessage): readonly View[] {
  const types = leavesOf(contents.root)
    .filter(({ part }) => isTextBody(part))
    .map(({ part }) => part.type)
  const missing: View[] = [
    ...(types.includes('text/html') ? [] : ['html' as const]),
    ...(types.includes('text/plain') ? [] : ['text' as const]),
    ...(attachmentsOf(contents.root).length > 0 ? [] : ['attachments' as const])
  ]
  return VIEWS.filter((view) => !missing.includes(view))
}

/** What the view shows of the message. */
export async function readView(
  files: Files,
  { contents }: FoundMessage,
  view: View
): Promise<Partial<MessageView>> {
  switch (view) {
    case 'html': {
      const { text = '', isCut = false } = (await readHtml(files, contents, MAX_HTML)) ?? {}
      return { remoteImages: frameDocument(text, new Map()).remoteImages, isCut }
    }
    case 'text':
      return { text: await readText(files, contents, MAX_TEXT) }
    case 'source': {
      const { file } = contents
      const bytes = await readSection(files, file, [0, file.size], MAX_SOURCE_BYTES)
      return { text: { text: decodeSource(bytes), isCut: file.size > bytes.length } }
    }
    case 'headers':
      return { headers: (await readHeaders(files, contents)).slice(0, MAX_HEADERS) }
    case 'attachments':
      return {}
  }
}

function decodeSource(bytes: Buffer): string {
  return bytes.toString('utf8').replaceAll('\r\n', '\n').replaceAll('\0', '\ufffd')
}

export function shownAttachments({ contents }: FoundMessage): MessageView['attachments'] {
  return attachmentsOf(contents.root)
    .slice(0, MAX_ATTACHMENTS)
    .map(({ number, type, encodedSize, part, ...attachment }) => ({
      number,
      name: nameOf(attachment, number),
      type,
      size: part.encoding === 'base64' ? decodedSize(encodedSize, part.lines) : encodedSize
    }))
}

/** At most two bytes too many, for the padding. */
function decodedSize(encodedSize: number, lines: number): number {
  return Math.max(0, Math.floor(((encodedSize - 2 * lines) * 3) / 4))
}

export function nameOf({ name }: Pick<Attachment, 'name'>, number: string): string {
  return name ?? `part-${number}`
}

/** The document in the frame, with the images that are parts of the message. */
export async function readFrame(files: Files, { contents }: FoundMessage): Promise<string> {
  const { text = '' } = (await readHtml(files, contents, MAX_HTML)) ?? {}
  const images = await readImages(files, contents, imageIdsOf(text, MAX_IMAGES))
  return frameDocument(text, images).document
}

async function readImages(
  files: Files,
  contents: FoundMessage['contents'],
  ids: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const images = new Map<string, string>()
  let left = MAX_IMAGE_BYTES
  for (const { id, type, part, encodedSize } of attachmentsOf(contents.root)) {
    if (id === undefined || !ids.includes(id) || images.has(id) || !IMAGE_TYPE.test(type)) continue
    left -= encodedSize
    if (left < 0) break
    const chunks: Buffer[] = []
    for await (const chunk of openPart(files, contents.file, part)) chunks.push(chunk)
    images.set(id, `data:${type};base64,${Buffer.concat(chunks).toString('base64')}`)
  }
  return images
}
