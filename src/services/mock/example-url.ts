import type { Operation, Parameter } from './model/api.ts'
import type { ServedApi } from './served-api.ts'

/** Path and query of an example request that the mock accepts. */
export function exampleUrl(served: ServedApi, operation: Operation, prefix: string): string {
  const documented = operation.path.startsWith('/') ? operation.path : `/${operation.path}`
  const path = documented.replace(/\{([^}]*)\}/g, (_, name: string) => {
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name)
    return encode(textOf(parameter && exampleOf(served, parameter)))
  })
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => pair(parameter, exampleOf(served, parameter)))
  return `${prefix}${path}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function exampleOf({ generator }: ServedApi, parameter: Parameter): unknown {
  const [example] = parameter.examples
  if (example?.value !== undefined) return example.value
  const pointer = parameter.schema ?? parameter.content?.schema
  if (pointer === undefined) return undefined
  const generated = generator.sampleValue(`#${pointer}`)
  return generated.ok ? generated.value : undefined
}

function pair({ name, content, explode, style }: Parameter, value: unknown): string {
  const key = encode(name)
  if (content !== undefined) return `${key}=${encode(`${JSON.stringify(value)}`)}`
  if (style === 'deepObject' && typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([member, inner]) => `${key}[${encode(member)}]=${encode(textOf(inner))}`)
      .join('&')
  }
  if (Array.isArray(value) && explode) {
    return value.map((item) => `${key}=${encode(textOf(item))}`).join('&')
  }
  return `${key}=${encode(textOf(value))}`
}

/** Strings of a document may contain half a surrogate pair, which cannot be encoded. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return 'string'
  if (Array.isArray(value)) return value.map(textOf).join(',')
  return typeof value === 'object'
    ? Object.entries(value).flat().map(textOf).join(',')
    : String(value)
}
