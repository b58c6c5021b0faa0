import type { InvalidField } from '../contract.ts'

const NAME = /^[A-Za-z0-9-]{1,76}$/
const FIELDS: Readonly<Record<string, string>> = {
  from: 'from',
  to: 'to',
  cc: 'cc',
  bcc: 'bcc',
  'reply-to': 'replyTo',
  subject: 'subject',
  'message-id': 'messageId',
  date: 'sendAt'
}
/** Written by servers, or when the message is composed. */
const RESERVED = new Set([
  ...['received', 'return-path', 'dkim-signature', 'arc-seal', 'arc-message-signature'],
  ...['arc-authentication-results', 'authentication-results', 'delivered-to', 'mime-version'],
  ...['resent-bcc', 'received-spf', 'x-original-to']
])

/** What is wrong with the names and values of `headers`. */
export function invalidHeaders(headers: Readonly<Record<string, string>>): InvalidField[] {
  const seen = new Set<string>()
  return Object.entries(headers).flatMap(([name, value]) => {
    const key = `headers.${name.slice(0, 76)}`
    const lower = name.toLowerCase()
    const message = messageOf(name, lower, value) ?? (seen.has(lower) ? 'is set twice' : undefined)
    seen.add(lower)
    return message === undefined ? [] : [{ key, message }]
  })
}

function messageOf(name: string, lower: string, value: string): string | undefined {
  if (!NAME.test(name)) return 'must be a name of letters, digits and hyphens'
  if (Object.hasOwn(FIELDS, lower)) return `cannot be set here; use the field ${FIELDS[lower]}`
  if (RESERVED.has(lower) || lower.startsWith('content-')) return 'cannot be set'
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is rejected
  if (/[\0-\x08\x0a-\x1f\x7f]/.test(value)) return 'must not contain control characters'
  return undefined
}
