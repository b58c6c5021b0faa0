import { syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import type { AttributeName, FetchItem, SectionItem, SectionText } from './items.ts'

const MAX_ITEMS = 1000
const MACROS: Readonly<Record<string, readonly AttributeName[]>> = {
  FAST: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE'],
  ALL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE'],
  FULL: ['FLAGS', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODY']
}
const ATTRIBUTES: readonly AttributeName[] = [
  'UID',
  'FLAGS',
  'INTERNALDATE',
  'RFC822.SIZE',
  'ENVELOPE',
  'BODYSTRUCTURE'
]
/** Attributes of extensions. */
const EXTENDED: Readonly<Record<string, { kind: AttributeName; extension: string }>> = {
  MODSEQ: { kind: 'MODSEQ', extension: 'CONDSTORE' },
  EMAILID: { kind: 'EMAILID', extension: 'OBJECTID' },
  THREADID: { kind: 'THREADID', extension: 'OBJECTID' }
}
const RFC822: Readonly<Record<string, Pick<SectionItem, 'text' | 'setsSeen'>>> = {
  RFC822: { text: '', setsSeen: true },
  'RFC822.HEADER': { text: 'HEADER', setsSeen: false },
  'RFC822.TEXT': { text: 'TEXT', setsSeen: true }
}
const NAME = /[A-Za-z0-9.]+/y
const PATH = /(?:[1-9]\d{0,8}(?:\.[1-9]\d{0,8}){0,60})(?=[.\]])/y
const TEXT = /HEADER\.FIELDS\.NOT|HEADER\.FIELDS|HEADER|TEXT|MIME/iy
const PARTIAL = /<(\d{1,10})\.(\d{1,10})>/y

/** One item, a macro, or a list of items. */
export function scanFetchItems(scanner: Scanner, extensions: ReadonlySet<string>): FetchItem[] {
  if (scanner.isNext('(')) {
    const items = scanner.list(() => scanItem(scanner, extensions))
    if (items.length === 0 || items.length > MAX_ITEMS) throw syntaxError('Invalid FETCH list.')
    return items
  }
  for (const [name, kinds] of Object.entries(MACROS)) {
    const pattern = new RegExp(`${name}(?= |$)`, 'iy')
    if (scanner.match(pattern) !== undefined) return kinds.map((kind) => ({ kind }))
  }
  return [scanItem(scanner, extensions)]
}

function scanItem(scanner: Scanner, extensions: ReadonlySet<string>): FetchItem {
  const name = scanner.match(NAME)?.[0].toUpperCase() ?? ''
  if (name === 'BODY' || name === 'BODY.PEEK') {
    if (scanner.skip('[')) return scanSection(scanner, name === 'BODY')
    if (name === 'BODY') return { kind: 'BODY' }
  }
  const plain = ATTRIBUTES.find((attribute) => attribute === name)
  if (plain !== undefined) return { kind: plain }
  const extended = Object.hasOwn(EXTENDED, name) ? EXTENDED[name] : undefined
  if (extended !== undefined && extensions.has(extended.extension)) return { kind: extended.kind }
  const old = Object.hasOwn(RFC822, name) ? RFC822[name] : undefined
  if (old === undefined) throw syntaxError(`Unknown parameter ${name}`)
  return { kind: 'section', label: name, path: [], fields: [], partial: undefined, ...old }
}

/** What follows `BODY[`. */
function scanSection(scanner: Scanner, setsSeen: boolean): SectionItem {
  const path = scanner.match(PATH)?.[0] ?? ''
  const text = path === '' || scanner.skip('.') ? scanText(scanner) : ''
  if ((path === '' && text === 'MIME') || (path !== '' && text === '' && !scanner.isNext(']'))) {
    throw syntaxError('Invalid BODY[..] parameter.')
  }
  let names: string[] = []
  if (text.startsWith('HEADER.FIELDS')) {
    scanner.space()
    names = scanner.list(scanner.astring)
    if (names.length === 0) throw syntaxError('Empty list of header fields.')
  }
  scanner.expect(']')
  const range = scanner.match(PARTIAL)
  const partial =
    range === undefined ? undefined : { offset: Number(range[1]), length: Number(range[2]) }
  if (partial?.length === 0) throw syntaxError('Invalid partial range.')
  return {
    kind: 'section',
    label: labelOf(path, text, names, partial?.offset),
    path: path === '' ? [] : path.split('.').map(Number),
    text,
    fields: names.map((name) => name.toLowerCase()),
    partial,
    setsSeen
  }
}

function scanText(scanner: Scanner): SectionText {
  const found = scanner.match(TEXT)?.[0].toUpperCase()
  switch (found) {
    case 'HEADER':
    case 'TEXT':
    case 'MIME':
    case 'HEADER.FIELDS':
    case 'HEADER.FIELDS.NOT':
      return found
    default:
      return ''
  }
}

function labelOf(
  path: string,
  text: SectionText,
  names: readonly string[],
  offset: number | undefined
): string {
  const section = [path, text].filter((part) => part !== '').join('.')
  const fields = names.length === 0 ? '' : ` (${names.map(fieldName).join(' ')})`
  return `BODY[${section}${fields}]${offset === undefined ? '' : `<${offset}>`}`
}

function fieldName(name: string): string {
  if (/^[\x21-\x27\x2b-\x5b\x5e-\x7a\x7c\x7e]+$/.test(name)) return name
  return `"${name.replace(/[^\x20-\x7e]/g, '?').replace(/["\\]/g, '\\$&')}"`
}
