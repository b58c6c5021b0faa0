import { cutText } from '../../../../kernel/cut-text.ts'
import type { MessagePart } from './facts.ts'
import { decodeHeaderText, decodeParameter } from './header-text.ts'
import { isTextBody, leavesOf, type NumberedPart } from './section.ts'

export interface Attachment {
  readonly part: MessagePart
  /** Section path of IMAP such as `2.1`. */
  readonly number: string
  /** In lower case, without parameters; safe in a header. */
  readonly type: string
  /** Without slashes and control characters; undefined if the message gives none. */
  readonly name: string | undefined
  /** In bytes, before the transfer encoding is removed. */
  readonly encodedSize: number
  /** Content-ID without angle brackets. */
  readonly id: string | undefined
  /** Whether it belongs to an HTML text (multipart/related). */
  readonly isEmbedded: boolean
  readonly isInline: boolean
}

const MAX_NAME_CHARACTERS = 255
const MEDIA_TYPE = /^[!#$&^_.+\w-]+\/[!#$&^_.+\w-]+$/

/** Parts that are not shown as text; `openPart` gives their content. */
export function attachmentsOf(root: MessagePart): readonly Attachment[] {
  return leavesOf(root)
    .filter(({ part }) => !isTextBody(part))
    .map(describe)
}

function describe({ path, part, isRelated }: NumberedPart): Attachment {
  const disposition = part.disposition?.type
  return {
    part,
    number: path,
    type: MEDIA_TYPE.test(part.type) ? part.type : 'application/octet-stream',
    name: fileNameOf(part),
    encodedSize: part.body[1] - part.body[0],
    id: part.id === undefined ? undefined : bareId(part.id),
    isEmbedded: isRelated,
    isInline: disposition === 'inline' || (disposition === undefined && isRelated)
  }
}

function fileNameOf(part: MessagePart): string | undefined {
  const name =
    decodeParameter(part.disposition?.parameters ?? {}, 'filename') ??
    decodeParameter(part.parameters, 'name')
  const safe = name?.replace(/[/\\]/g, '_').trim()
  return safe === undefined || safe === '' ? undefined : cutText(safe, MAX_NAME_CHARACTERS)
}

function bareId(id: string): string {
  return decodeHeaderText(id)
    .trim()
    .replace(/^<(.*)>$/, '$1')
}
