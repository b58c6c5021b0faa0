import { createHmac } from 'node:crypto'
import type { Reasons } from '../../../../kernel/exchange/reasons.ts'

/** What parsing one export needs to know and reports. */
export interface ParseContext {
  /** The id that an object gets, which is its own unless new ones are wanted. */
  readonly idFor: (id: string) => string
  readonly keepsShortLinks: boolean
  /** Whether nonet wrote the file. */
  readonly isOwn: boolean
  /** The member of the board in the file. */
  readonly owner: string | undefined
  /** Ids that the file had before. */
  readonly seen: Set<string>
  /** Objects that are left out. */
  readonly skipped: Reasons
  /** Objects that are not stored exactly as they are in the file. */
  readonly adjusted: Reasons
}

/** A function that gives each id a new one of the same time of creation. */
export function newIdsWith(secret: Buffer): (id: string) => string {
  return (id) => id.slice(0, 8) + createHmac('sha256', secret).update(id).digest('hex').slice(0, 16)
}
