import { toUrl } from '../read-text.ts'

/** One file the operator wants a document changed with. */
export interface Amendment {
  kind: 'overlay' | 'patch'
  /** As typed, for messages. */
  text: string
  url: URL
  /** Only for the document of this name. */
  name: string | undefined
}

const PATCH = 'patch:'

/** A file or an address, `name=` before it for one document alone; `patch:` tells a patch. */
export function parseAmendment(text: string, kind: Amendment['kind'] = 'overlay'): Amendment {
  if (text.startsWith(PATCH)) return parseAmendment(text.slice(PATCH.length), 'patch')
  const [, name, rest] = /^([A-Za-z0-9_-]+)=(.+)$/s.exec(text) ?? []
  return { kind, text, url: toUrl(rest ?? text), name }
}

/** Patches among overlays stand where they were given, other patches come last. */
export function amendmentsOf(overlays: readonly string[], patches: readonly string[]): Amendment[] {
  return [
    ...overlays.map((text) => parseAmendment(text)),
    ...patches.map((text) => parseAmendment(text, 'patch'))
  ]
}
