import type { AttachmentRow, CardRow } from '../store/rows.ts'
import { imageUrl, type PublicImage, renditionUrl } from './image-url.ts'
import { type PreviewSize, previewSizes } from './preview-sizes.ts'

/** Whose URLs an object contains. */
export interface AttachmentView {
  readonly baseUrl: string
  /** The viewer sees the published part only: images have their public URLs. */
  readonly isPublished: boolean
}

export interface PreviewObject {
  readonly id: string
  readonly _id: string
  readonly scaled: boolean
  readonly url: string
  /** 0 if it is not known: renditions are made when they are first requested. */
  readonly bytes: number
  readonly height: number
  readonly width: number
}

export interface AttachmentObject {
  readonly id: string
  readonly bytes: number | null
  readonly date: string
  readonly edgeColor: string | null
  readonly idMember: string
  readonly isUpload: boolean
  readonly mimeType: string
  readonly name: string
  readonly previews: readonly PreviewObject[]
  readonly url: string
  readonly pos: number
  readonly fileName: string | null
  readonly isMalicious: boolean
  readonly alt?: string
}

/** Undefined for links, other files, and images that cannot be decoded. */
export function imageOf(
  row: AttachmentRow
): (PublicImage & { bytes: number; width: number; height: number }) | undefined {
  const { image, image_type, image_bytes, width, height } = row
  if (image === null || width === null || height === null) return undefined
  return { hash: image, mediaType: image_type ?? '', bytes: image_bytes ?? 0, width, height }
}

/** Path of the file as it was uploaded. */
export function downloadPath({
  id,
  card,
  file_name
}: Pick<AttachmentRow, 'id' | 'card' | 'file_name'>): string {
  return `/1/cards/${card}/attachments/${id}/download/${encodeURIComponent(file_name ?? 'attachment')}`
}

export function presentAttachment(row: AttachmentRow, view: AttachmentView): AttachmentObject {
  const { id, bytes, color, member, name, pos, alt } = row
  return {
    id,
    bytes,
    date: row.created_at,
    edgeColor: color,
    // Members are not public; clients expect text.
    idMember: view.isPublished ? '' : member,
    isUpload: row.url === null,
    mimeType: row.media_type,
    name,
    previews: presentPreviews(row, view),
    url: row.url ?? fileUrl(row, view),
    pos,
    fileName: row.file_name,
    isMalicious: false,
    ...(alt !== null && { alt })
  }
}

/** Originals need a token; of images the public has the one without metadata. */
function fileUrl(row: AttachmentRow, { baseUrl, isPublished }: AttachmentView): string {
  const image = isPublished ? imageOf(row) : undefined
  return image === undefined ? baseUrl + downloadPath(row) : imageUrl(baseUrl, image)
}

export function presentPreviews(row: AttachmentRow, view: AttachmentView): PreviewObject[] {
  const image = imageOf(row)
  if (image === undefined) return []
  return previewSizes(row.id, image).map((size) => ({
    id: size.id,
    _id: size.id,
    scaled: size.scaled,
    url: previewUrl(row, image, size, view),
    bytes: size.target === undefined ? image.bytes : 0,
    height: size.height,
    width: size.width
  }))
}

function previewUrl(
  { id, card, file_name }: AttachmentRow,
  image: PublicImage,
  { id: preview, scaled, target }: PreviewSize,
  { baseUrl, isPublished }: AttachmentView
): string {
  if (!isPublished) {
    const name = encodeURIComponent(file_name ?? 'attachment')
    return `${baseUrl}/1/cards/${card}/attachments/${id}/previews/${preview}/download/${name}`
  }
  if (target === undefined) return imageUrl(baseUrl, image)
  return renditionUrl(baseUrl, image, { ...target, ...(!scaled && { fit: 'cover' }) })
}

export interface CoverObject {
  readonly idAttachment: string | null
  readonly color: string | null
  readonly idUploadedBackground: null
  readonly size: 'normal' | 'full'
  readonly brightness: 'light' | 'dark'
  readonly scaled?: readonly PreviewObject[]
  readonly edgeColor?: string | null
}

/** `attachment` is the one of `cover_attachment`; `scaled` is there only with an image. */
export function presentCover(
  card: CardRow,
  attachment: AttachmentRow | undefined,
  view: AttachmentView
): CoverObject {
  const image = attachment && imageOf(attachment)
  return {
    idAttachment: card.cover_attachment,
    color: card.cover_color,
    idUploadedBackground: null,
    size: card.cover_size,
    brightness: card.cover_brightness,
    ...(attachment !== undefined &&
      image !== undefined && {
        scaled: presentPreviews(attachment, view),
        edgeColor: attachment.color
      })
  }
}
