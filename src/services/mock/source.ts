import { toAddress } from './document/read-text.ts'

/** One document the operator named. */
export interface Source {
  /** As typed, for messages. */
  text: string
  address: URL
  /** Served below `/name`. */
  name: string | undefined
}

/** `openapi.yaml`, `https://…`, or `pets=openapi.yaml`. */
export function parseSource(text: string): Source {
  const [, name, rest] = /^([A-Za-z0-9_-]+)=(.+)$/s.exec(text) ?? []
  return name === undefined || rest === undefined
    ? { text, address: toAddress(text), name: undefined }
    : { text, address: toAddress(rest), name }
}
