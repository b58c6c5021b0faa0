import type { Transaction } from '../../../kernel/database/transaction.ts'
import { readAuthors, readPostContext } from '../store/post-context.ts'
import { linkedPostIds } from './text.ts'
import type { PostView } from './views.ts'

/** What the page of a public post shows; undefined if no public post has this id. */
export function* readView(id: string, baseUrl: string): Transaction<PostView | undefined> {
  const found = yield* readPostContext(id)
  if (found === undefined) return undefined
  const { post, quoted } = found
  const texts = quoted?.kind === 'shown' ? [post, quoted.post] : [post]
  const linked = yield* readAuthors(texts.flatMap((text) => linkedPostIds(text, baseUrl)))
  return { ...found, linked }
}
