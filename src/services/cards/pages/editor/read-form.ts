import { type CardForm, STATES } from './card-form.ts'

/** Fields of a sent form, in their order; names may occur several times. */
export type FormFields = readonly (readonly [name: string, value: string])[]

const FIELD = 'field.'
const ALT = 'alt.'

/** Names of the form's fields. */
export const fieldName = (id: string) => FIELD + id
export const altName = (id: string) => ALT + id

/** What was typed; a field that was not sent is empty. Nothing is checked here. */
export function readForm(fields: FormFields): CardForm {
  const all = (name: string) => fields.flatMap(([one, value]) => (one === name ? [value] : []))
  const one = (name: string) => all(name)[0] ?? ''
  return {
    title: one('title').trim(),
    description: one('description').replace(/\r\n?/g, '\n'),
    state: STATES.find((state) => state === one('state')) ?? 'draft',
    // Browsers add seconds to times that have some.
    publishAt: one('publishAt').slice(0, 16),
    list: one('list'),
    slug: one('slug').trim(),
    labels: [...new Set(all('label'))],
    labelName: one('labelName').trim(),
    labelColor: one('labelColor'),
    completed: one('completed'),
    url: one('url').trim(),
    fields: byId(fields, FIELD),
    images: [...new Set(all('image'))],
    alts: byId(fields, ALT),
    removed: new Set(all('remove')),
    cover: one('cover')
  }
}

function byId(fields: FormFields, prefix: string): Map<string, string> {
  return new Map(
    fields.flatMap(([name, value]): [string, string][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), value]] : []
    )
  )
}

/** The fields of a form as a browser sends them. */
export function formFields(form: CardForm): FormFields {
  const { title, description, state, publishAt, list, slug, completed, url, cover } = form
  const single = { title, description, state, publishAt, list, slug, completed, url, cover }
  const { labelName, labelColor } = form
  return [
    ...Object.entries({ ...single, labelName, labelColor }),
    ...form.labels.map((id): [string, string] => ['label', id]),
    ...[...form.fields].map(([id, value]): [string, string] => [fieldName(id), value]),
    ...form.images.map((id): [string, string] => ['image', id]),
    ...[...form.alts].map(([id, value]): [string, string] => [altName(id), value]),
    ...[...form.removed].map((id): [string, string] => ['remove', id])
  ]
}

/** The revision that the form was made of; undefined if it has none. */
export function readRevision(fields: FormFields): number | undefined {
  const text = fields.find(([name]) => name === 'revision')?.[1] ?? ''
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
