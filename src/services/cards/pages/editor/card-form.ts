import { completedDay, storedValue } from '../../content/field-values.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { localTime } from '../../records/zoned-time.ts'
import type { BoardParts } from '../../store/content.ts'
import type { BoardRow, CardRow, FieldRow, ItemRow, ListRow } from '../../store/rows.ts'

export const STATES = ['draft', 'scheduled', 'published'] as const
export type State = (typeof STATES)[number]

/** What the fields of the form have, as texts of a browser. */
export interface CardForm {
  readonly title: string
  readonly description: string
  readonly state: State
  /** On the clocks of the board, `2026-05-12T14:30`. */
  readonly publishAt: string
  readonly list: string
  readonly slug: string
  /** Ids. */
  readonly labels: readonly string[]
  readonly labelName: string
  readonly labelColor: string
  /** A day of the board, `2026-05-12`. */
  readonly completed: string
  readonly url: string
  /** Of the other custom fields, by id. */
  readonly fields: ReadonlyMap<string, string>
  /** Ids of images in their order. */
  readonly images: readonly string[]
  /** Descriptions of images by id. */
  readonly alts: ReadonlyMap<string, string>
  /** Ids of attachments that are removed when the form is saved. */
  readonly removed: ReadonlySet<string>
  /** Id of an image, or empty. */
  readonly cover: string
}

/** Everything of the board that the form shows. */
export interface EditedBoard extends BoardParts {
  readonly board: BoardRow
}

/** The form of a stored card before anything is typed. */
export function formOf({ card, labels, items, attachments }: CardParts, on: EditedBoard): CardForm {
  const { board } = on
  const images = attachments.filter(({ image }) => image !== null)
  const list = on.lists.find(({ id }) => id === card.list)
  return {
    title: card.name,
    description: card.description,
    state: stateOf(card, list),
    publishAt: localOf(board, card.publish_at),
    list: card.list,
    slug: card.slug ?? '',
    labels: labels.map(({ id }) => id),
    labelName: '',
    labelColor: '',
    completed: completedDay(board, items) ?? '',
    url: storedValue(items.find(({ field }) => field === board.url_field)).text ?? '',
    fields: new Map(
      otherFields(on).map((field) => [
        field.id,
        fieldText(
          field,
          items.find((item) => item.field === field.id),
          board
        )
      ])
    ),
    images: images.map(({ id }) => id),
    alts: new Map(images.map(({ id, alt }) => [id, alt ?? ''])),
    removed: new Set(),
    cover: card.cover_attachment ?? ''
  }
}

/** Whether an archived card would be public is not told by its state. */
export function stateOf(
  { publish_at }: Pick<CardRow, 'publish_at'>,
  list: Pick<ListRow, 'role' | 'closed'> | undefined
): State {
  if (publish_at !== null) return 'scheduled'
  return list?.role === 'published' && list.closed === 0 ? 'published' : 'draft'
}

/** Custom fields without those for the date of completion and the URL. */
export function otherFields({ board, fields }: EditedBoard): readonly FieldRow[] {
  return fields.filter(({ id }) => id !== board.completed_field && id !== board.url_field)
}

/** As the form shows the value. */
function fieldText({ type }: FieldRow, item: ItemRow | undefined, { time_zone }: BoardRow): string {
  if (type === 'list') return item?.option ?? ''
  const { text, number, checked, date } = storedValue(item)
  if (type !== 'date') return { text, number, checkbox: checked }[type] ?? ''
  const moment = Date.parse(date ?? '')
  return Number.isNaN(moment) ? '' : localTime(time_zone, moment)
}

function localOf({ time_zone }: BoardRow, time: string | null): string {
  return time === null ? '' : localTime(time_zone, Date.parse(time))
}
