import type { Database } from '../../../kernel/database/database.ts'
import { counterStore } from './counters.ts'
import { eventStore } from './events.ts'
import { idempotencyStore } from './idempotency.ts'
import { journalStore } from './journal.ts'
import { keyStore } from './keys.ts'
import { pupilStore } from './pupils.ts'
import { recordStore, type WorkspaceLimits } from './records.ts'
import { sessionStore } from './sessions.ts'
import { uploadStore } from './uploads.ts'
import { workspaceStore } from './workspaces.ts'

/** Key of the notifications of changes in any workspace; no name of a workspace has a space. */
export const ALL_WORKSPACES = 'all workspaces'

/**
 * All database access of this service. `notify` is called after each stored change with the name of
 * the workspace, and with `ALL_WORKSPACES` after what the list of workspaces shows has changed.
 */
export function scenarioStore(
  database: Database,
  limits: WorkspaceLimits & { readonly maxStoredUploads: number },
  notify: (ws: string) => void
) {
  const records = recordStore(database, limits)
  const workspaces = workspaceStore(database)
  const journal = journalStore(database)
  const pupils = pupilStore(database, workspaces.forgetWorkspace)

  /** The same function, after whose success the lists of workspaces are out of date. */
  function announced<Args extends unknown[], Result>(
    write: (...args: Args) => Promise<Result>
  ): (...args: Args) => Promise<Result> {
    return async (...args) => {
      const result = await write(...args)
      notify(ALL_WORKSPACES)
      return result
    }
  }

  return {
    ...workspaces,
    addWorkspace: announced(workspaces.addWorkspace),
    setRules: announced(workspaces.setRules),
    resetWorkspace: announced(workspaces.resetWorkspace),
    removeWorkspace: announced(workspaces.removeWorkspace),

    ...pupils,
    renamePupil: announced(pupils.renamePupil),
    changeRulesOf: announced(pupils.changeRulesOf),
    changeRulesOfPupils: announced(pupils.changeRulesOfPupils),

    ...records,

    async insertRecord(...args: Parameters<typeof records.insertRecord>) {
      const stored = await records.insertRecord(...args)
      notify(args[0].ws)
      return stored
    },

    async changeRecord(...args: Parameters<typeof records.changeRecord>) {
      const stored = await records.changeRecord(...args)
      if (stored !== undefined) notify(args[0].ws)
      return stored
    },

    ...counterStore(database),
    ...sessionStore(database),
    ...idempotencyStore(database, limits.maxWorkspaceBytes),
    ...eventStore(database),
    ...journal,
    addToJournal: announced(journal.addToJournal),
    ...keyStore(database),
    ...uploadStore(database, limits)
  }
}

export type ScenarioStore = ReturnType<typeof scenarioStore>
