import type { StatusContext } from '../context.ts'
import type { Site } from '../pages/views.ts'
import type { ExportedAccount } from '../records/exported.ts'
import type { AccountCount } from '../store/browse.ts'

/** What all parts of a tree need. */
export interface TreeContext {
  context: StatusContext
  site: Site
  /** Accounts with public posts. */
  accounts: readonly TreeAccount[]
}

export interface TreeAccount extends AccountCount {
  exported: ExportedAccount
}
