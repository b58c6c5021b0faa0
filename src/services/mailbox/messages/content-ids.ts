import { type MessageKey, messageIdOf, parseMessageId } from './message-id.ts'

/** A part of a message; `number` is its section path of IMAP, such as `2.1`. */
export interface PartKey extends MessageKey {
  readonly number: string
}

/** The parts of a message that are its text. */
export interface TextKey extends MessageKey {
  readonly plain: readonly string[]
  readonly html: readonly string[]
}

const ID_BYTES = 8
const MAX_ID_CHARACTERS = 10_240
const BASE64_URL = /^[A-Za-z0-9_-]+$/
const NUMBER = /^[1-9]\d{0,4}(?:\.[1-9]\d{0,4}){0,49}$/

export function attachmentIdOf({ number, ...key }: PartKey): string {
  return join(key, number)
}

export function parseAttachmentId(id: string): PartKey | undefined {
  const parsed = split(id)
  if (parsed === undefined || !NUMBER.test(parsed.rest)) return undefined
  return { ...parsed.key, number: parsed.rest }
}

export function textIdOf({ plain, html, ...key }: TextKey): string {
  return join(key, `${plain.join(',')};${html.join(',')}`)
}

export function parseTextId(id: string): TextKey | undefined {
  const parsed = split(id)
  const lists = parsed?.rest.split(';') ?? []
  if (parsed === undefined || lists.length !== 2) return undefined
  const [plain = [], html = []] = lists.map((list) => (list === '' ? [] : list.split(',')))
  const numbers = [...plain, ...html]
  // A part that is named a thousand times would be decoded so often.
  const isValid = numbers.every((number) => NUMBER.test(number)) && areDistinct(numbers)
  return isValid ? { ...parsed.key, plain, html } : undefined
}

function areDistinct(numbers: readonly string[]): boolean {
  return new Set(numbers).size === numbers.length
}

function join(key: MessageKey, rest: string): string {
  const bytes = Buffer.from(messageIdOf(key), 'base64url')
  return Buffer.concat([bytes, Buffer.from(rest, 'latin1')]).toString('base64url')
}

/** Undefined unless it is an id in its only form. */
function split(id: string): { key: MessageKey; rest: string } | undefined {
  if (id.length > MAX_ID_CHARACTERS || !BASE64_URL.test(id)) return undefined
  const bytes = Buffer.from(id, 'base64url')
  const key = parseMessageId(bytes.subarray(0, ID_BYTES).toString('base64url'))
  if (key === undefined || bytes.toString('base64url') !== id) return undefined
  return { key, rest: bytes.toString('latin1', ID_BYTES) }
}
