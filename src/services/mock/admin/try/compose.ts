import { concreteType } from '../../response/body-text.ts'
import { parseTemplate } from '../../routing/template.ts'
import { bodyBytes, bodyText, contentTypeOf } from './body-form.ts'
import { writeCredentials } from './credentials.ts'
import { readField } from './field-value.ts'
import { parameterField } from './form-values.ts'
import { type HeaderLine, parseHeaderLines, type RawRequest } from './raw-request.ts'
import { bodyValue, type FilledForm, type ParameterForm } from './try-form.ts'
import {
  writeCookieParameter,
  writeHeaderParameter,
  writePathParameter,
  writeQueryParameter
} from './write-parameter.ts'

/** The request that a filled form describes. Empty fields are not sent. */
export function composeRequest(filled: FilledForm): RawRequest {
  const { form, values } = filled
  const credentials = writeCredentials(form.credentials, values)
  const query = [...writeAll(filled, 'query', writeQueryParameter), ...credentials.query]
  const cookies = [...writeAll(filled, 'cookie', writeCookieParameter), ...credentials.cookies]
  const body = composeBody(filled)
  const written: HeaderLine[] = [
    ['accept', values.accept || '*/*'],
    ...form.parameters.flatMap((one): HeaderLine[] => {
      const value = valueIn(one, filled)
      if (one.parameter.in !== 'header' || value === undefined) return []
      return [[one.parameter.name, writeHeaderParameter(one.parameter, value)]]
    }),
    ...credentials.headers,
    ...(cookies.length === 0 ? [] : [['cookie', cookies.join('; ')] as const]),
    ...preferenceOf(values.status, values.example),
    ...(body === undefined ? [] : [['content-type', body.type] as const])
  ]
  const further = parseHeaderLines(values.headers ?? '')
  const names = new Set(further.map(([name]) => name.toLowerCase()))
  return {
    method: form.operation.method,
    target: `${form.prefix}${pathOf(filled)}${query.length === 0 ? '' : `?${query.join('&')}`}`,
    headers: [...written.filter(([name]) => !names.has(name.toLowerCase())), ...further],
    body: body?.bytes
  }
}

function valueIn({ parameter, facts }: ParameterForm, { values }: FilledForm) {
  const text = values[parameterField(parameter)] ?? ''
  if (text === '') return undefined
  // Scalars are sent as written: `007` and `1e3` are not the numbers 7 and 1000 in a URL.
  const isComplex = facts.types.some((type) => type === 'array' || type === 'object')
  const value = isComplex || parameter.content !== undefined ? readField(text, facts.types) : text
  return parameter.content === undefined && typeof value !== 'object' ? text : value
}

function writeAll(
  filled: FilledForm,
  location: 'query' | 'cookie',
  write: typeof writeQueryParameter
): string[] {
  return filled.form.parameters.flatMap((one) => {
    const value = valueIn(one, filled)
    if (one.parameter.in !== location || value === undefined) return []
    const text = write(one.parameter, value)
    return text === '' ? [] : [text]
  })
}

function pathOf(filled: FilledForm): string {
  const { operation, parameters } = filled.form
  const path = operation.path.startsWith('/') ? operation.path : `/${operation.path}`
  const { texts, names } = parseTemplate(path)
  return texts
    .map((text, index) => {
      const name = names[index]
      if (name === undefined) return text
      const found = parameters.find(
        ({ parameter }) =>
          parameter.in === 'path' && parameter.name.toLowerCase() === name.toLowerCase()
      )
      const value = found && valueIn(found, filled)
      return text + (found && value !== undefined ? writePathParameter(found.parameter, value) : '')
    })
    .join('')
}

/** The response that the form asks the mock for. */
function preferenceOf(status = '', example = ''): HeaderLine[] {
  const wishes = [
    ...(status === '' ? [] : [`code=${status}`]),
    ...(example === '' ? [] : [`example=${quoted(example)}`])
  ]
  return wishes.length === 0 ? [] : [['prefer', wishes.join(', ')]]
}

function quoted(text: string): string {
  return /^[\w.-]+$/.test(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`
}

function composeBody(filled: FilledForm): { type: string; bytes: Buffer } | undefined {
  const { form, values, view } = filled
  const { body, served } = form
  if (body === undefined) return undefined
  const { media, required } = body
  if (view === 'text') {
    const text = values.body ?? ''
    if (text.trim() === '') return undefined
    const type = contentTypeOf(concreteType(media.type, bodyValue(filled) ?? text))
    return { type, bytes: bodyBytes(type, text) }
  }
  const value = bodyValue(filled) ?? (required ? {} : undefined)
  if (value === undefined) return undefined
  const type = contentTypeOf(concreteType(media.type, value))
  return {
    type,
    bytes: bodyBytes(type, compact(bodyText(served, { ...media, type }, value), value, type))
  }
}

/** JSON is sent in one line, as clients do. */
function compact(text: string, value: unknown, type: string): string {
  return /json/i.test(type) ? JSON.stringify(value) : text
}
