import { arrayAt, type JsonObject, stringAt } from '../json.ts'

/** One server per scheme; without a host or schemes only the base path. */
export function serversOf(document: JsonObject): JsonObject[] {
  const host = stringAt(document, 'host')
  const basePath = (stringAt(document, 'basePath') ?? '').replace(/\/+$/, '')
  const schemes = arrayAt(document, 'schemes')
  if (host !== undefined && schemes.length > 0) {
    return schemes.map((scheme) => ({ url: `${scheme}://${host}${basePath}` }))
  }
  return basePath === '' ? [] : [{ url: basePath }]
}
