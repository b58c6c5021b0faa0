import type { Api } from '../model/api.ts'

/** `both`: with and without the path of the servers; a path: there and nowhere else. */
export type BasePath = 'both' | 'off' | 'only' | `/${string}`

export interface Mount {
  api: Api
  /** What messages call the document. */
  label: string
  /** Served below `/name`. */
  name?: string | undefined
}
