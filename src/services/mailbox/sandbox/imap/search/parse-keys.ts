import type { EnvelopeKey } from '../../message/search.ts'
import { scanDate } from '../dates.ts'
import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import type { SearchKey } from './keys.ts'

const DAY_MS = 86_400_000
const MAX_DEPTH = 50
const MAX_KEYS = 500
/** Conditions on the text of messages, each of which reads their files. */
const MAX_TEXT_KEYS = 20

const FLAGS: Readonly<Record<string, string>> = {
  ANSWERED: '\\Answered',
  DELETED: '\\Deleted',
  DRAFT: '\\Draft',
  FLAGGED: '\\Flagged',
  SEEN: '\\Seen'
}
const ENVELOPE_KEYS: readonly EnvelopeKey[] = ['bcc', 'cc', 'from', 'subject', 'to']
const SENT_OR_NOT = /^(SENT)?(BEFORE|ON|SINCE)$/
const NONE: SearchKey = { kind: 'none' }
const ALL: SearchKey = { kind: 'all' }

interface Parser {
  readonly scanner: Scanner
  readonly extensions: ReadonlySet<string>
  keys: number
  textKeys: number
}

/** All keys up to the end of the command; they must all hold. */
export function scanSearchKeys(scanner: Scanner, extensions: ReadonlySet<string>): SearchKey {
  const parser = { scanner, extensions, keys: 0, textKeys: 0 }
  const keys = [scanKey(parser, 0)]
  while (!scanner.isAtEnd()) {
    scanner.space()
    keys.push(scanKey(parser, 0))
  }
  return { kind: 'and', keys }
}

function scanKey(parser: Parser, depth: number): SearchKey {
  const { scanner } = parser
  parser.keys++
  if (depth > MAX_DEPTH || parser.keys > MAX_KEYS) {
    throw new CommandError('NO', 'The search has too many conditions.', 'LIMIT')
  }
  if (scanner.isNext('(')) {
    return { kind: 'and', keys: scanner.list(() => scanKey(parser, depth + 1)) }
  }
  if (scanner.match(/(?=[\d*])/y) !== undefined) {
    return { kind: 'numbers', set: scanner.sequenceSet() }
  }
  const name = scanner.keyword()
  return (
    scanFlagKey(name, scanner) ??
    scanCombination(name, parser, depth) ??
    scanDateKey(name, parser) ??
    scanTextKey(name, parser) ??
    scanExtensionKey(name, parser) ??
    unknownKey(name)
  )
}

function unknownKey(name: string): never {
  throw syntaxError(`Unknown argument ${name}`)
}

function scanFlagKey(name: string, scanner: Scanner): SearchKey | undefined {
  const isNot = name.startsWith('UN')
  const bare = isNot ? name.slice(2) : name
  let flag = Object.hasOwn(FLAGS, bare) ? FLAGS[bare] : undefined
  if (bare === 'KEYWORD') {
    scanner.space()
    flag = scanner.atom()
  }
  if (flag !== undefined) {
    const key: SearchKey = { kind: 'flag', flag: flag.toLowerCase() }
    return isNot ? { kind: 'not', key } : key
  }
  // No message is recent.
  if (name === 'RECENT' || name === 'NEW') return NONE
  return name === 'ALL' || name === 'OLD' ? ALL : undefined
}

function scanCombination(name: string, parser: Parser, depth: number): SearchKey | undefined {
  const { scanner } = parser
  const next = (): SearchKey => {
    scanner.space()
    return scanKey(parser, depth + 1)
  }
  switch (name) {
    case 'NOT':
      return { kind: 'not', key: next() }
    case 'OR':
      return { kind: 'or', keys: [next(), next()] }
    case 'UID':
      scanner.space()
      return { kind: 'uids', set: scanner.sequenceSet() }
    case 'LARGER':
    case 'SMALLER':
      scanner.space()
      return { kind: name === 'LARGER' ? 'larger' : 'smaller', size: scanner.number() }
    default:
      return undefined
  }
}

function scanDateKey(name: string, { scanner, extensions }: Parser): SearchKey | undefined {
  if ((name === 'OLDER' || name === 'YOUNGER') && extensions.has('WITHIN')) {
    scanner.space()
    return { kind: name === 'OLDER' ? 'older' : 'younger', age: scanner.number() }
  }
  const [, sent, relation] = SENT_OR_NOT.exec(name) ?? []
  if (relation === undefined) return undefined
  scanner.space()
  const day = scanDate(scanner)
  return {
    kind: sent === undefined ? 'internalDate' : 'sentDate',
    from: relation === 'BEFORE' ? Number.NEGATIVE_INFINITY : day,
    before: endOf(relation, day)
  }
}

function endOf(relation: string, day: number): number {
  if (relation === 'SINCE') return Number.POSITIVE_INFINITY
  return relation === 'BEFORE' ? day : day + DAY_MS
}

function scanTextKey(name: string, parser: Parser): SearchKey | undefined {
  const { scanner } = parser
  const field = ENVELOPE_KEYS.find((key) => key === name.toLowerCase())
  if (field !== undefined) {
    scanner.space()
    return { kind: 'envelope', field, text: scanner.astring() }
  }
  if (name !== 'HEADER' && name !== 'BODY' && name !== 'TEXT') return undefined
  parser.textKeys++
  if (parser.textKeys > MAX_TEXT_KEYS) {
    throw new CommandError('NO', 'The search has too many texts.', 'LIMIT')
  }
  scanner.space()
  const first = scanner.astring()
  if (name !== 'HEADER') return { kind: name === 'BODY' ? 'body' : 'text', text: first }
  scanner.space()
  return { kind: 'header', name: first, text: scanner.astring() }
}

function scanExtensionKey(name: string, { scanner, extensions }: Parser): SearchKey | undefined {
  if (name === 'MODSEQ' && extensions.has('CONDSTORE')) {
    scanner.space()
    // RFC 7162 3.1.5: the name of a flag and its type may come first; one value serves for all.
    if (scanner.isNext('"')) {
      scanner.string()
      scanner.space()
      scanner.keyword()
      scanner.space()
    }
    return { kind: 'modseq', modseq: scanner.number() }
  }
  if ((name === 'EMAILID' || name === 'THREADID') && extensions.has('OBJECTID')) {
    scanner.space()
    return { kind: name === 'EMAILID' ? 'emailId' : 'threadId', id: scanner.astring() }
  }
  return undefined
}
