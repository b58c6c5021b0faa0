/**
 * Brings responses of different IMAP servers into one form: messages are named by the order in
 * which the client learned of them, values that each server chooses by their order.
 */
import type { ImapResponse, Token } from './imap-response.ts'

/** What one server has told about the mailbox of a sequence. */
export interface ServerMemory {
  /** UIDVALIDITY values in the order of their appearance. */
  validities: string[]
  /** UIDVALIDITY of the mailbox of the sequence. */
  validity: string
  /** HIGHESTMODSEQ of the mailbox of the sequence, whenever it was stored. */
  checkpoints: number[]
}

/** What a client knows of the selected mailbox. */
export interface ClientView {
  messages: number[]
  /** How many messages it has ever learned of since the mailbox was selected. */
  learned: number
}

export interface Exchange {
  /** The first words of the command in capitals. */
  verb: string
  responses: readonly ImapResponse[]
  view: ClientView
  memory: ServerMemory
}

export function emptyView(): ClientView {
  return { messages: [], learned: 0 }
}

/** Codes that mean something to clients; texts and other codes differ by server. */
const CODES = new Set([
  ...['APPENDUID', 'COPYUID', 'MODIFIED', 'READ-ONLY', 'READ-WRITE', 'TRYCREATE', 'NONEXISTENT'],
  ...['ALREADYEXISTS', 'UIDVALIDITY', 'UIDNEXT', 'HIGHESTMODSEQ', 'NOMODSEQ', 'CLOSED', 'UNSEEN'],
  'EXPUNGEISSUED'
])

const RESELECTING = /^(SELECT|EXAMINE)\b/

/** The response to one command as lines that can be compared. */
export function normalise(exchange: Exchange): readonly string[] {
  const { verb, responses, view } = exchange
  if (RESELECTING.test(verb)) Object.assign(view, emptyView())
  const fetched = new Map<number, Map<string, string>>()
  const lines: string[] = []
  let tagged = ''
  for (const response of responses) {
    if (response.status === '') lines.push(...normaliseData(response.tokens, exchange, fetched))
    else if (response.tag === '*') lines.push(...normaliseCode(response, exchange, '* '))
    else tagged = [response.status, ...normaliseCode(response, exchange, '')].join(' ')
  }
  if (verb === 'CLOSE' || verb === 'UNSELECT') Object.assign(view, emptyView())
  if (RESELECTING.test(verb) && !tagged.startsWith('OK')) Object.assign(view, emptyView())
  for (const [message, items] of fetched) lines.push(describeFetched(message, items))
  return [...lines.sort(), `messages ${view.messages.join(' ')}`, tagged]
}

function describeFetched(message: number, items: ReadonlyMap<string, string>): string {
  const parts = [...items].map(([name, value]) => `${name} ${value}`).sort()
  return `message ${message}: ${parts.join(', ')}`
}

function normaliseCode({ code }: ImapResponse, exchange: Exchange, before: string): string[] {
  const [name = '', ...values] = code.map(String)
  const upper = name.toUpperCase()
  if (!CODES.has(upper)) return []
  return [`${before}[${[upper, ...codeValues(upper, values, exchange)].join(' ')}]`]
}

function codeValues(name: string, values: readonly string[], exchange: Exchange): string[] {
  const { memory } = exchange
  if (name === 'UIDVALIDITY') return [validityOf(values[0], memory)]
  if (name === 'HIGHESTMODSEQ') return [rankOf(values[0], memory)]
  if (name === 'APPENDUID' || name === 'COPYUID') {
    return [validityOf(values[0], memory), ...values.slice(1).map(expandSet)]
  }
  return values.map((value) => (/^[\d,:]+$/.test(value) ? expandSet(value) : value))
}

function normaliseData(
  tokens: readonly Token[],
  exchange: Exchange,
  fetched: Map<number, Map<string, string>>
): string[] {
  const [first = '', second, ...rest] = tokens
  const { view } = exchange
  if (typeof first === 'string' && /^\d+$/.test(first)) {
    const number = Number(first)
    const kind = String(second).toUpperCase()
    if (kind === 'EXISTS') addMessages(view, number)
    else if (kind === 'EXPUNGE') removeMessage(view, number)
    else if (kind === 'FETCH') addFetched(nameOf(view, number), rest[0] ?? [], exchange, fetched)
    return []
  }
  const kind = String(first).toUpperCase()
  const describe = DATA[kind]
  return describe === undefined ? [show(tokens)] : describe(tokens.slice(1), exchange)
}

function addMessages(view: ClientView, count: number): void {
  if (count < view.messages.length) view.messages.push(Number.NaN)
  while (view.messages.length < count) view.messages.push(++view.learned)
}

function removeMessage(view: ClientView, number: number): void {
  if (number > view.messages.length) view.messages.push(Number.NaN)
  else view.messages.splice(number - 1, 1)
}

/** Names do not exist for messages that the client cannot know. */
function nameOf(view: ClientView, number: number): number {
  return view.messages[number - 1] ?? Number.NaN
}

function addFetched(
  message: number,
  items: Token,
  { memory }: Exchange,
  fetched: Map<number, Map<string, string>>
): void {
  const known = fetched.get(message) ?? new Map<string, string>()
  fetched.set(message, known)
  for (let index = 0; index < items.length; index += 2) {
    const name = String(items[index]).toUpperCase()
    known.set(name, fetchedValue(name, items[index + 1] ?? '', memory))
  }
}

