import type { Post, Visibility } from './record.ts'

/** How long a deleted post can be restored. */
export const RESTORABLE_MS = 24 * 3_600_000

/** A post as its owner sees it. */
export interface OwnPost extends Post {
  visibility: Visibility
  /** Undefined unless the post is deleted and can be restored. */
  deletedAt: string | undefined
  restorableUntil: string | undefined
  /** Current user name of the author of the post replied to, if that post is public here. */
  parentName: string | undefined
}

/** Posts that were deleted at this time or before are erased. */
export function lastErased(time: string): string {
  return new Date(Date.parse(time) - RESTORABLE_MS).toISOString()
}

export function restorableUntil(deletedAt: string): string {
  return new Date(Date.parse(deletedAt) + RESTORABLE_MS).toISOString()
}
