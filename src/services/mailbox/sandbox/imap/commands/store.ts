import { changeFlags } from '../../../store/flags.ts'
import type { FlagChange, StoredMessage } from '../../mail-store.ts'
import { scanFlags, withKnownSpelling } from '../session/flags.ts'
import { numbersOf, selectUids } from '../session/message-set.ts'
import {
  type Command,
  READ_ONLY,
  type SelectedMailbox,
  type Session,
  selectedOf
} from '../session/session.ts'
import { tellKeywords, tellMessage } from '../session/sync.ts'
import { syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import { formatNumbers } from '../wire/sequence-set.ts'

const CHANGES: Readonly<Record<string, FlagChange>> = { '+': 'add', '-': 'remove', '': 'replace' }
const ITEM = /([+-]?)FLAGS(\.SILENT)?(?= )/iy

export const store: Command = {
  state: 'selected',
  hasUidForm: true,
  keepsNumbers: true,
  async run(session, { scanner, isUid }) {
    scanner.space()
    const set = scanner.sequenceSet()
    scanner.space()
    const unchangedSince = scanUnchangedSince(session, scanner)
    const item = scanner.match(ITEM)
    if (item === undefined) throw syntaxError('Missing item name.')
    const change = CHANGES[item[1] ?? ''] ?? 'replace'
    const isSilent = item[2] !== undefined
    scanner.space()
    const flags = scanFlags(scanner)
    scanner.end()
    const selected = selectedOf(session)
    const uids = selectUids(selected, set, isUid)
    if (selected.isReadOnly) return READ_ONLY
    const { snapshot, id } = selected
    const wanted = withKnownSpelling(flags, snapshot.keywords)
    const known = new Map(uids.map((uid) => [uid, knownFlags(selected, uid)]))
    const { store: mailStore } = session.server.context
    const result = await mailStore.storeFlags(id, uids, change, wanted, unchangedSince)
    await snapshot.refresh()
    tellKeywords(session, selected)
    const numbers = numbersOf(selected)
    for (const message of result.stored) {
      const before = known.get(message.uid)
      if (before?.modseq === message.modseq) continue
      selected.told.set(message.uid, message.modseq)
      const isExpected =
        isSilent && before !== undefined && hasFlags(message, before, change, wanted)
      tellMessage(session, numbers.get(message.uid) ?? 0, message, isUid, !isExpected)
    }
    if (result.modified.length > 0) {
      const modified = result.modified.map((uid) => (isUid ? uid : (numbers.get(uid) ?? 0)))
      return {
        text: 'Conditional store failed.',
        code: `MODIFIED ${formatNumbers(modified)}`
      }
    }
    return { text: 'Store completed.' }
  }
}

/** As the client knows them; undefined if there are changes that it was not told. */
function knownFlags(
  { snapshot, modseq, told }: SelectedMailbox,
  uid: number
): StoredMessage | undefined {
  const message = snapshot.messages.get(uid)
  if (message === undefined || message.modseq <= modseq) return message
  return told.get(uid) === message.modseq ? message : undefined
}

/** Whether a message has the flags that its client expects after the change. */
function hasFlags(
  message: StoredMessage,
  before: StoredMessage,
  change: FlagChange,
  flags: readonly string[]
): boolean {
  const expected = new Set(changeFlags(before.flags, change, flags))
  return expected.size === message.flags.length && message.flags.every((flag) => expected.has(flag))
}

function scanUnchangedSince(session: Session, scanner: Scanner): number | undefined {
  if (!scanner.isNext('(') || !session.server.extensions.has('CONDSTORE')) return undefined
  scanner.expect('(UNCHANGEDSINCE ')
  const modseq = scanner.number()
  scanner.expect(')')
  scanner.space()
  session.enabled.add('CONDSTORE')
  return modseq
}
