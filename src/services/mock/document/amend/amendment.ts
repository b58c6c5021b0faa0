import { toUrl } from '../read-text.ts'

/** One overlay or patch file that the operator wants to apply to a document. */
export interface Amendment {
  kind: 'overlay' | 'patch'
  /** The argument as typed, for messages. */
  text: string
  url: URL
  /** Name of the only document it applies to; undefined if it has no name. */
  name: string | undefined
}

const PATCH = 'patch:'

/** Parses a file or URL. `name=` before it restricts it to one document; `patch:` marks a patch. */
export function parseAmendment(text: string, kind: Amendment['kind'] = 'overlay'): Amendment {
  if (text.startsWith(PATCH)) return parseAmendment(text.slice(PATCH.length), 'patch')
  const [, name, rest] = /^([A-Za-z0-9_-]+)=(.+)$/s.exec(text) ?? []
  return { kind, text, url: toUrl(rest ?? text), name }
}

/** Patches among the overlays keep their position; other patches are applied last. */
export function amendmentsOf(overlays: readonly string[], patches: readonly string[]): Amendment[] {
  return [
    ...overlays.map((text) => parseAmendment(text)),
    ...patches.map((text) => parseAmendment(text, 'patch'))
  ]
}
