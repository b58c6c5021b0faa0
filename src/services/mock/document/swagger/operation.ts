import { isObject, type Json, type JsonObject, mapMembers, memberOf, without } from '../json.ts'
import { findAt, parseFragment, parsePointer } from '../pointer.ts'
import { bodyOf } from './body.ts'
import { convertParameter, isBodyParameter } from './parameter.ts'
import { convertResponse } from './response.ts'

export interface Defaults {
  consumes: readonly Json[]
  produces: readonly Json[]
  /** The whole document, for shared parameters and responses. */
  shared: JsonObject
}

export function convertOperation(
  operation: JsonObject,
  pathParameters: readonly Json[],
  defaults: Defaults
): JsonObject {
  const { parameters, responses, consumes, produces, ...others } = operation
  const rest = without(others, 'schemes')
  const types = {
    // An empty array in the operation overrides the default: it has no media types.
    consumes: Array.isArray(consumes) ? consumes : defaults.consumes,
    produces: Array.isArray(produces) ? produces : defaults.produces
  }
  const all = mergeParameters(pathParameters, Array.isArray(parameters) ? parameters : [], defaults)
  const inBody = all.map(({ resolved }) => resolved).filter(isBodyParameter)
  const elsewhere = all.filter(({ resolved }) => !isBodyParameter(resolved))
  const requestBody = bodyOf(inBody, types.consumes)
  return {
    ...rest,
    ...(rest['x-deprecated'] === true ? { deprecated: true } : {}),
    parameters: elsewhere.map(({ given }) => convertParameter(given)),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: isObject(responses)
      ? mapMembers(responses, (response, code) =>
          code.startsWith('x-')
            ? response
            : convertResponse(resolve(response, defaults.shared), types.produces)
        )
      : {}
  }
}

interface Parameter {
  given: JsonObject
  resolved: JsonObject
}

/** Parameters of the operation take precedence over those of the path, by location and name. */
function mergeParameters(
  ofPath: readonly Json[],
  own: readonly Json[],
  { shared }: Defaults
): Parameter[] {
  const merged = new Map<string, Parameter>()
  for (const given of [...ofPath, ...own]) {
    if (!isObject(given)) continue
    const resolved = resolve(given, shared)
    merged.set(`${resolved.in} ${resolved.name}`, { given, resolved })
  }
  return [...merged.values()]
}

function resolve(node: Json, shared: JsonObject): JsonObject {
  let current: Json | undefined = node
  // A longer chain of references is circular.
  for (let hops = 0; hops < 20 && isObject(current); hops++) {
    const reference = memberOf(current, '$ref')
    if (typeof reference !== 'string') return current
    current = findAt(shared, parsePointer(parseFragment(reference.slice(1))))
  }
  return {}
}
