import { cutText } from '../../../kernel/cut-text.ts'
import { RequestInvalid, ValueInvalid } from '../contract.ts'
import { safeFileName } from '../files/file-name.ts'
import type { Input, InputFile } from '../http/input.ts'
import { webUrl } from '../records/web-url.ts'
import { booleanValue, type Position, posValue, textValue } from './values.ts'

const MAX_NAME = 256
const MAX_ALT = 1024

export interface AttachmentInput {
  readonly name: string
  readonly mediaType: string
  readonly source: { readonly file: InputFile } | { readonly url: string; readonly copy: boolean }
  readonly setCover: boolean | undefined
  readonly pos: Position | undefined
  readonly alt: string | undefined
}

/** A new attachment: a file of a form, or a link. */
export function readAttachmentInput(input: Input): AttachmentInput {
  const source = readSource(input)
  return {
    name: textValue(input, 'name', { max: MAX_NAME }) || defaultName(source),
    mediaType: textValue(input, 'mimeType', { max: MAX_NAME }) ?? '',
    source,
    setCover: booleanValue(input, 'setCover'),
    pos: posValue(input),
    alt: textValue(input, 'alt', { max: MAX_ALT }) || undefined
  }
}

function readSource(input: Input): AttachmentInput['source'] {
  const file = input.files.get('file')
  if (file !== undefined) return { file }
  const text = textValue(input, 'url')
  if (text === undefined || text === '') {
    throw new RequestInvalid('Send a file as a part named file of multipart/form-data, or a url')
  }
  const url = webUrl(text)
  if (url === undefined) throw new ValueInvalid('url')
  return { url, copy: booleanValue(input, 'copy') ?? false }
}

function defaultName(source: AttachmentInput['source']): string {
  return 'url' in source ? cutText(source.url, MAX_NAME) : safeFileName(source.file.name)
}

export interface AttachmentEdit {
  readonly name: string | undefined
  readonly pos: Position | undefined
  /** Null if it is cleared. */
  readonly alt: string | null | undefined
}

export function readAttachmentEdit(input: Input): AttachmentEdit {
  const name = textValue(input, 'name', { max: MAX_NAME })
  if (name !== undefined && name.trim() === '') throw new ValueInvalid('name')
  const alt = textValue(input, 'alt', { max: MAX_ALT })
  return { name, pos: posValue(input), alt: alt === '' ? null : alt }
}