function fetchedValue(name: string, value: Token, memory: ServerMemory): string {
  if (name === 'FLAGS') return sortedFlags(value)
  if (name === 'MODSEQ') return rankOf(String(value[0]), memory)
  if (name === 'INTERNALDATE') return new Date(String(value).slice(1)).toISOString()
  return show(value)
}

/** The first session of a mailbox sees `\Recent`; RFC 9051 has removed it. */
function sortedFlags(value: Token): string {
  const flags = [...value].map(String).filter((flag) => flag.toLowerCase() !== '\\recent')
  return `(${flags.sort().join(' ')})`
}

type Describe = (tokens: readonly Token[], exchange: Exchange) => string[]

const DATA: Readonly<Record<string, Describe>> = {
  // Keywords are listed at different times.
  FLAGS: () => [],
  SEARCH: (tokens, exchange) => [describeSearch(tokens, exchange)],
  ESEARCH: (tokens, exchange) => [describeExtendedSearch(tokens, exchange)],
  STATUS: ([name, items], { memory }) => [describeStatus(name, items, memory)],
  LIST: (tokens) => [describeListed('LIST', tokens)],
  LSUB: (tokens) => [describeListed('LSUB', tokens)],
  VANISHED(tokens, { view }) {
    const uids = expandSet(String(tokens.at(-1)))
    if (tokens.length > 1) return [`VANISHED (EARLIER) ${uids}`]
    // The messages are not named by UID, so all get the name of their number.
    const left = view.messages.length - uids.split(' ').length
    view.messages = Array.from({ length: left }, (_, index) => index + 1)
    view.learned = left
    return [`VANISHED ${uids}`]
  }
}

function describeSearch(tokens: readonly Token[], { verb, view, memory }: Exchange): string {
  const numbers = tokens.filter((token) => typeof token === 'string').map(Number)
  const modseq = tokens.find((token) => typeof token !== 'string')?.[1]
  const names = verb.startsWith('UID') ? numbers : numbers.map((number) => nameOf(view, number))
  const highest = modseq === undefined ? '' : ` MODSEQ ${rankOf(String(modseq), memory)}`
  return `SEARCH ${names.sort((a, b) => a - b).join(' ')}${highest}`
}

function describeExtendedSearch(tokens: readonly Token[], { memory }: Exchange): string {
  const parts: string[] = []
  for (const [index, token] of tokens.entries()) {
    const name = String(token).toUpperCase()
    const value = String(tokens[index + 1])
    if (name === 'UID') parts.push(name)
    if (name === 'MODSEQ') parts.push(`${name} ${rankOf(value, memory)}`)
    if (/^(MIN|MAX|COUNT|ALL)$/.test(name)) parts.push(`${name} ${expandSet(value)}`)
  }
  return `ESEARCH ${parts.sort().join(' ')}`
}

function describeStatus(name: Token = '', items: Token = [], memory: ServerMemory): string {
  const parts: string[] = []
  for (let index = 0; index < items.length; index += 2) {
    const item = String(items[index]).toUpperCase()
    const value = String(items[index + 1])
    const shown =
      item === 'UIDVALIDITY'
        ? validityOf(value, memory)
        : item === 'HIGHESTMODSEQ'
          ? rankOf(value, memory)
          : value
    parts.push(`${item} ${shown}`)
  }
  return `STATUS ${plain(name)} ${parts.sort().join(' ')}`
}

/** Whether a mailbox has new messages (`\Marked`) is optional. */
function describeListed(kind: string, tokens: readonly Token[]): string {
  const [attributes = [], separator, name = '', extended = []] = tokens
  const shown = [...attributes]
    .map((attribute) => String(attribute).toLowerCase())
    .filter((attribute) => attribute !== '\\marked' && attribute !== '\\unmarked')
  const more = extended.length === 0 ? '' : ` ${show(extended)}`
  return `${kind} ${plain(name)} (${shown.sort().join(' ')}) ${plain(separator ?? '')}${more}`
}

/** Servers choose between atoms and strings. */
function plain(token: Token): string {
  return String(token).replace(/^"/, '')
}

function show(token: Token): string {
  if (typeof token !== 'string') return `(${token.map(show).join(' ')})`
  if (token.startsWith('"')) return JSON.stringify(token.slice(1))
  return token.toUpperCase()
}

function validityOf(value: string | undefined, { validities }: ServerMemory): string {
  if (value === undefined) return 'none'
  if (!validities.includes(value)) validities.push(value)
  return `validity ${validities.indexOf(value) + 1}`
}

/** The number of checkpoints before the change; clients compare and never compute with values. */
function rankOf(value: string | undefined, { checkpoints }: ServerMemory): string {
  const number = Number(value)
  if (!Number.isSafeInteger(number) || number < 1) return `malformed ${value}`
  return `after checkpoint ${checkpoints.filter((checkpoint) => checkpoint < number).length}`
}

export function expandSet(set: string): string {
  const numbers = set.split(',').flatMap((range) => {
    const [first = Number.NaN, last = first] = range.split(':').map(Number)
    const [low, high] = [Math.min(first, last), Math.max(first, last)]
    return Array.from({ length: high - low + 1 }, (_, index) => low + index)
  })
  return numbers.join(' ')
}
