import type { EnvelopeKey } from '../../message/search.ts'
import type { SequenceSet } from '../wire/sequence-set.ts'

/** A condition of SEARCH. */
export type SearchKey =
  | { readonly kind: 'all' }
  | { readonly kind: 'none' }
  | { readonly kind: 'and'; readonly keys: readonly SearchKey[] }
  | { readonly kind: 'or'; readonly keys: readonly SearchKey[] }
  | { readonly kind: 'not'; readonly key: SearchKey }
  | { readonly kind: 'flag'; readonly flag: string }
  | { readonly kind: 'numbers' | 'uids'; readonly set: SequenceSet }
  | { readonly kind: 'larger' | 'smaller'; readonly size: number }
  /** Days begin at `from`, which is in Unix milliseconds, and end before `before`. */
  | {
      readonly kind: 'internalDate' | 'sentDate'
      readonly from: number
      readonly before: number
    }
  /** In seconds. */
  | { readonly kind: 'older' | 'younger'; readonly age: number }
  | { readonly kind: 'modseq'; readonly modseq: number }
  | { readonly kind: 'emailId' | 'threadId'; readonly id: string }
  | { readonly kind: 'envelope'; readonly field: EnvelopeKey; readonly text: string }
  | { readonly kind: 'header'; readonly name: string; readonly text: string }
  | { readonly kind: 'body' | 'text'; readonly text: string }

/** 0 if the row of the message suffices, 1 if the content is needed, 2 if its file is read. */
export function costOf(key: SearchKey): number {
  switch (key.kind) {
    case 'and':
    case 'or':
      return key.keys.reduce((cost, part) => Math.max(cost, costOf(part)), 0)
    case 'not':
      return costOf(key.key)
    case 'sentDate':
    case 'threadId':
    case 'envelope':
      return 1
    case 'header':
    case 'body':
    case 'text':
      return 2
    default:
      return 0
  }
}

/** Whether the key has a MODSEQ condition, which changes the response. */
export function hasModseq(key: SearchKey): boolean {
  if (key.kind === 'and' || key.kind === 'or') return key.keys.some(hasModseq)
  return key.kind === 'not' ? hasModseq(key.key) : key.kind === 'modseq'
}
