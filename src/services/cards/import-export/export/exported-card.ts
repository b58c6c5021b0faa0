import { type AttachmentView, imageOf, presentAttachment } from '../../present/attachment.ts'
import { presentCard } from '../../present/card.ts'
import { imageExtension } from '../../present/image-url.ts'
import { presentItem } from '../../present/item.ts'
import type { CardParts } from '../../records/card-parts.ts'
import type { AttachmentRow, CardRow } from '../../store/rows.ts'
import type { ExportLine } from './export-line.ts'

/** A card with everything that belongs to it, as exports of Trello have it, and its slugs. */
export function exportedCard(
  parts: CardParts,
  former: readonly string[],
  view: AttachmentView
): Record<string, unknown> {
  const { card, attachments, items } = parts
  return {
    ...presentCard(parts, view),
    attachments: exportedAttachments(attachments, view).map((row) => exportedAttachment(row, view)),
    customFieldItems: items.map(presentItem),
    pluginData: [],
    ...publicationOf(card, former)
  }
}

function publicationOf(card: CardRow, former: readonly string[]): object {
  const { slug, published_at: publishedAt, publish_at: publishAt, slug_is_set: isSet } = card
  const chosen = isSet === 1 && { isSlugSet: true }
  const isKnown = slug !== null && publishedAt !== null
  const known = {
    ...(isKnown && { slug, publishedAt, formerSlugs: former, ...chosen }),
    ...(publishAt !== null && { publishAt })
  }
  return Object.keys(known).length === 0 ? {} : { nonet: known }
}

/** The public has links and images without metadata, no other files. */
function exportedAttachments(
  rows: readonly AttachmentRow[],
  { isPublished }: AttachmentView
): readonly AttachmentRow[] {
  return isPublished ? rows.filter((row) => row.url !== null || imageOf(row)) : rows
}

function exportedAttachment(row: AttachmentRow, view: AttachmentView): object {
  const shown = presentAttachment(row, view)
  if (row.url !== null) return shown
  return { ...shown, url: filePath(row, view), ...(view.isPublished && { bytes: row.image_bytes }) }
}

/** Below the folder of the export. */
function filePath(row: AttachmentRow, { isPublished }: AttachmentView): string {
  const name = isPublished
    ? `image${imageExtension(row.image_type ?? '')}`
    : (row.file_name ?? 'attachment')
  return `attachments/${row.id}/${name}`
}

/** Files of the card that are stored. */
export function* fileLines(
  { attachments }: CardParts,
  view: AttachmentView
): Generator<ExportLine> {
  for (const row of exportedAttachments(attachments, view)) {
    const hash = view.isPublished ? row.image : row.hash
    if (row.url === null && hash !== null) yield { path: filePath(row, view), hash }
  }
}
