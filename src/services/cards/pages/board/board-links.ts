import type { BoardRow } from '../../store/rows.ts'

/** Paths of a board below the root, besides its page. */
export function boardLinks({ short_link: link }: Pick<BoardRow, 'short_link'>) {
  const base = `/b/${link}/-`
  return {
    move: `${base}/cards/move`,
    remove: `${base}/cards/delete`,
    confirm: (card: string) => `${base}/cards/${card}/delete`,
    add: `${base}/cards`,
    newCard: `${base}/new`,
    settings: `${base}/settings`,
    moveList: (list: string) => `${base}/lists/${list}/move`,
    undo: `${base}/undo`,
    events: `${base}/events`
  }
}
