import { isSlug, SLUG_RULE } from '../../content/write-input.ts'
import type { CardParts } from '../../records/card-parts.ts'
import { LABEL_COLORS } from '../../records/label-colors.ts'
import { momentAt } from '../../records/zoned-time.ts'
import type { CardEdit } from '../../store/change-card.ts'
import type { CardSave } from '../../store/save-card.ts'
import { type CardForm, type EditedBoard, formOf } from './card-form.ts'
import { chooseList } from './choose-list.ts'
import { type FieldErrors, findTextError, MAX_TEXT } from './field-errors.ts'
import { planFields } from './plan-fields.ts'
import { planImages } from './plan-images.ts'

/** What the form changes of the card, or of nothing; sentences for the fields that are wrong. */
export function planSave(
  form: CardForm,
  stored: CardParts | undefined,
  on: EditedBoard
): { save: CardSave } | { errors: FieldErrors } {
  const errors = new Map<string, string>()
  const before = stored && formOf(stored, on)
  checkTexts(form, errors)
  const { labels, newLabel } = planLabels(form, before, on, errors)
  const slug = planSlug(form, before, errors)
  const publishAt = planTime(form, before, on, errors)
  const chosen = chooseList(before, form, on.lists)
  if ('error' in chosen) errors.set('list', chosen.error)
  const fields = planFields(form, stored, before, on, errors)
  const { images, cover } = planImages(form, stored, errors)
  if (errors.size > 0) return { errors }
  const edit: CardEdit = {
    columns: {
      ...(form.title !== before?.title && { name: form.title }),
      ...(form.description !== (before?.description ?? '') && { description: form.description })
    },
    list: 'list' in chosen && chosen.list !== before?.list ? chosen.list : undefined,
    labels,
    cover
  }
  return { save: { edit, ...fields, newLabel, slug, images, publishAt } }
}

function checkTexts({ title, description }: CardForm, errors: Map<string, string>): void {
  if (title === '') errors.set('title', 'Enter a title.')
  for (const [name, text] of Object.entries({ title, description })) {
    const error = findTextError(text, MAX_TEXT)
    if (error !== undefined) errors.set(name, error)
  }
}

const MAX_LABEL = 256

function planLabels(
  { labels, labelName: name, labelColor }: CardForm,
  before: CardForm | undefined,
  on: EditedBoard,
  errors: Map<string, string>
): Pick<CardEdit, 'labels'> & Pick<CardSave, 'newLabel'> {
  const known = new Set(on.labels.map(({ id }) => id))
  if (!labels.every((id) => known.has(id))) {
    errors.set('label', 'One of these labels was removed from the board; choose again.')
  }
  const color = labelColor === '' ? null : labelColor
  if (color !== null && !LABEL_COLORS.includes(color)) {
    errors.set('labelName', 'Choose one of the colours.')
  }
  if (name === '' && color !== null) errors.set('labelName', 'Enter the name of the new label.')
  const error = findTextError(name, MAX_LABEL)
  if (error !== undefined) errors.set('labelName', error)
  const same = on.labels.find((label) => label.name === name && label.color === color)
  const wanted = name === '' || same === undefined ? labels : [...new Set([...labels, same.id])]
  const isSame = isSameSet(wanted, before?.labels ?? [])
  return {
    labels: isSame ? undefined : wanted,
    newLabel: name === '' || same !== undefined ? undefined : { name, color }
  }
}

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((value) => other.includes(value))
}

function planSlug(
  { slug }: CardForm,
  before: CardForm | undefined,
  errors: Map<string, string>
): string | null | undefined {
  if (slug === (before?.slug ?? '')) return undefined
  if (slug === '') return null
  if (!isSlug(slug)) errors.set('slug', `The slug must have ${SLUG_RULE}.`)
  return slug
}

function planTime(
  { state, publishAt }: CardForm,
  before: CardForm | undefined,
  { board }: EditedBoard,
  errors: Map<string, string>
): string | null | undefined {
  if (state !== 'scheduled') return before?.state === 'scheduled' ? null : undefined
  if (before?.state === 'scheduled' && publishAt === before.publishAt) return undefined
  const moment = momentAt(board.time_zone, publishAt)
  if (moment !== undefined) return new Date(moment).toISOString()
  errors.set(
    'publishAt',
    publishAt === ''
      ? 'Enter the day and time of publication.'
      : `This is no time of ${board.time_zone}: enter an existing day and time.`
  )
  return undefined
}
