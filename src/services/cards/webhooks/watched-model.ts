import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { selectFields } from '../api/values.ts'
import { BOARD_FIELDS, presentBoard } from '../present/board.ts'
import { presentCard } from '../present/card.ts'
import { LIST_FIELDS, presentList } from '../present/list.ts'
import { MEMBER_SUMMARY, presentMember } from '../present/member.ts'
import { readMember } from '../store/members.ts'
import { EVERYTHING_OF_CARDS, readCards } from '../store/read-cards.ts'
import type { BoardRow, ListRow, WebhookRow } from '../store/rows.ts'

/** What the webhook watches, as the API sends it to its member; undefined if it is deleted. */
export function* presentWatched(
  webhook: WebhookRow
): Transaction<Record<string, unknown> | undefined> {
  const { model, model_type: type, base_url: baseUrl, member } = webhook
  const view = { baseUrl, isPublished: false }
  switch (type) {
    case 'board': {
      const [board] = yield* query<BoardRow>('select * from boards where id = ?', model)
      return board && selectFields(presentBoard(board, view), undefined, BOARD_FIELDS)
    }
    case 'list': {
      const [list] = yield* query<ListRow>('select * from lists where id = ?', model)
      return list && selectFields(presentList(list), undefined, LIST_FIELDS)
    }
    case 'card': {
      const viewer = { ...READER, member, tokenId: webhook.token }
      const [parts] = yield* readCards(viewer, { cards: [model] }, EVERYTHING_OF_CARDS)
      return parts && presentCard(parts, view)
    }
    case 'member': {
      const row = yield* readMember(model)
      return row && selectFields(presentMember(row, baseUrl), undefined, MEMBER_SUMMARY)
    }
  }
}

/** All boards of a member: the delivery checks what the token sees. */
const READER = {
  kind: 'member',
  boards: undefined,
  canWrite: false,
  canAdminister: false
} as const
