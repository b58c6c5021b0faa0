/** Random commands about the messages of the selected mailbox. */
import { anyMailbox, messageSet, type Part, type Sources, uid } from './mailbox-command-parts.ts'
import { randomDate, randomMessage } from './mailbox-random-message.ts'
import { searchKey } from './mailbox-search-keys.ts'

const FLAGS = [
  '\\Seen',
  '\\Flagged',
  '\\Answered',
  '\\Deleted',
  '\\Draft',
  'work',
  '$Later'
] as const

function flagList({ random }: Sources): string {
  const chosen = FLAGS.filter(() => random.below(4) === 0)
  return `(${chosen.join(' ')})`
}

export function append(sources: Sources): readonly Part[] {
  const { random } = sources
  const flags = random.below(2) === 0 ? `${flagList(sources)} ` : ''
  return [`APPEND ${sources.mailbox} ${flags}"${randomDate(random, '-')}" `, randomMessage(random)]
}

const FETCH_ITEMS = [
  ...['FLAGS', 'UID', 'INTERNALDATE', 'RFC822.SIZE', 'ENVELOPE', 'BODYSTRUCTURE', 'BODY'],
  ...['BODY.PEEK[]', 'BODY[]', 'BODY.PEEK[HEADER]', 'BODY.PEEK[TEXT]', 'BODY.PEEK[1]'],
  ...['BODY.PEEK[1.MIME]', 'BODY.PEEK[2]', 'BODY.PEEK[1.HEADER]', 'BODY.PEEK[1.1]'],
  ...['BODY.PEEK[HEADER.FIELDS (Subject From)]', 'BODY.PEEK[HEADER.FIELDS.NOT (Date To)]'],
  ...['BODY.PEEK[]<0.20>', 'BODY.PEEK[TEXT]<5.1000>', 'BODY.PEEK[1]<100000.5>', 'BODY[1]<2.9>'],
  ...['RFC822', 'RFC822.HEADER', 'RFC822.TEXT', 'BODY.PEEK[1.TEXT]', 'BODY.PEEK[1.2]']
] as const

const MACROS = ['ALL', 'FAST', 'FULL', 'FLAGS', 'ENVELOPE', 'BODYSTRUCTURE'] as const

export function fetch(sources: Sources): readonly Part[] {
  const { random, mode } = sources
  const words = Array.from({ length: 1 + random.below(4) }, () => random.pick(FETCH_ITEMS))
  const items = new Set<string>(words)
  if (mode !== 'plain' && random.below(3) === 0) items.add('MODSEQ')
  const list = random.below(5) === 0 ? random.pick(MACROS) : `(${[...items].join(' ')})`
  return [`${uid(sources)}FETCH ${messageSet(sources)} ${list}`]
}

export function fetchChanged(sources: Sources): readonly Part[] {
  const { random, mode, checkpoints } = sources
  if (checkpoints === 0) return fetch(sources)
  const head = `UID FETCH 1:* (UID FLAGS) (CHANGEDSINCE `
  const vanished = mode === 'qresync' && random.below(2) === 0 ? ' VANISHED' : ''
  return [head, { own: random.below(checkpoints) }, `${vanished})`]
}

export function store(sources: Sources): readonly Part[] {
  const { random, checkpoints } = sources
  const action = `${random.pick(['+', '-', ''])}FLAGS${random.pick(['', '.SILENT'])}`
  const head = `${uid(sources)}STORE ${messageSet(sources)} `
  if (checkpoints > 0 && random.below(2) === 0) {
    const since = { own: random.below(checkpoints) }
    return [`${head}(UNCHANGEDSINCE `, since, `) ${action} ${flagList(sources)}`]
  }
  return [`${head}${action} ${flagList(sources)}`]
}

/** Makes EXPUNGE and CLOSE remove something. */
export function markDeleted(sources: Sources): readonly Part[] {
  return [`${uid(sources)}STORE ${messageSet(sources)} +FLAGS.SILENT (\\Deleted)`]
}

export function search(sources: Sources): readonly Part[] {
  const { random } = sources
  const result = random.pick(['', '', 'RETURN (MIN MAX COUNT) ', 'RETURN (ALL) ', 'RETURN () '])
  const keys = Array.from({ length: 1 + random.below(2) }, () => searchKey(sources)).join(' ')
  return [`${uid(sources)}SEARCH ${result}${keys}`]
}

export function searchModseq(sources: Sources): readonly Part[] {
  const { random, checkpoints } = sources
  if (checkpoints === 0) return search(sources)
  // The value is included; which messages of one command have the same one differs by server.
  return [`${uid(sources)}SEARCH MODSEQ `, { own: random.below(checkpoints), plus: 1 }]
}

export function copy(sources: Sources): readonly Part[] {
  const verb = sources.random.pick(['COPY', 'COPY', 'MOVE'])
  return [`${uid(sources)}${verb} ${messageSet(sources)} ${anyMailbox(sources)}`]
}

export function expunge(sources: Sources): readonly Part[] {
  return [sources.random.below(2) === 0 ? 'EXPUNGE' : `UID EXPUNGE ${messageSet(sources)}`]
}
