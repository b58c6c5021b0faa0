import type { SearchDocument } from '../../../kernel/search/document.ts'
import type { SearchOperators } from '../../../kernel/search/query.ts'
import type { Entity, Medium } from '../records/record.ts'
import { foldName } from '../records/user-name.ts'

const HAS = ['media', 'images', 'video', 'links'] as const

export const SEARCH_OPERATORS: SearchOperators = {
  from: { kind: 'label', normalise: (value) => foldName(value.replace(/^@/, '')) },
  since: { kind: 'since' },
  until: { kind: 'until' },
  has: { kind: 'label', values: HAS }
}

/** What is searched of a post. */
export interface SearchedPost {
  text: string
  summary?: string | undefined
  createdAt: string
  media: readonly { type: Medium['type']; alt?: string | undefined }[]
  entities: readonly Entity[]
}

/** The label `from` is the id of the account, so that a rename changes no document. */
export function searchDocumentOf(
  { text, summary, createdAt, media, entities }: SearchedPost,
  account: string,
  sortKey: string
): SearchDocument {
  const descriptions = media.flatMap(({ alt }) => (alt === undefined ? [] : [alt]))
  const has: (typeof HAS)[number][] = []
  if (media.length > 0) has.push('media')
  if (media.some(({ type }) => type === 'photo')) has.push('images')
  if (media.some(({ type }) => type !== 'photo')) has.push('video')
  if (entities.some(({ type }) => type === 'url')) has.push('links')
  return {
    sortKey,
    time: Date.parse(createdAt),
    texts: [text, ...(summary === undefined ? [] : [summary]), ...descriptions],
    labels: { from: [account], has }
  }
}
