import type { Viewer } from '../records/viewer.ts'

/** A page, or a path below the root that has it. */
export type PageOutcome = { html: string } | { redirect: string }

/** Segments of the path, decoded, and the path from the page to the root. */
export interface PageRequest {
  readonly viewer: Viewer
  readonly names: readonly string[]
  readonly root: string
}
