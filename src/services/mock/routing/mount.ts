import type { Api } from '../model/api.ts'

/** `both`: with and without the server paths; `only`, `off`: one of these; a path: only there. */
export type BasePath = 'both' | 'off' | 'only' | `/${string}`

export interface Mount {
  api: Api
  /** Name of the document in messages. */
  label: string
  /** Name of the document, which is then served under `/name`. */
  name?: string | undefined
}
