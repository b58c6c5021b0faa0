import { isObject } from '../../../kernel/json.ts'
import { SAME_INSTANCE_APPLICATORS } from './keyword-shapes.ts'

export type Side = 'request' | 'response'

const NONE: ReadonlySet<string> = new Set()

export interface Hidden {
  /** Whether a property with this schema does not exist on this side. */
  isHidden: (schema: unknown) => boolean
  /** Names of such properties in the schema and in all schemas that apply to the same value. */
  namesIn: (schema: Record<string, unknown>) => ReadonlySet<string>
}

/** A request has no readOnly properties, a response has no writeOnly properties. */
export function createHidden(side: Side, resolve: (ref: string) => unknown): Hidden {
  const mark = side === 'request' ? 'readOnly' : 'writeOnly'
  const hidden = new Map<object, boolean>()
  const names = new Map<object, ReadonlySet<string>>()

  function isHidden(schema: unknown): boolean {
    if (!isObject(schema)) return false
    if (schema.$ref === undefined && schema.allOf === undefined) return schema[mark] === true
    const known = hidden.get(schema)
    if (known !== undefined) return known
    hidden.set(schema, false)
    const response =
      schema[mark] === true ||
      (typeof schema.$ref === 'string' && isHidden(resolve(schema.$ref))) ||
      (Array.isArray(schema.allOf) && schema.allOf.some(isHidden))
    hidden.set(schema, response)
    return response
  }

  function namesIn(schema: Record<string, unknown>): ReadonlySet<string> {
    const known = names.get(schema)
    if (known !== undefined) return known
    const found = isAlone(schema)
      ? ownNames(schema)
      : [...partsOf(schema, resolve)].flatMap(ownNames)
    const response = found.length === 0 ? NONE : new Set(found)
    names.set(schema, response)
    return response
  }

  function ownNames({ properties }: Record<string, unknown>): readonly string[] {
    if (!isObject(properties)) return []
    return Object.keys(properties).filter((name) => isHidden(properties[name]))
  }

  return { isHidden, namesIn }
}

function isAlone(schema: Record<string, unknown>): boolean {
  if (typeof schema.$ref === 'string') return false
  for (const keyword of SAME_INSTANCE_APPLICATORS) if (schema[keyword] !== undefined) return false
  return true
}

/** The schema and all schemas that apply to the same value, each once. */
function partsOf(
  schema: Record<string, unknown>,
  resolve: (ref: string) => unknown
): Set<Record<string, unknown>> {
  const parts = new Set([schema])
  for (const part of parts) {
    const next = typeof part.$ref === 'string' ? [resolve(part.$ref)] : []
    for (const keyword of SAME_INSTANCE_APPLICATORS) {
      const value = part[keyword]
      if (value === undefined) continue
      if (Array.isArray(value)) next.push(...value)
      else if (keyword === 'dependentSchemas' && isObject(value)) next.push(...Object.values(value))
      else next.push(value)
    }
    for (const one of next) if (isObject(one)) parts.add(one)
  }
  return parts
}
