import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { newShortLink } from '../records/short-link.ts'

/** A short link that no object of the table has. */
export function* freeShortLink(table: 'boards' | 'cards'): Transaction<string> {
  for (;;) {
    const link = newShortLink()
    const found = yield* query(`select 1 as found from ${table} where short_link = ?`, link)
    if (found.length === 0) return link
  }
}
