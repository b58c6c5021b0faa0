import type { ImapFlow } from 'imapflow'
import { cutBytes, decodeLeaf, encodedBytes } from './decode-text.ts'
import { fetchUid } from './fetch.ts'
import type { MessageLeaf, MessageParts } from './structure.ts'

export type TextType = 'plain' | 'html' | '*'

export interface MessageTexts {
  readonly plain?: string
  readonly html?: string
  /** Whether one of them was cut. */
  readonly hasMore: boolean
}

/** Of each type; the rest of longer texts is in the source of the message. */
export const MAX_TEXT_BYTES = 10 * 1024 * 1024
/** Sizes in BODYSTRUCTURE may be wrong. */
const MORE_BYTES = 64 * 1024
const JOINTS = { plain: '\n', html: '<br>\n' } as const

interface Window {
  readonly leaf: MessageLeaf
  readonly length: number
}

/** Texts of a message of the selected mailbox, at most `maxBytes` of each type. */
export async function readTexts(
  client: ImapFlow,
  uid: number,
  parts: Pick<MessageParts, 'plain' | 'html'>,
  { textType, maxBytes = MAX_TEXT_BYTES }: { textType: TextType; maxBytes?: number | undefined }
): Promise<MessageTexts> {
  const most = Math.min(maxBytes, MAX_TEXT_BYTES)
  const types = (['plain', 'html'] as const).filter((type) => isWanted(type, textType))
  const windows = types.flatMap((type) => windowsOf(parts[type], most))
  const contents = await fetchWindows(client, uid, windows)
  let hasMore = false
  const texts = types.flatMap((type) => {
    if (parts[type].length === 0) return []
    const pieces = parts[type].map((leaf) => decodeLeaf(leaf, contents.get(leaf) ?? EMPTY))
    const text = pieces.join(JOINTS[type])
    const cut = cutBytes(text, most)
    hasMore ||= cut.length < text.length || isCut(parts[type], windows, contents)
    return [[type, cut]]
  })
  return { ...Object.fromEntries(texts), hasMore }
}

const EMPTY = Buffer.alloc(0)

function isWanted(type: 'plain' | 'html', wanted: TextType): boolean {
  return wanted === '*' || wanted === type
}

/** What must be read of each part, until there are enough bytes. */
function windowsOf(leaves: readonly MessageLeaf[], maxBytes: number): readonly Window[] {
  let left = maxBytes
  return leaves.flatMap((leaf) => {
    if (left <= 0) return []
    const length = Math.min(encodedBytes(leaf, left), leaf.size + MORE_BYTES)
    // Text is at most as long as its encoding, but for charsets of which UTF-8 needs more.
    left -= leaf.encoding === 'base64' ? Math.floor(leaf.size * 0.7) : Math.floor(leaf.size / 3)
    return [{ leaf, length }]
  })
}

function isCut(
  leaves: readonly MessageLeaf[],
  windows: readonly Window[],
  contents: ReadonlyMap<MessageLeaf, Buffer>
): boolean {
  return leaves.some((leaf) => {
    const window = windows.find((one) => one.leaf === leaf)
    if (window === undefined) return leaf.size > 0
    return (contents.get(leaf)?.length ?? 0) >= window.length
  })
}

async function fetchWindows(
  client: ImapFlow,
  uid: number,
  windows: readonly Window[]
): Promise<ReadonlyMap<MessageLeaf, Buffer>> {
  if (windows.length === 0) return new Map()
  const bodyParts = windows.map(({ leaf, length }) => ({ key: leaf.number, maxLength: length }))
  const message = await fetchUid(client, uid, { bodyParts })
  const contents = new Map<MessageLeaf, Buffer>()
  for (const { leaf, length } of windows) {
    const bytes = message?.bodyParts?.get(leaf.number)
    // Some servers send the whole part.
    if (Buffer.isBuffer(bytes)) contents.set(leaf, bytes.subarray(0, length))
  }
  return contents
}
