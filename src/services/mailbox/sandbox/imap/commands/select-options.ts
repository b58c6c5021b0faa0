import type { Session } from '../session/session.ts'
import { syntaxError } from '../wire/errors.ts'
import type { Scanner } from '../wire/scanner.ts'
import type { SequenceSet } from '../wire/sequence-set.ts'

/** What a client of QRESYNC knows of the mailbox. */
export interface KnownState {
  readonly uidValidity: number
  readonly modseq: number
  readonly uids: SequenceSet | undefined
}

export interface SelectOptions {
  readonly enablesCondstore: boolean
  readonly known: KnownState | undefined
}

export function scanSelectOptions(session: Session, scanner: Scanner): SelectOptions {
  const { extensions } = session.server
  let enablesCondstore = false
  let known: KnownState | undefined
  if (!scanner.isAtEnd()) {
    scanner.space()
    scanner.list(() => {
      const option = scanner.keyword()
      if (option === 'CONDSTORE' && extensions.has('CONDSTORE')) enablesCondstore = true
      else if (option === 'QRESYNC' && extensions.has('QRESYNC')) {
        if (!session.enabled.has('QRESYNC')) throw syntaxError('QRESYNC not enabled')
        scanner.space()
        known = scanKnownState(scanner)
      } else throw syntaxError(`Unknown parameter ${option}`)
    })
    scanner.end()
  }
  return { enablesCondstore, known }
}

/** The match of sequence numbers, which may follow, would only shorten the response. */
function scanKnownState(scanner: Scanner): KnownState {
  scanner.expect('(')
  const uidValidity = scanner.number()
  scanner.space()
  const modseq = scanner.number()
  let uids: SequenceSet | undefined
  if (scanner.skip(' ')) {
    if (!scanner.isNext('(')) {
      uids = scanner.sequenceSet()
      if (scanner.skip(' ')) scanSequenceMatch(scanner)
    } else scanSequenceMatch(scanner)
  }
  scanner.expect(')')
  return { uidValidity, modseq, uids }
}

function scanSequenceMatch(scanner: Scanner): void {
  scanner.expect('(')
  scanner.sequenceSet()
  scanner.space()
  scanner.sequenceSet()
  scanner.expect(')')
}
