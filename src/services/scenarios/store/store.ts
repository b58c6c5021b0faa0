import type { Database } from '../../../kernel/database/database.ts'
import { counterStore } from './counters.ts'
import { eventStore } from './events.ts'
import { idempotencyStore } from './idempotency.ts'
import { journalStore } from './journal.ts'
import { keyStore } from './keys.ts'
import { recordStore, type WorkspaceLimits } from './records.ts'
import { sessionStore } from './sessions.ts'
import { uploadStore } from './uploads.ts'
import { workspaceStore } from './workspaces.ts'

/** All database access of this service; `notify` is called after each stored change. */
export function scenarioStore(
  database: Database,
  limits: WorkspaceLimits & { readonly maxStoredUploads: number },
  notify: (ws: string) => void
) {
  const records = recordStore(database, limits)
  return {
    ...workspaceStore(database),
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
    ...journalStore(database),
    ...keyStore(database),
    ...uploadStore(database, limits)
  }
}

export type ScenarioStore = ReturnType<typeof scenarioStore>
