import type { MessagePart } from './facts.ts'

/** First byte and the byte after the last. */
export type Section = readonly [start: number, end: number]

export type SectionKind = 'all' | 'header' | 'text' | 'mime'

/**
 * The part of a section path of IMAP (RFC 3501 6.4.5): `[2, 1]` for `2.1`. What is no multipart has
 * its body as part 1, which has no parts.
 */
export function findPart(root: MessagePart, path: readonly number[]): MessagePart | undefined {
  let part = root
  let isBody = false
  for (const [level, number] of path.entries()) {
    const message = level === 0 ? undefined : messageIn(part)
    const container: MessagePart = message ?? part
    if (container.type.startsWith('multipart/')) {
      const child = container.parts[number - 1]
      if (child === undefined) return undefined
      part = child
      isBody = false
    } else {
      if (number !== 1 || (isBody && message === undefined)) return undefined
      part = container
      isBody = true
    }
  }
  return part
}

function messageIn(part: MessagePart): MessagePart | undefined {
  return part.type === 'message/rfc822' ? part.parts[0] : undefined
}

/** Where a section of a message is in its file; undefined if the message has no such section. */
export function findSection(
  root: MessagePart,
  path: readonly number[],
  kind: SectionKind
): Section | undefined {
  if (path.length === 0) return sectionOfMessage(root, kind)
  const part = findPart(root, path)
  if (part === undefined) return undefined
  if (kind === 'all') return part.body
  if (kind === 'mime') return part.header
  const message = messageIn(part)
  return message === undefined ? undefined : sectionOfMessage(message, kind)
}

function sectionOfMessage(message: MessagePart, kind: SectionKind): Section | undefined {
  if (kind === 'all') return [message.header[0], message.body[1]]
  if (kind === 'header') return message.header
  return kind === 'text' ? message.body : undefined
}

export interface NumberedPart {
  /** Section path such as `2.1`. */
  readonly path: string
  readonly part: MessagePart
  /** Whether a multipart/related contains it. */
  readonly isRelated: boolean
}

/** Parts without parts, in order; messages in messages count as one. */
export function leavesOf(root: MessagePart): readonly NumberedPart[] {
  const leaves: NumberedPart[] = []
  collectLeaves({ path: '', part: root, isRelated: false }, leaves)
  return leaves
}

function collectLeaves({ path, part, isRelated }: NumberedPart, leaves: NumberedPart[]): void {
  if (!part.type.startsWith('multipart/')) {
    leaves.push({ path: path === '' ? '1' : path, part, isRelated })
    return
  }
  for (const [index, child] of part.parts.entries()) {
    const childPath = path === '' ? String(index + 1) : `${path}.${index + 1}`
    const isChildRelated = isRelated || part.type === 'multipart/related'
    collectLeaves({ path: childPath, part: child, isRelated: isChildRelated }, leaves)
  }
}

/** Whether a part is shown as text of the message and is no attachment. */
export function isTextBody({ type, disposition }: MessagePart): boolean {
  return (type === 'text/plain' || type === 'text/html') && disposition?.type !== 'attachment'
}
