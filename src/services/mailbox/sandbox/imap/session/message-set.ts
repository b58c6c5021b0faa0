import { syntaxError } from '../wire/errors.ts'
import { isWithin, type SequenceSet, selectNumbers } from '../wire/sequence-set.ts'
import type { SelectedMailbox } from './session.ts'

/** UIDs of the messages that a command is about, in order. */
export function selectUids(
  { uids }: SelectedMailbox,
  set: SequenceSet,
  isUid: boolean
): readonly number[] {
  if (isUid) return selectNumbers(set, uids)
  if (!isWithin(set, uids.length)) throw syntaxError('Invalid messageset')
  const numbers = uids.map((_, index) => index + 1)
  return selectNumbers(set, numbers).map((number) => uids[number - 1] ?? 0)
}

/** Sequence numbers by UID. */
export function numbersOf({ uids }: SelectedMailbox): ReadonlyMap<number, number> {
  return new Map(uids.map((uid, index) => [uid, index + 1]))
}
