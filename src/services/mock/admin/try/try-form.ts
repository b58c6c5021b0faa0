import type { Json } from '../../document/json.ts'
import { isObject } from '../../document/json.ts'
import type { Documents } from '../../documents.ts'
import type { MediaType, Operation, Parameter } from '../../model/api.ts'
import { concreteType } from '../../response/body-text.ts'
import { declaredExamples, makeContent } from '../../response/content-value.ts'
import { parseTemplate } from '../../routing/template.ts'
import type { ServedApi } from '../../served-api.ts'
import { bodyText, type Member, membersOf, valueOfMembers } from './body-form.ts'
import { type Credential, credentialsOf } from './credentials.ts'
import { writeField } from './field-value.ts'
import { type FormValues, memberField, parameterField } from './form-values.ts'
import { factsOf, type SchemaFacts } from './schema-facts.ts'

export type BodyView = 'fields' | 'text'

export interface ParameterForm {
  parameter: Parameter
  facts: SchemaFacts
}

/** The form of one operation, without the values of its fields. */
export interface TryForm {
  served: ServedApi
  operation: Operation
  /** Base path under which the operation is served. */
  prefix: string
  parameters: readonly ParameterForm[]
  credentials: readonly Credential[]
  /** Media types of the responses, each once. */
  accepts: readonly string[]
  body: BodyForm | undefined
}

export interface BodyForm {
  media: MediaType
  types: readonly string[]
  required: boolean
  /** Names of the examples of this media type. */
  examples: readonly string[]
  /** Undefined if the body can be edited as text only. */
  members: readonly Member[] | undefined
}

export interface FilledForm {
  form: TryForm
  values: FormValues
  view: BodyView
}

export function openForm(
  documents: Documents,
  served: ServedApi,
  operation: Operation,
  type?: string
): TryForm {
  return {
    served,
    operation,
    prefix: documents.prefixOf(operation),
    parameters: allParameters(operation).map((parameter) => ({
      parameter,
      facts: factsAt(served, parameter.schema ?? parameter.content?.schema)
    })),
    credentials: credentialsOf(operation),
    accepts: [
      ...new Set(operation.responses.flatMap(({ contents }) => contents.map((one) => one.type)))
    ],
    body: openBody(served, operation, type)
  }
}

function openBody(served: ServedApi, { requestBody }: Operation, wanted?: string) {
  const contents = requestBody?.contents ?? []
  const media = contents.find(({ type }) => type === wanted) ?? contents[0]
  if (requestBody === undefined || media === undefined) return undefined
  return {
    media,
    types: contents.map(({ type }) => type),
    required: requestBody.required,
    examples: declaredExamples(served, media).map(({ key }) => key),
    members: membersOf(served, media)
  }
}

/** Documented parameters, and names in the path that the document does not describe. */
function allParameters({ path, parameters }: Operation): Parameter[] {
  const known = new Set(
    parameters.filter((one) => one.in === 'path').map(({ name }) => name.toLowerCase())
  )
  const undescribed = parseTemplate(path).names.filter((name) => !known.has(name.toLowerCase()))
  return [...undescribed.map(undescribedParameter), ...parameters]
}

function undescribedParameter(name: string): Parameter {
  return {
    name,
    in: 'path',
    ...{ required: true, deprecated: false, style: 'simple', explode: false, allowReserved: false },
    ...{ delimiter: undefined, schema: undefined, content: undefined, examples: [] }
  }
}

function factsAt({ schemas }: ServedApi, pointer: string | undefined): SchemaFacts {
  const view = schemas.view('request')
  return factsOf(view, pointer === undefined ? undefined : view.at(`#${pointer}`))
}

/** A request that the mock accepts: required values, the first credentials, an example body. */
export async function fillForm(documents: Documents, form: TryForm): Promise<FilledForm> {
  const values: Record<string, string> = {}
  for (const { parameter, facts } of form.parameters) {
    if (!parameter.required) continue
    values[parameterField(parameter)] = writeField(
      exampleOf(form.served, parameter) ?? 'string',
      facts.types
    )
  }
  for (const { isFirst, fields } of form.credentials) {
    if (isFirst) for (const { field, sample } of fields) values[field] = sample
  }
  return { form, ...(await fillBody(documents, form, values, undefined)) }
}

function exampleOf({ generator }: ServedApi, parameter: Parameter): unknown {
  const { examples, content, schema } = parameter
  const own = [...examples, ...(content?.examples ?? [])].find(({ value }) => value !== undefined)
  if (own !== undefined) return own.value
  const pointer = schema ?? content?.schema
  if (pointer === undefined) return undefined
  const generated = generator.sampleValue(`#${pointer}`, 'request')
  return generated.ok ? generated.value : undefined
}

/** Fills the body with an example: the named one, or the first, or a generated value for ''. */
export async function fillBody(
  documents: Documents,
  form: TryForm,
  values: FormValues,
  example: string | undefined
): Promise<{ values: FormValues; view: BodyView }> {
  const { body, served } = form
  if (body === undefined) return { values, view: 'text' }
  const value = await exampleBody(documents, served, body.media, example)
  return showBody(form, values, value)
}

async function exampleBody(
  documents: Documents,
  served: ServedApi,
  media: MediaType,
  example: string | undefined
): Promise<Json | undefined> {
  const { seed, fillProperties, dynamic } = documents.engine().options
  const options = { seed, fillProperties, side: 'request' as const }
  try {
    const made = await makeContent(served, media, {
      ...options,
      example: example === '' ? undefined : example,
      dynamic: dynamic && example === '',
      ignoreExamples: example === ''
    })
    return made.value
  } catch {
    // The document has no example of this name, or no value can be generated: the field is empty.
    return undefined
  }
}

/** Fields if they can show all of the value, otherwise text. */
export function showBody(
  { served, body }: TryForm,
  values: FormValues,
  value: Json | undefined
): { values: FormValues; view: BodyView } {
  if (body === undefined) return { values, view: 'text' }
  const { members, media } = body
  const names = new Set(members?.map(({ name }) => name))
  const fits = isObject(value) && Object.keys(value).every((name) => names.has(name))
  if (members !== undefined && (fits || value === undefined)) {
    const object = isObject(value) ? value : {}
    const fields = members.map(({ name, facts }): [string, string] => [
      memberField(name),
      writeField(Object.hasOwn(object, name) ? object[name] : undefined, facts.types)
    ])
    return { values: { ...values, ...Object.fromEntries(fields) }, view: 'fields' }
  }
  const text = value === undefined ? '' : textOf(served, media, value)
  return { values: { ...values, body: text }, view: 'text' }
}

export function textOf(served: ServedApi, media: MediaType, value: Json): string {
  try {
    return bodyText(served, { ...media, type: concreteType(media.type, value) }, value)
  } catch {
    // Some values have no representation in the documented type, such as an object as plain text.
    return ''
  }
}

/** The value that the fields or the text of the body describe; undefined if no body is sent. */
export function bodyValue({ form, values, view }: FilledForm): Json | undefined {
  const { body } = form
  if (body === undefined) return undefined
  if (view === 'fields') return valueOfMembers(body.members ?? [], values)
  try {
    return JSON.parse(values.body ?? '')
  } catch {
    return undefined
  }
}
