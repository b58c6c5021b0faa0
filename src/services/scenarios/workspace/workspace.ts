import type { WorkspaceRow } from '../store/workspaces.ts'
import type { Rule } from './rules.ts'

export interface WorkspaceOptions {
  /** Writes are checked: unknown ids are 404, people need an address and a name. */
  readonly strict: boolean
  /** Wrong passwords that lock an account; 0 never does. */
  readonly lockout: number
  /** Where the clock stood when the workspace was made. */
  readonly now?: string
}

export const DEFAULT_OPTIONS: WorkspaceOptions = { strict: false, lockout: 5 }

/** A world of its own over the samples. */
export interface Workspace {
  readonly id: string
  readonly row: WorkspaceRow
  readonly options: WorkspaceOptions
  readonly rules: readonly Rule[]
}

/** Milliseconds by the workspace's clock. */
export function clockOf({ frozen, shift }: Pick<WorkspaceRow, 'frozen' | 'shift'>, now: Date) {
  return frozen ?? now.getTime() + shift
}
