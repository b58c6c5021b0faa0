import type { AttachmentInput } from '../api/schemas/compose.ts'
import { type InvalidField, invalidInput } from '../contract.ts'
import type { ComposedAttachment } from './compose.ts'
import { decodeBase64 } from './decode-base64.ts'

const MAX_BYTES = 5 * 1024 * 1024

/** The attachments that a request contains; those that it refers to are not among them. */
export function readAttachments({
  attachments = []
}: {
  readonly attachments?: readonly AttachmentInput[] | undefined
}): readonly ComposedAttachment[] {
  const invalid: InvalidField[] = []
  const read = attachments.flatMap(({ content, ...attachment }, index) => {
    if (content === undefined) return []
    const bytes = decodeBase64(content)
    const key = `attachments.${index}.content`
    if (bytes === undefined) invalid.push({ key, message: 'must be base64' })
    else if (bytes.length > MAX_BYTES) {
      invalid.push({ key, message: `must be at most ${MAX_BYTES} bytes` })
    }
    const { filename, contentType, contentDisposition, cid } = attachment
    return [{ content: bytes ?? Buffer.alloc(0), filename, contentType, contentDisposition, cid }]
  })
  if (invalid.length > 0) throw invalidInput(invalid)
  return read
}
