import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import type { ImportedPost } from '../import/protocol.ts'
import type { PostChange } from './plan-import.ts'

/** What the owner changed of a post, by name. */
type Edits = ReadonlyMap<string, string | null>

/** Posts per statement. */
const GROUP = 50

export function altName(hash: string): string {
  return `alt ${hash}`
}

/** Null removes what the archive tells. */
export function* writeEdit(post: string, name: string, value: string | null): Transaction<void> {
  yield* query(
    `insert into edits (post, name, value) values (?, ?, ?)
     on conflict (post, name) do update set value = excluded.value`,
    ...[post, name, value]
  )
}

/** Imported posts with what the owner changed of them; the digests stay those of the archive. */
export function* withEdits(changes: readonly PostChange[]): Transaction<readonly PostChange[]> {
  const ids = changes.flatMap(({ stored }) => (stored === undefined ? [] : [stored.id]))
  if (ids.length === 0) return changes
  const edits = yield* readEdits(ids)
  return changes.map((change) => {
    const found = edits.get(change.post.id)
    return found === undefined ? change : { ...change, post: applyEdits(change.post, found) }
  })
}

function* readEdits(ids: readonly string[]): Transaction<Map<string, Map<string, string | null>>> {
  const edits = new Map<string, Map<string, string | null>>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<{ post: string; name: string; value: string | null }>(
      `select post, name, value from edits where post in (${placeholders(GROUP)})`,
      ...group
    )
    for (const { post, name, value } of rows) {
      const own = edits.get(post) ?? new Map<string, string | null>()
      edits.set(post, own.set(name, value))
    }
  }
  return edits
}

function applyEdits(post: ImportedPost, edits: Edits): ImportedPost {
  const { lang, sensitive, media, ...rest } = post
  const editedLang = edits.has('lang') ? (edits.get('lang') ?? undefined) : lang
  return {
    ...rest,
    ...(editedLang !== undefined && { lang: editedLang }),
    sensitive: edits.has('sensitive') ? edits.get('sensitive') === '1' : sensitive,
    media: media.map(({ alt, ...medium }) => {
      const name = altName(medium.file?.hash ?? '')
      const editedAlt = edits.has(name) ? (edits.get(name) ?? undefined) : alt
      return { ...medium, ...(editedAlt !== undefined && { alt: editedAlt }) }
    })
  }
}
