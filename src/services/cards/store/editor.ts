import type { Viewer } from '../records/viewer.ts'

/** The member who changes something, with what a transaction needs for new rows. */
export interface Editor {
  readonly viewer: Viewer & { kind: 'member' }
  readonly time: string
  readonly nextId: () => string
  readonly nextSortKey: () => string
  readonly maxCards: number
  readonly maxAttachments: number
}
