import { labelText } from '../layout.ts'
import { type CardForm, otherFields } from './card-form.ts'
import type { EditedCard } from './edited-card.ts'

/** A part of the form in words. */
export interface FormRow {
  readonly name: string
  readonly label: string
  readonly text: string
}

/** The parts of a form, for a comparison. */
export function describeForm(form: CardForm, { on, parts }: EditedCard): FormRow[] {
  const names = new Map<string, string>([
    ...on.lists.map(({ id, name }) => [id, name] as const),
    ...on.labels.map((label) => [label.id, labelText(label)] as const),
    ...on.options.map(({ id, text }) => [id, text] as const),
    ...parts.attachments.map(({ id, name }) => [id, name] as const)
  ])
  const nameOf = (id: string) => names.get(id) ?? id
  const time = form.state === 'scheduled' ? ` for ${form.publishAt.replace('T', ' ')}` : ''
  const row = (name: string, label: string, text: string): FormRow => ({ name, label, text })
  const images = form.images.map((id) => {
    const alt = form.alts.get(id) ?? ''
    const isRemoved = form.removed.has(id)
    return `${nameOf(id)}${alt === '' ? '' : `: ${alt}`}${isRemoved ? ' (removed)' : ''}`
  })
  return [
    row('title', 'Title', form.title),
    row('description', 'Description', form.description),
    row('state', 'Publication', form.state + time),
    row('list', 'List', nameOf(form.list)),
    row('labels', 'Labels', [...form.labels].sort().map(nameOf).join(', ')),
    row('labelName', 'New label', form.labelName),
    row('completed', 'Completed', form.completed),
    row('url', 'URL', form.url),
    ...otherFields(on).map(({ id, name, type }) => {
      const value = form.fields.get(id) ?? ''
      return row(id, name, type === 'list' ? nameOf(value) : value)
    }),
    row('images', 'Images', images.join('\n')),
    row('cover', 'Cover', form.cover === '' ? '' : nameOf(form.cover)),
    row('slug', 'Name in URLs', form.slug)
  ]
}
