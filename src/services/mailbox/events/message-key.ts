import { createHash } from 'node:crypto'

const KEY_LENGTH = 22

/** Equal for copies of a message; undefined if it has no id. */
export function messageKeyOf(message: {
  readonly emailId?: unknown
  readonly messageId?: unknown
}): string | undefined {
  const id = message.emailId ?? message.messageId
  if (typeof id !== 'string' || id === '') return undefined
  return createHash('sha256').update(id).digest('base64url').slice(0, KEY_LENGTH)
}
