import { imageOf } from '../present/attachment.ts'
import { imageUrl, type PublicImage, RENDITION_WIDTHS, renditionUrl } from '../present/image-url.ts'
import type { CardParts } from '../records/card-parts.ts'
import type { AttachmentRow, BoardRow, ListRow } from '../store/rows.ts'
import type { Description } from './description.ts'
import {
  type BoardFields,
  cardUrl,
  completedDay,
  type FieldValue,
  fieldValues
} from './field-values.ts'

export interface ContentImage {
  readonly id: string
  readonly alt: string
  readonly width: number
  readonly height: number
  readonly mimeType: string
  readonly bytes: number
  readonly url: string
  readonly dominantColor: string | null
  readonly srcset: readonly { width: number; url: string; format: string }[]
}

/** A card as sites read it. */
export interface ContentCard {
  readonly id: string
  /** Null until the card is first public. */
  readonly slug: string | null
  readonly title: string
  /** Markdown. */
  readonly description: string
  readonly descriptionHtml: string
  readonly excerpt: string
  readonly images: readonly ContentImage[]
  /** Id of an image. */
  readonly cover: string | null
  readonly labels: readonly { id: string; name: string; color: string | null }[]
  readonly completedAt: string | null
  readonly url: string | null
  readonly fields: Readonly<Record<string, FieldValue>>
  readonly list: { readonly id: string; readonly name: string }
  readonly pos: number
  readonly publishedAt: string | null
  /** Only for viewers that see drafts: when the card will be public, null for no such time. */
  readonly publishAt?: string | null
  readonly updatedAt: string
  readonly revision: number
}

/** What all cards of a response share. */
export interface CardView {
  readonly board: BoardRow
  /** By id. */
  readonly lists: ReadonlyMap<string, ListRow>
  readonly fields: BoardFields
  readonly baseUrl: string
  readonly showsDrafts: boolean
  /** Opens images of drafts in a browser, for previews. */
  readonly imageToken: string | undefined
}

export function contentCard(
  { card, labels, attachments, items }: CardParts,
  { html, excerpt }: Description,
  view: CardView
): ContentCard {
  const images = attachments.flatMap((row) => contentImage(row, view))
  return {
    id: card.id,
    slug: card.slug,
    title: card.name,
    description: card.description,
    descriptionHtml: html,
    excerpt,
    images,
    cover: images.find(({ id }) => id === card.cover_attachment)?.id ?? null,
    labels: labels.map(({ id, name, color }) => ({ id, name, color })),
    completedAt: completedDay(view.board, items),
    url: cardUrl(view.board, items),
    fields: fieldValues(view.fields, items),
    list: { id: card.list, name: view.lists.get(card.list)?.name ?? '' },
    pos: card.pos,
    publishedAt: card.published_at,
    ...(view.showsDrafts && { publishAt: card.publish_at }),
    updatedAt: card.changed_at,
    revision: card.revision
  }
}

/** Undefined for attachments that are no images. */
export function publicImageUrl(
  row: AttachmentRow,
  view: Pick<CardView, 'baseUrl' | 'imageToken'>
): string | undefined {
  const image = imageOf(row)
  return image && signed(imageUrl(view.baseUrl, image), view)
}

function contentImage(row: AttachmentRow, view: CardView): ContentImage[] {
  const image = imageOf(row)
  if (image === undefined) return []
  const { width, height, bytes, mediaType } = image
  return [
    {
      id: row.id,
      alt: row.alt ?? '',
      width,
      height,
      mimeType: mediaType,
      bytes,
      url: signed(imageUrl(view.baseUrl, image), view),
      dominantColor: row.color,
      srcset: RENDITION_WIDTHS.filter((one) => one < width).flatMap((one) =>
        renditions(image, one, view)
      )
    }
  ]
}

function renditions(image: PublicImage, width: number, view: CardView): ContentImage['srcset'] {
  return (['webp', 'jpeg'] as const).map((format) => ({
    width,
    url: signed(renditionUrl(view.baseUrl, image, { width, format }), view),
    format
  }))
}

function signed(url: string, { imageToken }: Pick<CardView, 'imageToken'>): string {
  if (imageToken === undefined) return url
  return `${url}${url.includes('?') ? '&' : '?'}token=${imageToken}`
}
