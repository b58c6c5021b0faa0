import { FieldInvalid } from '../contract.ts'
import type { Visibility } from '../records/record.ts'
import type { OwnPage } from '../store/own-posts.ts'
import { checkNames } from './read-json.ts'

const DEFAULT_LIMIT = 20
export const MAX_LIMIT = 100
const NAMES = ['limit', 'before', 'visibility']
const VISIBILITIES: readonly string[] = ['public', 'hidden', 'deleted'] satisfies Visibility[]
const CURSOR = /^\d{19}$/

/** The query of a list of posts. */
export function readPage(query: URLSearchParams): OwnPage {
  checkNames(query.keys(), NAMES)
  const limit = query.get('limit') ?? String(DEFAULT_LIMIT)
  const isLimit = /^[1-9]\d{0,2}$/.test(limit) && Number(limit) <= MAX_LIMIT
  if (!isLimit) throw new FieldInvalid('limit', `a whole number from 1 to ${MAX_LIMIT}`)
  const before = query.get('before') ?? undefined
  if (before !== undefined && !CURSOR.test(before)) {
    throw new FieldInvalid('before', 'the value of before in the page above')
  }
  const visibility = query.get('visibility') ?? undefined
  if (visibility !== undefined && !isVisibility(visibility)) {
    throw new FieldInvalid('visibility', VISIBILITIES.join(', '))
  }
  return { limit: Number(limit), before, visibility }
}

function isVisibility(value: string): value is Visibility {
  return VISIBILITIES.includes(value)
}
