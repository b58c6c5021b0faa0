import { toUrl } from './document/read-text.ts'

/** One document the operator named. */
export interface DocumentSource {
  /** As typed, for messages. */
  text: string
  url: URL
  /** Name of the document, which is then served under `/name`. */
  name: string | undefined
}

/** Parses `openapi.yaml`, `https://…` or `pets=openapi.yaml`. */
export function parseSource(text: string): DocumentSource {
  const [, name, rest] = /^([A-Za-z0-9_-]+)=(.+)$/s.exec(text) ?? []
  return name === undefined || rest === undefined
    ? { text, url: toUrl(text), name: undefined }
    : { text, url: toUrl(rest), name }
}
