import type { IncomingHttpHeaders } from 'node:http'
import { PreconditionFailed } from '../contract.ts'

/** Revisions that a request names; `any` is `*`. */
type Revisions = 'any' | readonly number[]

/** Preconditions of a write. */
export interface Condition {
  readonly ifMatch?: Revisions | undefined
  readonly ifNoneMatch?: Revisions | undefined
}

export const NO_CONDITION: Condition = {}

/** Maximum number of tags in one header; further tags are ignored. */
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

/** RFC 9110: `If-Match` compares strongly, `If-None-Match` weakly; foreign tags never match. */
export function readTags(header: string, isWeak: boolean): Revisions {
  if (header.trim() === '*') return 'any'
  const tags = header.split(',', MAX_TAGS).map((tag) => tag.trim())
  return tags.flatMap((tag) => {
    const [, revision] = TAG.exec(isWeak ? tag.replace(WEAK, '') : tag) ?? []
    return revision === undefined ? [] : [Number(revision)]
  })
}

/** Whether only a creation is allowed: `If-None-Match: *` without `If-Match`. */
export function isForNew({ ifMatch, ifNoneMatch }: Condition): boolean {
  return ifNoneMatch === 'any' && ifMatch === undefined
}

/** `rev` is undefined if the record does not exist. */
export function checkRevision({ ifMatch, ifNoneMatch }: Condition, rev: number | undefined): void {
  const isNamed = (revisions: Revisions) =>
    rev !== undefined && (revisions === 'any' || revisions.includes(rev))
  if (ifMatch !== undefined && !isNamed(ifMatch)) throw new PreconditionFailed()
  if (ifNoneMatch !== undefined && isNamed(ifNoneMatch)) throw new PreconditionFailed()
}
