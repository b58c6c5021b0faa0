import type { Json, JsonObject } from '../document/json.ts'

/** What can be done with a collection, by the operations that the document has. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove'

/** One collection as pages and JSON show it. */
export interface CollectionView {
  /** The template of its path, such as `/users/{userId}/todos`. */
  path: string
  /** The document it is in, as it was named. */
  document: string
  actions: readonly Action[]
  /** The property that holds the id; nothing when the record does not show it. */
  id: string | null
  /** Where records lie: one place, or one below each parent with records. */
  places: readonly ScopeView[]
}

export interface ScopeView {
  /** Without template, such as `/users/1/todos`. */
  path: string
  records: number
}

export interface SessionView {
  /** Empty for whoever names none. */
  session: string
  /** Records that were written; those of the seed are not counted. */
  records: number
  bytes: number
  usedAt: Date
}

/** The window into the state; what is shown is read anew at each call. */
export interface StateView {
  collections: (session?: string) => Promise<CollectionView[]>
  /** Sessions that have written something. */
  sessions: () => Promise<SessionView[]>
  /** All records at a path without template; nothing when no collection is there. */
  records: (path: string, session?: string) => Promise<JsonObject[] | undefined>
  /**
   * A value out of a collection, for `$state.<collection>#<pointer>`: `todos` is the list of all
   * records, `todos/5` one of them, and the slash in front may be left out.
   */
  readState: (
    session: string | undefined,
    collection: string,
    pointer: string
  ) => Promise<Json | undefined>
  /** Back to the seed: one session, or everything. */
  reset: (session?: string) => Promise<void>
}
