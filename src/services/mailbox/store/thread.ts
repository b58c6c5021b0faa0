import { createHash } from 'node:crypto'
import type { MessageFacts } from '../sandbox/message/facts.ts'

const DIGITS = 24

/**
 * The same for all messages that name the same first message in References, which programs copy
 * from message to message, and for that one. A message without any id is a thread by itself.
 */
export function threadOf({ references, envelope }: MessageFacts, content: string): string {
  const [first, second] = references
  if (first === undefined) return `t${content}`
  const isOwn = envelope.messageId?.includes(first) ?? false
  const oldest = isOwn ? (second ?? first) : first
  return `t${createHash('sha256').update(oldest).digest('hex').slice(0, DIGITS)}`
}
