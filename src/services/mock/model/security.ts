import { isObject, type Json, type JsonObject, objectAt, stringAt } from '../document/json.ts'
import { formatPointer } from '../document/pointer.ts'
import type { SecurityRequirement, SecurityScheme } from './api.ts'
import type { Resolve } from './resolve.ts'

export interface Security {
  requirements: (given: Json | undefined) => SecurityRequirement[]
}

export function createSecurity(document: JsonObject, resolve: Resolve): Security {
  const schemes = objectAt(objectAt(document, 'components'), 'securitySchemes')

  /** An undefined scheme is kept with type `unknown`, so that it is reported. */
  function find(key: string): SecurityScheme {
    const location = formatPointer(['components', 'securitySchemes', key])
    const given = Object.hasOwn(schemes, key) ? schemes[key] : undefined
    const node = resolve(given, location)?.node
    return {
      key,
      type: stringAt(node, 'type') ?? 'unknown',
      scheme: stringAt(node, 'scheme')?.toLowerCase(),
      name: stringAt(node, 'name'),
      in: stringAt(node, 'in')
    }
  }

  return {
    requirements(given) {
      if (!Array.isArray(given)) return []
      return given.filter(isObject).map((requirement) => Object.keys(requirement).map(find))
    }
  }
}
