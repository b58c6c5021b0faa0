import type { MessageStructureObject } from 'imapflow'
import { cutText } from '../../../kernel/cut-text.ts'
import { cleanText } from '../sandbox/message/header-text.ts'

/** A part without parts, as BODYSTRUCTURE describes it. */
export interface MessageLeaf {
  /** Section path of IMAP such as `2.1`. */
  readonly number: string
  /** In lower case, without parameters. */
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  readonly encoding: string
  /** In bytes, before the transfer encoding is removed; as the server says. */
  readonly size: number
  readonly disposition: string | undefined
  readonly filename: string | undefined
  /** As it stands in the message, with angle brackets. */
  readonly contentId: string | undefined
  /** Whether a multipart/related contains it. */
  readonly isRelated: boolean
  /** Whether it is part of an attached message. */
  readonly isInMessage: boolean
}

export interface MessageParts {
  readonly plain: readonly MessageLeaf[]
  readonly html: readonly MessageLeaf[]
  readonly attachments: readonly MessageLeaf[]
}

/** More than any mail program writes; the rest is ignored. */
const MAX_DEPTH = 40
const MAX_LEAVES = 1000
const MAX_TEXTS = 100
const MAX_NAME_CHARACTERS = 255
const MAX_PARAMETER_CHARACTERS = 1000
const MEDIA_TYPE = /^[!#$&^_.+\w-]+\/[!#$&^_.+\w-]+$/
const TEXT_TYPES = new Set(['text/plain', 'text/html'])
const NO_PARAMETERS = {}

/**
 * The text of a message is its parts of plain text and HTML that are not attachments; the texts of
 * an attached message belong to that message.
 */
export function partsOf(root: MessageStructureObject | undefined): MessageParts {
  const leaves = root === undefined ? [] : leavesOf(root)
  const texts = leaves.filter(isText)
  const ofType = (type: string) => texts.filter((leaf) => leaf.type === type).slice(0, MAX_TEXTS)
  return {
    plain: ofType('text/plain'),
    html: ofType('text/html'),
    attachments: leaves.filter((leaf) => !isText(leaf) && !isTextOfMessage(leaf))
  }
}

export function findLeaf(
  root: MessageStructureObject | undefined,
  number: string
): MessageLeaf | undefined {
  return root === undefined ? undefined : leavesOf(root).find((leaf) => leaf.number === number)
}

function isText(leaf: MessageLeaf): boolean {
  return !leaf.isInMessage && isReadable(leaf)
}

function isTextOfMessage(leaf: MessageLeaf): boolean {
  return leaf.isInMessage && isReadable(leaf)
}

function isReadable({ type, disposition }: MessageLeaf): boolean {
  return TEXT_TYPES.has(type) && disposition !== 'attachment'
}

/** Attached messages, and what they contain after them. */
function leavesOf(root: MessageStructureObject): readonly MessageLeaf[] {
  const leaves: MessageLeaf[] = []
  const position = { path: [], depth: 0, isRelated: false, isInMessage: false, isRoot: true }
  collect(root, position, leaves)
  return leaves
}

interface Position {
  /** Of the part, or of the message whose root it is. */
  readonly path: readonly number[]
  readonly depth: number
  readonly isRelated: boolean
  readonly isInMessage: boolean
  readonly isRoot: boolean
}

/** Numbers are counted here: those of imapflow lack a level in attached messages. */
function collect(node: MessageStructureObject, position: Position, leaves: MessageLeaf[]): void {
  const { path, isRoot } = position
  if (position.depth > MAX_DEPTH || leaves.length >= MAX_LEAVES) return
  const depth = position.depth + 1
  const children = node.childNodes ?? []
  if (node.type.startsWith('multipart/')) {
    const isRelated = position.isRelated || node.type === 'multipart/related'
    for (const [index, child] of children.entries()) {
      const childPath = [...path, index + 1]
      collect(child, { ...position, path: childPath, depth, isRelated, isRoot: false }, leaves)
    }
    return
  }
  // The body of a message that has no parts is its part 1.
  const own = isRoot ? [...path, 1] : path
  leaves.push(leafOf(node, own.join('.'), position))
  const [message] = children
  if (message === undefined) return
  collect(message, { path: own, depth, isRelated: false, isInMessage: true, isRoot: true }, leaves)
}

function leafOf(
  node: MessageStructureObject,
  number: string,
  { isRelated, isInMessage }: Position
): MessageLeaf {
  const parameters = node.parameters ?? NO_PARAMETERS
  return {
    number,
    type: MEDIA_TYPE.test(node.type) ? node.type : 'application/octet-stream',
    parameters,
    encoding: (node.encoding ?? '').trim(),
    size: node.size ?? 0,
    disposition: node.disposition === '' ? undefined : node.disposition,
    filename: fileNameOf(node.dispositionParameters, 'filename') ?? fileNameOf(parameters, 'name'),
    contentId: node.id === undefined || node.id === '' ? undefined : cleanParameter(node.id),
    isRelated,
    isInMessage
  }
}

function fileNameOf(
  parameters: Readonly<Record<string, string>> = NO_PARAMETERS,
  key: string
): string | undefined {
  const safe = parameterOf(parameters, key)?.replace(/[/\\]/g, '_')
  return safe === undefined || safe === '' ? undefined : cutText(safe, MAX_NAME_CHARACTERS)
}

/** Without control characters; undefined if the part has no such parameter. */
export function parameterOf(
  parameters: Readonly<Record<string, string>>,
  key: string
): string | undefined {
  return Object.hasOwn(parameters, key) ? cleanParameter(String(parameters[key])) : undefined
}

/** Undefined if it cannot be the name of a charset in a header field. */
export function charsetOf({ parameters }: Pick<MessageLeaf, 'parameters'>): string | undefined {
  const charset = parameterOf(parameters, 'charset')
  return charset !== undefined && /^[\w.:+-]{1,60}$/.test(charset) ? charset : undefined
}

/** The Content-ID without angle brackets, as URLs refer to it. */
export function bareContentId({ contentId }: Pick<MessageLeaf, 'contentId'>): string | undefined {
  return contentId?.replace(/^<(.*)>$/, '$1')
}

function cleanParameter(value: string): string {
  return cutText(cleanText(value).trim(), MAX_PARAMETER_CHARACTERS)
}
