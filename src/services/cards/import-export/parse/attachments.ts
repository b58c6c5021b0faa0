import { safeFileName } from '../../files/file-name.ts'
import { createdAt } from '../../records/ids.ts'
import type { ImportedAttachment } from '../imported.ts'
import { MAX_ATTACHMENTS, TEXT_LIMITS } from '../limits.ts'
import type { ParseContext } from './context.ts'
import { parseObjects, type Rejected } from './objects.ts'
import { countOf, type JsonObject, posOf, textOf, timeOf, webUrlOf } from './values.ts'

const STEP = 16_384
const MEDIA_TYPE = /^[\w.+-]{1,100}\/[\w.+-]{1,100}$/

/** An upload of the file that is imported: where its bytes may be. */
export interface FileSource {
  /** The id in the file. */
  readonly id: string
  readonly fileName: string
  /** The URL that the export has; undefined if its scheme is neither http nor https. */
  readonly url: string | undefined
}

/** An attachment and, if it is an upload, its source. */
export interface ParsedAttachment extends ImportedAttachment {
  readonly source?: FileSource
}

export function parseAttachments(value: unknown, context: ParseContext): ParsedAttachment[] {
  const parse = (object: JsonObject, id: string, index: number) =>
    parseAttachment(object, id, index, context)
  return [
    ...parseObjects<ParsedAttachment>(
      value,
      { what: 'attachments', max: MAX_ATTACHMENTS, parse },
      context
    )
  ]
}

function parseAttachment(
  object: JsonObject,
  id: string,
  index: number,
  context: ParseContext
): ParsedAttachment | Rejected {
  const max = TEXT_LIMITS.attachment
  const own = String(object.id).toLowerCase()
  const name = textOf(object.name ?? '', { what: 'names of attachments', max, id: own }, context)
  if (name === undefined) return { rejected: 'whose name is no text' }
  const { mimeType } = object
  const alt = textOf(
    object.alt,
    { what: 'descriptions of images', max: TEXT_LIMITS.alt, id: own },
    context
  )
  const shared = {
    ...{ id, name },
    mediaType: typeof mimeType === 'string' && MEDIA_TYPE.test(mimeType) ? mimeType : '',
    pos: posOf(object.pos) ?? STEP * (index + 1),
    createdAt: timeOf(object.date) ?? createdAt(id),
    ...(alt !== undefined && { alt })
  }
  const url = webUrlOf(object.url)
  if (object.isUpload === true) return { ...shared, ...parseUpload(object, own, url, context) }
  return url === undefined
    ? { rejected: 'whose URL is neither http nor https' }
    : { ...shared, url }
}

function parseUpload(
  object: JsonObject,
  id: string,
  webUrl: string | undefined,
  context: ParseContext
): Pick<ParsedAttachment, 'fileName' | 'bytes' | 'source'> {
  const { fileName: given, bytes } = object
  const fileName = uploadFileName(object)
  if (given !== undefined && given !== null && given !== fileName) {
    context.adjusted.add('file names that are no plain names, replaced', id)
  }
  const size = countOf(bytes)
  return {
    fileName,
    ...(size !== undefined && { bytes: size }),
    source: { id, fileName, url: webUrl }
  }
}

/** Without folders, whatever the file says. */
export function uploadFileName({ fileName, url, name }: JsonObject): string {
  const wanted = [fileName, lastSegment(url), name].find(
    (text): text is string => typeof text === 'string' && text !== ''
  )
  return safeFileName(wanted)
}

function lastSegment(url: unknown): string | undefined {
  if (typeof url !== 'string') return undefined
  const path = /^[^?#]*/.exec(url)?.[0] ?? ''
  const last = path.slice(path.lastIndexOf('/') + 1)
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
