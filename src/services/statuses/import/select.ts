import type { ImportOptions } from './options.ts'
import type { ParsedPost } from './parsed.ts'

/** Why the options leave a post out; undefined if they do not. */
export function reasonToSkip(post: ParsedPost, options: ImportOptions): string | undefined {
  const { since, until } = options
  if (options.excludedIds.has(post.id)) return 'in --exclude-ids'
  if (since !== undefined && post.createdAt < since) return 'before --since'
  if (until !== undefined && post.createdAt > until) return 'after --until'
  if (options.skipsReposts && post.kind === 'repost') return 'reposts'
  if (options.skipsRepliesToOthers && post.repliesToOthers) return 'replies to other accounts'
  return undefined
}
