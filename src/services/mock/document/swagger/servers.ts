import { type JsonObject, listAt, textAt } from '../json.ts'

/** One per scheme; a document that names no host still has its base path. */
export function serversOf(document: JsonObject): JsonObject[] {
  const host = textAt(document, 'host')
  const basePath = (textAt(document, 'basePath') ?? '').replace(/\/+$/, '')
  const schemes = listAt(document, 'schemes')
  if (host !== undefined && schemes.length > 0) {
    return schemes.map((scheme) => ({ url: `${scheme}://${host}${basePath}` }))
  }
  return basePath === '' ? [] : [{ url: basePath }]
}
