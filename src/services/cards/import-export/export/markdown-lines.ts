import { stringify } from 'yaml'
import { slugOf } from '../../../../kernel/slug.ts'
import { cardUrl, completedDay } from '../../content/field-values.ts'
import type { CardContext } from '../../context.ts'
import { imageOf } from '../../present/attachment.ts'
import { imageExtension } from '../../present/image-url.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { createdAt } from '../../records/ids.ts'
import { isPublished } from '../../records/publication.ts'
import { readLists } from '../../store/lists.ts'
import type { ListRow } from '../../store/rows.ts'
import { type BoardExport, cardPages } from './board-lines.ts'
import type { ExportLine } from './export-line.ts'

const MAX_SLUG = 80

/** A Markdown file for each card, and the images that the public sees. */
export async function* markdownLines(
  { store }: CardContext,
  { board, viewer }: BoardExport
): AsyncGenerator<ExportLine> {
  const rows = await store.read(() => readLists(viewer, board.id, 'all'))
  const lists = new Map(rows.map((row) => [row.id, row]))
  const names = new Set<string>()
  for await (const page of cardPages({ store }, viewer, board.id)) {
    for (const parts of page) {
      const name = freeName(parts, names)
      const images = imagesOf(parts, name)
      for (const { file, hash } of images) yield { path: file, hash }
      const front = {
        title: parts.card.name,
        slug: name,
        date: parts.card.published_at ?? createdAt(parts.card.id),
        ...factsOf(parts, lists, images),
        completedAt: completedDay(board, parts.items),
        url: cardUrl(board, parts.items)
      }
      const text = `---\n${stringify(front, { lineWidth: 0 })}---\n\n${parts.card.description}\n`
      yield { path: `${name}.md`, text, isCard: true }
    }
  }
}

interface ExportedImage {
  id: string
  file: string
  hash: string
  alt: string
}

function factsOf(
  { card, labels }: CardParts,
  lists: ReadonlyMap<string, ListRow>,
  images: readonly ExportedImage[]
): object {
  const list = lists.get(card.list)
  const cover = images.find(({ id }) => id === card.cover_attachment) ?? images[0]
  return {
    draft: list === undefined || !isPublished(card, list),
    ...(card.publish_at !== null && { publishAt: card.publish_at }),
    list: list?.name ?? '',
    labels: labels.map(({ name, color }) => name || (color ?? '')),
    cover: cover?.file ?? null,
    images: images.map(({ file, alt }) => ({ file, alt }))
  }
}

/** The slug, or one of the name; unique in the folder, whatever the case. */
function freeName({ card }: CardParts, names: Set<string>): string {
  const base = card.slug ?? (slugOf(card.name, MAX_SLUG) || card.short_link)
  let name = base
  for (let number = 2; names.has(name.toLowerCase()); number++) name = `${base}-${number}`
  names.add(name.toLowerCase())
  return name
}

function imagesOf({ attachments }: CardParts, name: string): ExportedImage[] {
  return attachments
    .flatMap((row) => {
      const image = imageOf(row)
      return image === undefined ? [] : [{ row, image }]
    })
    .map(({ row, image }, index) => ({
      id: row.id,
      file: `images/${name}-${index + 1}${imageExtension(image.mediaType)}`,
      hash: image.hash,
      alt: row.alt ?? ''
    }))
}
