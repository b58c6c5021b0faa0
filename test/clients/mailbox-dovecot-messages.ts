/**
 * What the sandbox reads from messages, compared with Dovecot: ENVELOPE, BODY, BODYSTRUCTURE,
 * sections and texts, for a corpus and for random lines that mean something in a message.
 */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { createFiles } from '../../src/kernel/files/files.ts'
import { openFileFolder } from '../../src/kernel/files/folder.ts'
import type { MessageFacts } from '../../src/services/mailbox/sandbox/message/facts.ts'
import { readHeaderFields } from '../../src/services/mailbox/sandbox/message/header-fields.ts'
import {
  formatBodyStructure,
  formatEnvelope
} from '../../src/services/mailbox/sandbox/message/imap-structure.ts'
import {
  openSection,
  type ReadableMessage
} from '../../src/services/mailbox/sandbox/message/read-part.ts'
import { receiveMessage } from '../../src/services/mailbox/sandbox/message/receive.ts'
import {
  matchesEnvelope,
  matchesHeader,
  matchesText
} from '../../src/services/mailbox/sandbox/message/search.ts'
import {
  findSection,
  type SectionKind
} from '../../src/services/mailbox/sandbox/message/section.ts'
import { DOVECOT_PASSWORD, type Dovecot, openDovecot } from '../support/dovecot.ts'
import { EFFORT } from '../support/effort.ts'
import { type ImapClient, openImap } from '../support/imap-client.ts'
import { parseTokens, type Token } from '../support/imap-response.ts'
import { MAIL_CORPUS, randomLines } from '../support/mail-corpus.ts'
import { randomMessage, SEARCHED } from '../support/mailbox-random-message.ts'
import { createRandom } from '../support/random.ts'
import { scratchFolder } from '../support/scratch-folder.ts'

const files = createFiles(openFileFolder(join(scratchFolder(), 'files'), { durable: false }))
const random = createRandom(24)
const messages: readonly (readonly [name: string, binary: string])[] = [
  // Dovecot stores no empty message.
  ...Object.entries(MAIL_CORPUS).filter(([name]) => name !== 'empty'),
  ...randomMessages('well-formed', () => randomMessage(random).toString('latin1')),
  ...randomMessages('lines', () => randomLines(random))
]

function randomMessages(
  kind: string,
  create: () => string
): readonly (readonly [string, string])[] {
  return Array.from({ length: 40 * EFFORT }, (_, index) => [`${kind} ${index}`, create()] as const)
}

let dovecot: Dovecot
let client: ImapClient

before(async () => {
  dovecot = await openDovecot()
  client = await openImap({ port: dovecot.imapPort })
  await client.command(`LOGIN messages@example.test ${DOVECOT_PASSWORD}`)
  for (const [name, binary] of messages) {
    const responses = await client.command('APPEND INBOX ', Buffer.from(binary, 'latin1'))
    assert.equal(responses.at(-1)?.status, 'OK', name)
  }
  await client.command('SELECT INBOX')
})

after(async () => {
  client[Symbol.dispose]()
  await dovecot.close()
})

/** The items of FETCH for one message, by name. */
async function fetch(number: number, items: string): Promise<ReadonlyMap<string, Token>> {
  const responses = await client.command(`FETCH ${number} (${items})`)
  const data = responses.find(({ tokens }) => tokens[1] === 'FETCH')?.tokens[2]
  assert.ok(Array.isArray(data), `${items}: ${responses.at(-1)?.raw}`)
  const entries = data as readonly Token[]
  return new Map(
    Array.from({ length: entries.length / 2 }, (_, index) => [
      String(entries[2 * index]),
      entries[2 * index + 1] ?? ''
    ])
  )
}

async function receive(binary: string): Promise<ReadableMessage & MessageFacts> {
  async function* source() {
    yield Buffer.from(binary, 'latin1')
  }
  const { file, facts } = await receiveMessage(files, source(), { maxBytes: 1_000_000 })
  return { file, ...facts }
}

