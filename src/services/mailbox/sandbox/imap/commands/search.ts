import { costOf, hasModseq, type SearchKey } from '../search/keys.ts'
import { type Candidate, matches, type SearchContext } from '../search/matches.ts'
import { scanSearchKeys } from '../search/parse-keys.ts'
import { type Command, type Session, selectedOf } from '../session/session.ts'
import { CommandError, syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import { formatNumbers } from '../wire/sequence-set.ts'

const BATCH = 100
const RETURNS = ['MIN', 'MAX', 'ALL', 'COUNT']

export const search: Command = {
  state: 'selected',
  hasUidForm: true,
  keepsNumbers: true,
  async run(session, { scanner, isUid, tag }) {
    const { extensions } = session.server
    const returned = scanReturn(scanner, extensions)
    scanCharset(scanner)
    scanner.space()
    const key = scanSearchKeys(scanner, extensions)
    const tellsModseq = hasModseq(key)
    if (tellsModseq) session.enabled.add('CONDSTORE')
    const found = await findMessages(session, key)
    const numbers = found.map(({ number, message }) => (isUid ? message.uid : number))
    const modseq = tellsModseq ? largestModseq(found) : undefined
    const line =
      returned === undefined
        ? formatSearch(numbers, modseq)
        : formatExtended(numbers, modseq, returned, { tag, isUid })
    session.output.line(line)
    return { text: 'Search completed.' }
  }
}

/** Undefined without RETURN: the response is then SEARCH, else ESEARCH. */
function scanReturn(
  scanner: Scanner,
  extensions: ReadonlySet<string>
): ReadonlySet<string> | undefined {
  if (!extensions.has('ESEARCH') || !scanner.skip(' RETURN ')) return undefined
  const options = scanner.list(scanner.keyword)
  if (options.some((option) => !RETURNS.includes(option))) {
    throw syntaxError('Unknown SEARCH return option.')
  }
  return new Set(options.length === 0 ? ['ALL'] : options)
}

function scanCharset(scanner: Scanner): void {
  if (!scanner.skip(' CHARSET ')) return
  const charset = scanner.astring().toUpperCase()
  if (charset === 'UTF-8' || charset === 'US-ASCII') return
  throw new CommandError('NO', 'Unknown charset.', 'BADCHARSET (US-ASCII UTF-8)')
}

async function findMessages(session: Session, key: SearchKey): Promise<Candidate[]> {
  const { kernel, store } = session.server.context
  const { uids, snapshot } = selectedOf(session)
  const context: SearchContext = {
    files: kernel.files,
    now: kernel.now().getTime(),
    uids,
    members: new Map()
  }
  const needsContent = costOf(key) > 0
  const found: Candidate[] = []
  for (let at = 0; at < uids.length && !session.socket.destroyed; at += BATCH) {
    const batch: Candidate[] = []
    for (const [index, uid] of uids.slice(at, at + BATCH).entries()) {
      const message = snapshot.messages.get(uid)
      if (message !== undefined) {
        batch.push({ number: at + index + 1, message, content: undefined })
      }
    }
    const ids = needsContent ? [...new Set(batch.map(({ message }) => message.content))] : []
    const contents = needsContent ? await store.readContents(ids) : undefined
    for (const candidate of batch) {
      const content = contents?.get(candidate.message.content)
      if (await matches(key, { ...candidate, content }, context)) found.push(candidate)
    }
  }
  return found
}

function largestModseq(found: readonly Candidate[]): number | undefined {
  if (found.length === 0) return undefined
  return found.reduce((largest, { message }) => Math.max(largest, message.modseq), 0)
}

function formatSearch(numbers: readonly number[], modseq: number | undefined): string {
  const parts = ['* SEARCH', ...numbers]
  if (modseq !== undefined) parts.push(`(MODSEQ ${modseq})`)
  return parts.join(' ')
}

function formatExtended(
  numbers: readonly number[],
  modseq: number | undefined,
  returned: ReadonlySet<string>,
  { tag, isUid }: { tag: string; isUid: boolean }
): string {
  const parts = [`* ESEARCH (TAG "${tag}")`]
  if (isUid) parts.push('UID')
  const [first] = numbers
  if (returned.has('MIN') && first !== undefined) parts.push(`MIN ${first}`)
  if (returned.has('MAX') && first !== undefined) parts.push(`MAX ${numbers.at(-1)}`)
  if (returned.has('ALL') && first !== undefined) parts.push(`ALL ${formatNumbers(numbers)}`)
  if (returned.has('COUNT')) parts.push(`COUNT ${numbers.length}`)
  if (modseq !== undefined) parts.push(`MODSEQ ${modseq}`)
  return parts.join(' ')
}
