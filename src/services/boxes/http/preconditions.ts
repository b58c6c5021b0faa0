import type { IncomingHttpHeaders } from 'node:http'
import { PreconditionFailed } from '../contract.ts'

/** Revisions that a writer names; `any` is a `*`. */
type Revisions = 'any' | readonly number[]

/** What must be true of a record for a write to happen. */
export interface Condition {
  readonly ifMatch?: Revisions | undefined
  readonly ifNoneMatch?: Revisions | undefined
}

export const NO_CONDITION: Condition = {}

/** Tags of one header; nobody has more in mind. */
const MAX_TAGS = 100
const TAG = /^"(\d{1,15})"$/
const WEAK = /^W\//

export function readCondition(headers: IncomingHttpHeaders): Condition {
  const { 'if-match': ifMatch, 'if-none-match': ifNoneMatch } = headers
  if (ifMatch === undefined && ifNoneMatch === undefined) return NO_CONDITION
  return {
    ifMatch: ifMatch === undefined ? undefined : readTags(ifMatch, false),
    ifNoneMatch: ifNoneMatch === undefined ? undefined : readTags(ifNoneMatch, true)
  }
}

/** RFC 9110: `If-Match` compares strongly, `If-None-Match` does not; foreign tags match nothing. */
export function readTags(header: string, isWeak: boolean): Revisions {
  if (header.trim() === '*') return 'any'
  const tags = header.split(',', MAX_TAGS).map((tag) => tag.trim())
  return tags.flatMap((tag) => {
    const [, revision] = TAG.exec(isWeak ? tag.replace(WEAK, '') : tag) ?? []
    return revision === undefined ? [] : [Number(revision)]
  })
}

/** Whether only the creation of a record is meant; what is new has no revision to be named. */
export function isForNew({ ifMatch, ifNoneMatch }: Condition): boolean {
  return ifNoneMatch === 'any' && ifMatch === undefined
}

/** `rev` is undefined where there is no record. */
export function checkRevision({ ifMatch, ifNoneMatch }: Condition, rev: number | undefined): void {
  const isNamed = (revisions: Revisions) =>
    rev !== undefined && (revisions === 'any' || revisions.includes(rev))
  if (ifMatch !== undefined && !isNamed(ifMatch)) throw new PreconditionFailed()
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch)) throw new PreconditionFailed()
}