/** Names are as they are written in the message; they mean the same in lower case. */
function lower(token: Token | undefined): Token {
  if (token === undefined) return ''
  return typeof token === 'string' ? token.toLowerCase() : token.map(lower)
}

/** Dovecot gives types that it cannot read as `""`, where the sandbox has the nearest valid one. */
function hasUnreadType(token: Token | undefined): boolean {
  if (token === undefined || typeof token === 'string') return false
  return token[1] === '"' || token.some(hasUnreadType)
}

/** Messages whose ENVELOPE differs on purpose. */
const OTHER_ENVELOPES: Readonly<Record<string, string>> = {
  folded: 'Dovecot keeps the space before an id that follows a fold',
  'odd addresses': 'Dovecot does not read spaces around dots (RFC 5322 4.4)'
}

/** Collects what differs, so that one run shows all of it. */
function createComparison() {
  const differences: unknown[] = []
  return {
    compare(context: Readonly<Record<string, string>>, ours: unknown, theirs: unknown): void {
      if (!isDeepStrictEqual(ours, theirs)) differences.push({ ...context, ours, theirs })
    },
    end: () => assert.deepEqual(differences.slice(0, 5), [], `${differences.length} differences`)
  }
}

test('sizes, ENVELOPE, BODY and BODYSTRUCTURE are as of Dovecot', async () => {
  const { compare, end } = createComparison()
  let unread = 0
  for (const [index, [name, binary]] of messages.entries()) {
    const items = await fetch(index + 1, 'RFC822.SIZE ENVELOPE BODY BODYSTRUCTURE')
    const { file, root, envelope } = await receive(binary)
    compare({ name, item: 'SIZE' }, String(file.size), items.get('RFC822.SIZE'))
    const [ours] = parseTokens(formatEnvelope(envelope))
    if (!(name in OTHER_ENVELOPES)) {
      compare({ name, item: 'ENVELOPE', binary }, ours, items.get('ENVELOPE'))
    }
    if (hasUnreadType(items.get('BODY'))) {
      unread++
      continue
    }
    const body = lower(parseTokens(formatBodyStructure(root, false))[0])
    compare({ name, item: 'BODY', binary }, body, lower(items.get('BODY')))
    const structure = lower(parseTokens(formatBodyStructure(root, true))[0])
    compare({ name, item: 'STRUCTURE', binary }, structure, lower(items.get('BODYSTRUCTURE')))
  }
  assert.ok(unread < messages.length / 10)
  end()
})

const SECTIONS: readonly (readonly [item: string, path: readonly number[], kind: SectionKind])[] = [
  ['', [], 'all'],
  ['HEADER', [], 'header'],
  ['TEXT', [], 'text'],
  ...[[1], [2], [3], [1, 1], [1, 2], [2, 1], [1, 1, 1]].flatMap((path) =>
    (['all', 'mime', 'header', 'text'] as const).map(
      (kind) =>
        [`${path.join('.')}${kind === 'all' ? '' : `.${kind.toUpperCase()}`}`, path, kind] as const
    )
  )
]

test('sections are as of Dovecot', async () => {
  const { compare, end } = createComparison()
  for (const [index, [name, binary]] of messages.entries()) {
    const { file, root } = await receive(binary)
    const items = SECTIONS.map(([item]) => `BODY.PEEK[${item}]`)
    const found = await fetch(index + 1, `BODY ${items.join(' ')}`)
    if (hasUnreadType(found.get('BODY'))) continue
    for (const [item, path, kind] of SECTIONS) {
      // What does not exist is empty.
      const section = findSection(root, path, kind) ?? [0, 0]
      const ours = (await buffer(await openSection(files, file, section))).toString('latin1')
      const theirs = String(found.get(`BODY[${item}]`)).slice(1)
      // An empty message in a digest: the empty line is of the header or of the boundary.
      const isEmptyMessage = kind === 'mime' && ours === '\r\n' && theirs === ''
      if (!isEmptyMessage) compare({ name, item, binary }, ours, theirs)
    }
  }
  end()
})

