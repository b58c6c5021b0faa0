import { hasMoreFieldsThan } from '../../../kernel/form-fields.ts'
import { isJson, parseMediaType } from '../../../kernel/media-type.ts'
import type { Diagnostic } from '../message.ts'
import type { Encoding, MediaType } from '../model/api.ts'
import { fault } from './diagnose.ts'
import { createFieldReader, type Fields, type ReadField, readJsonText } from './field-styles.ts'
import { decodeForm } from './percent.ts'
import { groupPairs, type Pair, parseLongPairs, parsePairs, SLICE_LENGTH } from './query-string.ts'
import type { SchemaSummary } from './schema-summary.ts'
import { createMembers, kindOf, MAX_VALUES, Malformed, type Members } from './text-value.ts'

const RESERVED = "/?#[]@!$&'()*,;="

export type ReadForm = (
  text: string,
  diagnostics: Diagnostic[]
) => Members | Malformed | Promise<Members>

const sameName = (name: string) => name

interface FormField {
  name: string
  read: ReadField
  encoding: Encoding | undefined
}

/** Reads `application/x-www-form-urlencoded`; each property has its own style. */
export function createFormReader(content: MediaType, shape: SchemaSummary): ReadForm {
  const names = new Set(shape.names)
  const rules = {
    keyOf: sameName,
    isTaken: (key: string) => names.has(key) || key.includes('['),
    decode: decodeForm,
    keepsEmpty: true
  }
  const fields = shape.names.map((name): FormField => {
    const property = shape.property(name) ?? shape
    const encoding = content.encoding.get(name)
    return { name, read: createReader(name, property, encoding, rules), encoding }
  })
  const spread = new Set(spreadNames(shape, content))

  return function readForm(text, diagnostics) {
    if (hasMoreFieldsThan(MAX_VALUES, text)) {
      return new Malformed(`has more than ${MAX_VALUES} fields`)
    }
    if (text.length <= SLICE_LENGTH) return readPairs(parsePairs(text), diagnostics)
    return parseLongPairs(text).then((pairs) => readPairs(pairs, diagnostics))
  }

  function readPairs(pairs: readonly Pair[], diagnostics: Diagnostic[]): Members {
    const form = { pairs, byName: groupPairs(pairs, sameName) }
    const members = createMembers()
    for (const { name, read, encoding } of fields) {
      const value = read(form)
      if (value === undefined) continue
      if (value instanceof Malformed) {
        diagnostics.push(fault('Request', 'body', [name], 'encoding', value.reason))
        continue
      }
      members[name] = value
      if (encoding !== undefined && hasReserved(form, name, encoding)) {
        diagnostics.push({
          location: ['body', name],
          severity: 'Error',
          message: 'Reserved characters used in request body'
        })
      }
    }
    addUndescribed(members, form, (name) => names.has(name) || spread.has(name))
    return members
  }
}

function createReader(
  name: string,
  shape: SchemaSummary,
  encoding: Encoding | undefined,
  rules: Parameters<typeof createFieldReader>[2]
): ReadField {
  const media = parseMediaType(encoding?.contentType ?? '')
  const isList = kindOf(shape) === 'array'
  const holdsObjects = isList && kindOf(shape.items) === 'object'
  const isStyled = encoding?.style !== undefined
  if ((media !== undefined && isJson(media)) || (holdsObjects && !isStyled)) {
    return ({ byName }) => readJsonValues(byName.get(name), isList)
  }
  const style = encoding?.style ?? 'form'
  const explode = encoding?.explode ?? style === 'form'
  const form = { name, style, explode, delimiter: encoding?.delimiter }
  return createFieldReader(form, shape, rules)
}

function readJsonValues(pairs: readonly Pair[] | undefined, isList: boolean): unknown {
  const [first] = pairs ?? []
  if (pairs === undefined || first === undefined || first.value === '') return undefined
  const values = pairs.map(({ value }) => readJsonText(value))
  const bad = values.find((value) => value instanceof Malformed)
  if (bad !== undefined) return bad
  if (values.length > 1) return values
  return isList && !Array.isArray(values[0]) ? values : values[0]
}

/** Names of fields that are properties of a property. */
function spreadNames(shape: SchemaSummary, { encoding }: MediaType): string[] {
  return shape.names.flatMap((name) => {
    const property = shape.property(name)
    if (property === undefined || kindOf(property) !== 'object') return []
    return (encoding.get(name)?.style ?? 'form') === 'form' ? property.names : []
  })
}

/** A name with brackets belongs to the property before the brackets. */
function addUndescribed(members: Members, form: Fields, isKnown: (name: string) => boolean): void {
  for (const [name, pairs] of form.byName) {
    const bracket = name.indexOf('[')
    if (isKnown(name) || (bracket > 0 && isKnown(name.slice(0, bracket)))) continue
    const texts = pairs.map(({ value }) => value)
    members[name] = texts.length === 1 ? texts[0] : texts
  }
}

/** A plus sign is a space, and a comma is allowed as the delimiter of joined values. */
function hasReserved({ byName }: Fields, name: string, encoding: Encoding): boolean {
  if (encoding.allowReserved) return false
  const isJoined = encoding.explode === false
  return (byName.get(name) ?? []).some(({ raw }) =>
    [...RESERVED].some((sign) => raw.includes(sign) && !(isJoined && sign === ','))
  )
}
