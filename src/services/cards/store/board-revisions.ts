import { placeholders } from '../../../kernel/database/groups.ts'
import { query, type Transaction } from '../../../kernel/database/transaction.ts'

export interface BoardRevisions {
  id: string
  revision: number
  public_revision: number
  /** 1 if its published cards can be read without a token. */
  is_public: number
}

/** Of these boards, as far as they exist; without a check of who may see them. */
export function readRevisions(boards: readonly string[]): Transaction<readonly BoardRevisions[]> {
  return query<BoardRevisions>(
    `select id, revision, public_revision,
       case when permission = 'public' and closed = 0 then 1 else 0 end as is_public
     from boards where id in (${placeholders(boards.length)})`,
    ...boards
  )
}
