import type { CardView } from '../../content/content-card.ts'
import { publicImageUrl } from '../../content/content-card.ts'
import { renderDescription } from '../../content/description.ts'
import type { AttachmentRow } from '../../store/rows.ts'
import { MAX_TEXT } from './field-errors.ts'

export interface PreviewView {
  /** Id of the card; a new one has none. */
  readonly id: string
  readonly attachments: readonly AttachmentRow[]
  readonly view: Pick<CardView, 'baseUrl' | 'imageToken'>
}

/** The description as the content API renders it. */
export function renderPreview(text: string, { id, attachments, view }: PreviewView): string {
  const rows = new Map(attachments.map((row) => [row.id, row]))
  const urlOf = (attachment: string) => {
    const row = rows.get(attachment)
    return row && publicImageUrl(row, view)
  }
  return renderDescription(id, text.slice(0, MAX_TEXT), urlOf).html
}
