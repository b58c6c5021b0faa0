import type { FastifyError } from 'fastify'
import type { CardContext } from '../../context.ts'
import { FormInvalid, RequestInvalid } from '../../contract.ts'
import type { Input } from '../../http/input.ts'
import type { ActionRequest } from '../actions/action.ts'
import { requireLink } from '../read-pages.ts'
import type { CardForm } from './card-form.ts'
import { type EditedCard, readEditedCard } from './edited-card.ts'
import type { FieldErrors } from './field-errors.ts'
import { type FormFields, readForm, readRevision } from './read-form.ts'

/** What the forms of an existing card send. */
export interface FormRequest {
  readonly link: string
  readonly card: EditedCard
  readonly form: CardForm
  /** Of the card that the member saw. */
  readonly revision: number
  readonly fields: FormFields
}

export async function readFormRequest(
  context: CardContext,
  { viewer, params, input }: ActionRequest
): Promise<FormRequest> {
  const link = requireLink(params.card)
  const card = await readEditedCard(context, viewer, link)
  const fields = fieldsOf(input)
  const revision = readRevision(fields)
  if (revision === undefined) throw new RequestInvalid('The form has no revision of the card')
  return { link, card, fields, revision, form: readForm(fields) }
}

/** Repeated names are arrays in the input. */
export function fieldsOf({ values }: Input): FormFields {
  return [...values].flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one: unknown): [string, string][] =>
      typeof one === 'string' ? [[name, one]] : []
    )
  )
}

export function formInvalid(errors: FieldErrors): FastifyError {
  const [first = 'The form is not complete.'] = errors.values()
  return Object.assign(new FormInvalid(first), { data: { errors: Object.fromEntries(errors) } })
}

/** Errors of the store that are about one field. */
const FIELDS: Readonly<Record<string, string>> = {
  SLUG_USED: 'slug',
  BODY_TOO_LARGE: 'file',
  FILES_BUSY: 'file'
}

/** Sentences by field, of any error of a form. */
export function errorsOf(error: FastifyError & { data?: { errors?: object } }): FieldErrors {
  if (error.data?.errors !== undefined) return new Map(Object.entries(error.data.errors))
  const field = error.message.startsWith('publishAt') ? 'publishAt' : FIELDS[error.code]
  return field === undefined ? new Map() : new Map([[field, `${error.message}.`]])
}
