import type { Database } from '../../../kernel/database/database.ts'
import { groupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { query, queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

export const MAX_ENTRIES = 200

export interface Line {
  readonly ws: string
  /** JSON. */
  readonly entry: string
}

type Book = 'journal' | 'mail'

/** Numbers of rows per statement. */
const GROUP_SIZES = [50, 10, 1] as const

/** Sorted by workspace, so that adding and trimming touch few database pages. */
function* addLines(book: Book, notes: readonly Line[]): Transaction<void> {
  const lines = notes.toSorted((a, b) => (a.ws < b.ws ? -1 : Number(a.ws > b.ws)))
  for (const some of groupsOf(lines, GROUP_SIZES)) {
    const rows = placeholders(some.length, '(?, ?)')
    const args = some.flatMap(({ ws, entry }) => [ws, entry])
    yield* query(`insert into ${book} (ws, entry) values ${rows}`, ...args)
  }
}

const trim = (book: Book) =>
  `delete from ${book} where ws = ? and pk <= ` +
  `(select pk from ${book} where ws = ? order by pk desc limit 1 offset ${MAX_ENTRIES})`
const list = (book: Book) => `select pk, entry from ${book} where ws = ? order by pk desc limit ?`
const BEFORE = 'select pk, entry from journal where ws = ? and pk < ? order by pk desc limit ?'

export interface StoredLine {
  readonly pk: number
  /** JSON. */
  readonly entry: string
}

export function journalStore(database: Database) {
  const read = (book: Book, ws: string, limit = MAX_ENTRIES) =>
    database.read(() => queryAutocommit<StoredLine>(list(book), ws, limit))

  return {
    addToJournal: (lines: readonly Line[]): Promise<void> =>
      database.write(() => addLines('journal', lines)),

    trimJournal: async (ws: string): Promise<void> => {
      await database.write(() => queryAutocommit(trim('journal'), ws, ws), { frees: true })
    },

    /** Newest first. */
    readJournal: (ws: string, limit?: number) => read('journal', ws, limit),

    /** Newest first, only those with a smaller number. */
    readJournalBefore: (ws: string, pk: number, limit: number) =>
      database.read(() => queryAutocommit<StoredLine>(BEFORE, ws, pk, limit)),

    addMail: (ws: string, entry: string): Promise<void> =>
      database.write(function* () {
        yield* addLines('mail', [{ ws, entry }])
        yield* query(trim('mail'), ws, ws)
      }),

    readMail: (ws: string) => read('mail', ws)
  }
}
