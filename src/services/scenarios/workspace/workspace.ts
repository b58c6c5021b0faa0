import type { WorkspaceRow } from '../store/workspaces.ts'
import type { Rule } from './rules.ts'

export interface WorkspaceOptions {
  /** Writes are checked: unknown ids are 404, users require an email address and a name. */
  readonly strict: boolean
  /** Number of wrong passwords that lock an account; 0 disables locking. */
  readonly lockout: number
  /** Time at which the clock was stopped when the workspace was created. */
  readonly now?: string
}

export const DEFAULT_OPTIONS: WorkspaceOptions = { strict: false, lockout: 5 }

/** Separate changes to the samples, with their own options and rules. */
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
