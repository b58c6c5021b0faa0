import type { Database } from '../../../kernel/database/database.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'
import type { WorkspaceRow } from './workspaces.ts'

const BY_PUPIL = 'select * from workspace where pupil = ?'
const BY_TAG = 'select * from workspace where tag = ?'
const RENAME = 'update workspace set name = ? where id = ? returning id'
const AFTER = 'select id, rules from workspace where tag is not null and id > ? order by id limit ?'
const ONE = 'select id, rules from workspace where id = ?'
const SET_RULES = 'update workspace set rules = ?, rules_revision = rules_revision + 1 where id = ?'

const LIST_PUPILS = 'select * from workspace where tag is not null order by used desc, id limit ?'
const LIST_OTHERS = 'select * from workspace where tag is null order by used desc, id limit ?'
const COUNT = 'select count(*) as workspaces, count(tag) as pupils from workspace'

/** Number of workspaces per transaction, so that other requests do not wait long. */
const GROUP = 50

/** Changes the rules of a workspace, which are JSON; the same string means no change. */
export type ChangeRules = (rules: string) => string

interface Rules {
  readonly id: string
  readonly rules: string
}

function* applyChange(rows: readonly Rules[], change: ChangeRules): Transaction<void> {
  for (const { id, rules } of rows) {
    const changed = change(rules)
    if (changed !== rules) yield* query(SET_RULES, changed, id)
  }
}

/** Workspaces of pupils; `forget` is called for each one whose row was changed. */
export function pupilStore(database: Database, forget: (id: string) => void) {
  const find = async (sql: string, value: string | Uint8Array) => {
    const [row] = await database.read(() => queryAutocommit<WorkspaceRow>(sql, value))
    return row
  }

  async function changeSome(select: () => Transaction<readonly Rules[]>, change: ChangeRules) {
    const rows = await database.write(function* () {
      const found = yield* select()
      yield* applyChange(found, change)
      return found
    })
    for (const { id } of rows) forget(id)
    return rows
  }

  const list = (sql: string, limit: number) =>
    database.read(() => queryAutocommit<WorkspaceRow>(sql, limit))

  return {
    /** The most recently used first. */
    listPupils: (limit: number) => list(LIST_PUPILS, limit),

    /** Workspaces without a pupil, the most recently used first. */
    listOthers: (limit: number) => list(LIST_OTHERS, limit),

    async countWorkspaces(): Promise<{ workspaces: number; pupils: number }> {
      const [counts] = await database.read(() =>
        queryAutocommit<{ workspaces: number; pupils: number }>(COUNT)
      )
      return counts ?? { workspaces: 0, pupils: 0 }
    },

    findPupil: (pupil: Uint8Array) => find(BY_PUPIL, pupil),

    findByTag: (tag: string) => find(BY_TAG, tag),

    async renamePupil(id: string, name: string): Promise<boolean> {
      const rows = await database.write(() => queryAutocommit(RENAME, name, id))
      forget(id)
      return rows.length > 0
    },

    changeRulesOf: (id: string, change: ChangeRules): Promise<unknown> =>
      changeSome(() => query<Rules>(ONE, id), change),

    async changeRulesOfPupils(change: ChangeRules): Promise<void> {
      let last = ''
      for (;;) {
        const rows = await changeSome(() => query<Rules>(AFTER, last, GROUP), change)
        last = rows.at(-1)?.id ?? ''
        if (rows.length < GROUP) return
      }
    }
  }
}
