/** A message of a mailbox; the id is never used for another message. */
export interface MessageKey {
  readonly mailbox: number
  readonly uid: number
}

const BYTES = 8
const UINT32_BYTES = 4
const FORM = /^[A-Za-z0-9_-]{11}$/

/** 11 characters for URLs: mailbox and UID, 4 bytes each. */
export function messageIdOf({ mailbox, uid }: MessageKey): string {
  const bytes = Buffer.alloc(BYTES)
  bytes.writeUInt32BE(mailbox)
  bytes.writeUInt32BE(uid, UINT32_BYTES)
  return bytes.toString('base64url')
}

/** Undefined unless it is an id in its only form. */
export function parseMessageId(id: string): MessageKey | undefined {
  if (!FORM.test(id)) return undefined
  const bytes = Buffer.from(id, 'base64url')
  const key = { mailbox: bytes.readUInt32BE(), uid: bytes.readUInt32BE(UINT32_BYTES) }
  return messageIdOf(key) === id ? key : undefined
}
