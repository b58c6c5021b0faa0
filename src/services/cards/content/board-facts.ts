import { renderArticle } from '../../../kernel/markdown.ts'
import { seesPublishedOnly, type Viewer } from '../records/viewer.ts'
import type { BoardParts } from '../store/content.ts'
import type { BoardRow } from '../store/rows.ts'

export interface BoardFactsInput {
  readonly board: BoardRow
  readonly parts: BoardParts
  /** Cards by list. */
  readonly counts: ReadonlyMap<string, number>
  readonly viewer: Viewer
  readonly baseUrl: string
}

/** A board as sites read it; `revision` changes with what the viewer sees. */
export function boardFacts({ board, parts, counts, viewer, baseUrl }: BoardFactsInput): object {
  const isPublic = seesPublishedOnly(viewer)
  const { lists, labels, fields, options } = parts
  return {
    id: board.id,
    slug: board.slug,
    name: board.name,
    description: board.description,
    descriptionHtml: renderArticle(board.description, { idPrefix: `${board.id}-`, plain: true })
      .markup,
    url: `${baseUrl}/content/${encodeURIComponent(board.slug)}`,
    timeZone: board.time_zone,
    completedField: board.completed_field,
    urlField: board.url_field,
    lists: lists.map(({ id, name, role }) => ({ id, name, role, cards: counts.get(id) ?? 0 })),
    labels: labels.map(({ id, name, color }) => ({ id, name, color })),
    fields: fields.map(({ id, name, type }) => ({
      id,
      name,
      type,
      ...(type === 'list' && {
        options: options.filter(({ field }) => field === id).map(({ text }) => text)
      })
    })),
    cards: [...counts.values()].reduce((sum, count) => sum + count, 0),
    revision: isPublic ? board.public_revision : board.revision,
    updatedAt: isPublic ? board.public_changed_at : board.changed_at
  }
}
