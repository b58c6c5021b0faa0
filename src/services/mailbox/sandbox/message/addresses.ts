import type { EnvelopeAddress } from './facts.ts'
import { FieldCursor } from './field-cursor.ts'

/** What Dovecot gives for an address that lacks a part. */
const NO_MAILBOX = 'MISSING_MAILBOX'
const NO_DOMAIN = 'MISSING_DOMAIN'
const BROKEN = 'SYNTAX_ERROR'
const BROKEN_ROUTE = 'INVALID_ROUTE'
const GROUP_END: EnvelopeAddress = [null, null, null, null]

interface ParsedAddress {
  name: string | undefined
  route: string | undefined
  mailbox: string | undefined
  domain: string | undefined
}

/** The address list of a header field (RFC 5322 3.4), also a malformed one, up to `most` entries. */
export function parseAddresses(value: string, most: number): readonly EnvelopeAddress[] {
  const cursor = new FieldCursor(value)
  const addresses: EnvelopeAddress[] = []
  if (!cursor.skipSpace()) return addresses
  while (!cursor.isAtEnd && addresses.length < most) {
    const group = readGroupName(cursor)
    if (group === undefined) addresses.push(readMailbox(cursor))
    else readGroup(cursor, group, addresses, most)
    if (!cursor.skip(',')) break
    if (!cursor.skipSpace()) {
      addresses.push([null, null, NO_MAILBOX, NO_DOMAIN])
      break
    }
  }
  return addresses
}

/** Undefined, and the cursor does not move, if no group begins here. */
function readGroupName(cursor: FieldCursor): string | undefined {
  const start = cursor.at
  const name = readPhrase(cursor)
  if (name !== undefined && cursor.skip(':')) return name
  cursor.at = start
  return undefined
}

function readGroup(
  cursor: FieldCursor,
  name: string,
  addresses: EnvelopeAddress[],
  most: number
): void {
  addresses.push([null, null, name, null])
  let isFine = cursor.skipSpace()
  while (isFine && !cursor.isAtEnd && cursor.next !== ';' && addresses.length < most) {
    addresses.push(readMailbox(cursor))
    if (!cursor.skip(',')) break
    isFine = cursor.skipSpace()
  }
  if (cursor.skip(';')) cursor.skipSpace()
  addresses.push(GROUP_END)
}

function readMailbox(cursor: FieldCursor): EnvelopeAddress {
  const start = cursor.at
  const name = readPhrase(cursor)
  if (name !== undefined && cursor.next === '<') {
    const address = { ...EMPTY, name: name === '' ? undefined : name }
    if (!readAngleAddress(cursor, address)) address.domain = BROKEN
    return complete(address)
  }
  cursor.at = start
  return complete(readPlainAddress(cursor))
}

const EMPTY: ParsedAddress = {
  name: undefined,
  route: undefined,
  mailbox: undefined,
  domain: undefined
}

function complete({ name, route, mailbox, domain }: ParsedAddress): EnvelopeAddress {
  const host = domain === undefined || domain === '' ? NO_DOMAIN : domain
  return [name ?? null, route ?? null, mailbox ?? NO_MAILBOX, host]
}

/** `<user@host>` or `<@route:user@host>`; false if it is malformed. */
function readAngleAddress(cursor: FieldCursor, address: ParsedAddress): boolean {
  cursor.skip('<')
  if (!cursor.skipSpace() || cursor.isAtEnd) return false
  if (cursor.next === '@') {
    address.route = readRoute(cursor)
    if (!cursor.skip(':')) address.route = BROKEN_ROUTE
    if (!cursor.skipSpace() || cursor.isAtEnd) return false
  }
  if (cursor.next !== '>') {
    address.mailbox = readLocalPart(cursor)
    if (address.mailbox === undefined || cursor.isAtEnd) return false
    if (cursor.next === '@') {
      address.domain = readDomain(cursor)
      if (address.domain === undefined) return false
    }
  }
  return cursor.skip('>') && cursor.skipSpace()
}

/** `@one,@two` */
function readRoute(cursor: FieldCursor): string {
  const domains: string[] = []
  while (cursor.next === '@') {
    const domain = readDomain(cursor)
    if (domain === undefined) break
    domains.push(`@${domain}`)
    while (cursor.skipSpace() && cursor.skip(','));
  }
  return domains.join(',')
}

/** `user@host (name)`. */
function readPlainAddress(cursor: FieldCursor): ParsedAddress {
  const address = { ...EMPTY }
  cursor.lastComment = ''
  const isQuoted = cursor.next === '"'
  address.mailbox = readLocalPart(cursor)
  const hasDomain = cursor.next === '@'
  if (hasDomain) address.domain = readDomain(cursor)
  if (cursor.lastComment !== '') address.name = cursor.lastComment
  else if (!hasDomain) readLooseName(cursor, address, isQuoted)
  return address
}

/** Words without an address are a name; one word alone is a mailbox. */
function readLooseName(cursor: FieldCursor, address: ParsedAddress, isQuoted: boolean): void {
  const rest = cursor.isAtEnd ? '' : (readPhrase(cursor, true) ?? '')
  if (rest !== '') {
    address.name = `${address.mailbox ?? ''} ${rest}`
    address.mailbox = undefined
  } else if (isQuoted && address.mailbox !== undefined) {
    address.name = address.mailbox
    address.mailbox = undefined
  }
}

function readLocalPart(cursor: FieldCursor): string | undefined {
  if (cursor.next !== '"') return readDots(cursor)
  const text = cursor.readQuoted()
  return cursor.skipSpace() ? text : undefined
}

function readDomain(cursor: FieldCursor): string | undefined {
  cursor.skip('@')
  if (!cursor.skipSpace() || cursor.isAtEnd) return undefined
  if (cursor.next !== '[') return readDots(cursor)
  const text = cursor.readDomainLiteral()
  return cursor.skipSpace() ? text : undefined
}

/** Atoms and dots in any order; white space and comments around dots are left out. */
function readDots(cursor: FieldCursor): string | undefined {
  let text = ''
  for (;;) {
    const piece = cursor.readAtomOrDots()
    text += piece
    if (!cursor.skipSpace() || text === '') return undefined
    const continues = piece !== '' && (text.endsWith('.') || cursor.next === '.')
    if (!continues) return text
  }
}

/** Words with one space between them; undefined if it is malformed or ends the value. */
function readPhrase(cursor: FieldCursor, mayEnd = false): string | undefined {
  if (cursor.isAtEnd || cursor.next === '.') return undefined
  const words: string[] = []
  for (;;) {
    const word = cursor.next === '"' ? cursor.readQuoted() : cursor.readAtomOrDots()
    if (word === undefined) return undefined
    words.push(word)
    if (!cursor.skipSpace()) return undefined
    if (cursor.isAtEnd) return mayEnd ? words.join(' ') : undefined
    if (!/["!#$%&'*+\-./=?^_`{|}~0-9A-Za-z\u0080-\u00ff]/.test(cursor.next)) return words.join(' ')
  }
}
