import { MAX_ALT } from '../../content/write-input.ts'
import type { CardParts } from '../../records/card-parts.ts'
import type { CardSave } from '../../store/save-card.ts'
import type { CardForm } from './card-form.ts'
import { findTextError } from './field-errors.ts'
import { altName } from './read-form.ts'

/** Changes of the attachments that the card has already. */
export function planImages(
  form: CardForm,
  stored: CardParts | undefined,
  errors: Map<string, string>
): Pick<CardSave, 'images'> & Pick<CardSave['edit'], 'cover'> {
  if (stored === undefined) return { images: undefined, cover: undefined }
  const { attachments, card } = stored
  const images = attachments.filter(({ image }) => image !== null)
  const removed = attachments.filter(({ id }) => form.removed.has(id)).map(({ id }) => id)
  const left = images.map(({ id }) => id).filter((id) => !removed.includes(id))
  const alts = images.flatMap(({ id, alt }) => {
    const text = form.alts.get(id)?.trim()
    if (text === undefined || text === (alt ?? '') || removed.includes(id)) return []
    const error = findTextError(text, MAX_ALT)
    if (error !== undefined) errors.set(altName(id), error)
    return [{ id, alt: text }]
  })
  const shown = left.filter((id) => form.images.includes(id))
  const wanted = form.images.filter((id) => shown.includes(id))
  const order = wanted.join() === shown.join() ? undefined : wanted
  const isSame = removed.length === 0 && alts.length === 0 && order === undefined
  return {
    images: isSame ? undefined : { removed, alts, order },
    cover: coverOf(form, card.cover_attachment, left, errors)
  }
}

function coverOf(
  { cover, removed }: CardForm,
  before: string | null,
  images: readonly string[],
  errors: Map<string, string>
): CardSave['edit']['cover'] {
  if (cover === (before ?? '') || removed.has(cover)) return undefined
  if (cover === '') return { attachment: null, color: null }
  if (!images.includes(cover)) errors.set('cover', 'Choose one of the images.')
  return { attachment: cover }
}
