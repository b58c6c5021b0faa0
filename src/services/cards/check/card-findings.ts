import type { Finding } from '../../../kernel/service.ts'
import { cardUrl, completedDay } from '../content/field-values.ts'
import { imageOf } from '../present/attachment.ts'
import type { CardParts } from '../records/card-parts.ts'
import { isPublished } from '../records/publication.ts'
import type { BoardRow, ListRow } from '../store/rows.ts'

/** `missing` has the ids of attachments whose file is not stored. */
export function* cardFindings(
  { card, attachments, items }: CardParts,
  board: BoardRow,
  list: ListRow | undefined,
  missing: ReadonlySet<string>
): Generator<Finding> {
  const where = `board ${board.slug}, card ${card.slug ?? card.short_link}`
  const warning = (text: string): Finding => ({ level: 'warning', where, text })
  for (const { id, name, file_name } of attachments) {
    if (!missing.has(id)) continue
    yield { level: 'error', where, text: `the file ${file_name ?? name} is missing` }
  }
  const hasUrl = items.some(({ field }) => field === board.url_field)
  if (hasUrl && cardUrl(board, items) === null) {
    yield warning('its URL is neither http nor https, so sites get null')
  }
  if (list === undefined || !isPublished(card, list)) return
  const images = attachments.filter((row) => imageOf(row) !== undefined)
  if (images.length === 0) yield warning('it is published without an image')
  for (const { name, alt } of images) {
    if (alt === null || alt.trim() === '') yield warning(`the image ${name} has no alt text`)
  }
  if (board.completed_field !== null && completedDay(board, items) === null) {
    yield warning('it is published without a completion date')
  }
  if (board.url_field !== null && !hasUrl) yield warning('it is published without a URL')
}