test('selected header fields are as of Dovecot', async () => {
  const { compare, end } = createComparison()
  const names = ['Subject', 'TO', 'content-type']
  for (const [index, [name, binary]] of messages.entries()) {
    const { file, root } = await receive(binary)
    for (const isNot of [false, true]) {
      const item = `HEADER.FIELDS${isNot ? '.NOT' : ''} (${names.join(' ')})`
      const [theirs] = (await fetch(index + 1, `BODY.PEEK[${item}]`)).values()
      const bytes = await readHeaderFields(files, file, root.header, { names, isNot })
      const ours = `"${bytes.toString('latin1')}`
      // A header without an empty line has one if Dovecot has read it before.
      const hasEnd = /^\r?\n|\n\r?\n/.test(binary)
      if (hasEnd) compare({ name, item, binary }, ours, theirs)
      else compare({ name, item, binary }, ours.trimEnd(), String(theirs).trimEnd())
    }
  }
  end()
})

const TEXTS = [
  ...['INNER', 'grüße', 'Subject: inner', 'a@example.test', 'filename', 'aaec', 'no colon'],
  ...['--b', 'epilogue', 'preamble', 'three lines', '=3D', ...SEARCHED]
]
const HEADER_TEXTS = ['lovelace', 'grüße', 'again', 'ada', 'b@example', 'folded', 'plain']

/** Messages that are not searched in the same way, on purpose. */
const OTHER_SEARCHES: Readonly<Record<string, string>> = {
  'content fields without MIME': 'Dovecot decodes the text, although its structure says 7bit',
  'odd addresses': 'Dovecot does not read spaces around dots (RFC 5322 4.4)',
  'fields twice': 'Dovecot searches all subjects, not only that of ENVELOPE'
}

type Received = Awaited<ReturnType<typeof receive>>

/** Keys of SEARCH with a text, and what decides them in the sandbox. */
const SEARCH_KEYS: Readonly<
  Record<string, (message: Received, text: string) => boolean | Promise<boolean>>
> = {
  BODY: (message, text) => matchesText(files, message, text, 'body'),
  TEXT: (message, text) => matchesText(files, message, text, 'text'),
  SUBJECT: ({ envelope }, text) => matchesEnvelope(envelope, 'subject', text),
  FROM: ({ envelope }, text) => matchesEnvelope(envelope, 'from', text),
  TO: ({ envelope }, text) => matchesEnvelope(envelope, 'to', text),
  CC: ({ envelope }, text) => matchesEnvelope(envelope, 'cc', text),
  'HEADER X-Test': (message, text) => matchesHeader(files, message, 'X-Test', text),
  'HEADER Subject': (message, text) => matchesHeader(files, message, 'Subject', text),
  'HEADER Content-Type': (message, text) => matchesHeader(files, message, 'Content-Type', text)
}

function textsOf(key: string): readonly string[] {
  if (key === 'BODY' || key === 'TEXT') return TEXTS
  return key.startsWith('HEADER') ? [...HEADER_TEXTS, ''] : HEADER_TEXTS
}

test('searches find the messages that Dovecot finds', async () => {
  const { compare, end } = createComparison()
  const searched = await Promise.all(
    messages.map(async ([name, binary]) => ({ name, message: await receive(binary) }))
  )
  for (const [key, matches] of Object.entries(SEARCH_KEYS)) {
    for (const text of textsOf(key)) {
      const responses = await client.command(`SEARCH CHARSET UTF-8 ${key} `, Buffer.from(text))
      const theirs = responses.find(({ tokens }) => tokens[0] === 'SEARCH')?.tokens ?? []
      for (const [index, { name, message }] of searched.entries()) {
        // What is a header, a text or neither is not clear in random lines.
        if (name.startsWith('lines ') || name in OTHER_SEARCHES) continue
        const ours = await matches(message, text)
        compare({ key, text, name }, ours, theirs.slice(1).includes(String(index + 1)))
      }
    }
  }
  end()
})
