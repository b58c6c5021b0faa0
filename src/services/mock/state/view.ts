import type { Json, JsonObject } from '../document/json.ts'

/** Actions on a collection, derived from the operations of the document. */
export type Action = 'list' | 'create' | 'read' | 'replace' | 'patch' | 'remove'

/** One collection as pages and JSON show it. */
export interface CollectionView {
  /** The path template, such as `/users/{userId}/todos`. */
  path: string
  /** The document that contains the collection, as named by the operator. */
  document: string
  actions: readonly Action[]
  /** The property that contains the id; null if records do not have one. */
  id: string | null
  /** Paths with records: one, or one below each parent with records. */
  places: readonly ScopeView[]
}

export interface ScopeView {
  /** Path with parameter values, such as `/users/1/todos`. */
  path: string
  records: number
}

export interface SessionView {
  /** Empty for requests without a session. */
  session: string
  /** Number of stored rows; unchanged seed records are not counted. */
  records: number
  bytes: number
  usedAt: Date
}

export interface StoredRecord {
  id: string
  /** Path of the record, and of its collection, with parameter values. */
  path: string
  list: string
  record: JsonObject
  /** Identifies the content. */
  version: string
}

export interface EditOptions {
  session: string
  /** Whether a record that violates the document is rejected. */
  checks: boolean
}

/** Changes of records by the operator; an error of the admin pages is thrown if one is impossible. */
export interface RecordEditor {
  /** Undefined if the path is that of a record. */
  list: (path: string, session: string) => Promise<StoredRecord[] | undefined>
  find: (path: string, session: string) => Promise<StoredRecord>
  add: (path: string, record: JsonObject, options: EditOptions) => Promise<StoredRecord>
  /** `version` is that of the record which was edited; undefined for any. */
  save: (
    path: string,
    record: JsonObject,
    options: EditOptions & { version: string | undefined }
  ) => Promise<StoredRecord>
  /** Removes a record and those below it; returns the path of its collection. */
  remove: (path: string, session: string) => Promise<string>
}

/** Access to the state for the admin pages; each call reads the current data. */
export interface StateView {
  collections: (session?: string) => Promise<CollectionView[]>
  /** Sessions with stored data. */
  sessions: () => Promise<SessionView[]>
  /** All records at a path with parameter values; undefined if no collection is there. */
  records: (path: string, session?: string) => Promise<JsonObject[] | undefined>
  /**
   * A value of a collection, for `$state.<collection>#<pointer>`: `todos` is the array of all
   * records, `todos/5` one of them, and the leading slash is optional.
   */
  readState: (
    session: string | undefined,
    collection: string,
    pointer: string
  ) => Promise<Json | undefined>
  editor: RecordEditor
  /** Resets one session, or all sessions, to the seed data. */
  reset: (session?: string) => Promise<void>
}
