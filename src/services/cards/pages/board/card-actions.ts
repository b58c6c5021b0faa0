import type { Transaction } from '../../../../kernel/database/transaction.ts'
import { requiredId, requiredText, textValue } from '../../api/values.ts'
import type { CardContext } from '../../context.ts'
import { ObjectUnknown, ValueInvalid } from '../../contract.ts'
import { addCard } from '../../store/add-card.ts'
import {
  type BoardMove,
  moveOnBoard,
  removeOnBoard,
  type ShownCard
} from '../../store/board-moves.ts'
import type { Editor } from '../../store/editor.ts'
import { createEditor } from '../../store/editor.ts'
import { findBoard, findList } from '../../store/find.ts'
import type { BoardRow } from '../../store/rows.ts'
import type { Undo } from '../../store/undo.ts'
import { undoChange } from '../../store/undo-change.ts'
import type { Action, ActionOutcome, ActionRequest } from '../actions/action.ts'
import { boardPath, requireLink } from '../read-pages.ts'
import { memberBoardPage, undoText } from './member-board.ts'
import { filterQuery, readFilter } from './view-query.ts'

const BASE = '/b/:board/-'
const SIMPLE_MOVES = ['top', 'up', 'down', 'archive', 'board', 'published', 'draft'] as const

type ActionInput = ActionRequest['input']

/** Errors are shown above the board as it is now. */
const showAgain: NonNullable<Action['showAgain']> = async (context, request, error) => {
  const board = await context.store.read(() =>
    findBoard(request.viewer, request.params.board ?? '')
  )
  const query = viewOf(request)
  const { message, statusCode: status = 500 } = error
  return memberBoardPage(context, { ...request, query }, board, { message, status })
}

export const cardActions: readonly Action[] = [
  { path: `${BASE}/cards/move`, handle: handleMove, showAgain },
  { path: `${BASE}/cards/delete`, handle: handleRemoval, showAgain },
  { path: `${BASE}/cards`, handle: handleNewCard },
  { path: `${BASE}/undo`, handle: handleUndo, showAgain }
]

/** The query of the page that sent the form. */
function viewOf({ input }: ActionRequest): URLSearchParams {
  return new URLSearchParams(textValue(input, 'view', { max: 1000 }) ?? '')
}

interface Changed {
  readonly board: BoardRow
  /** Id of the card to be shown; undefined if it was deleted. */
  readonly card?: string
  readonly data: object
}

async function change(
  context: CardContext,
  request: ActionRequest,
  write: (board: BoardRow, editor: Editor) => Transaction<Omit<Changed, 'board'>>
): Promise<ActionOutcome> {
  const { viewer, params } = request
  const link = requireLink(params.board)
  const { board, card, data } = await context.store.change(function* (time): Transaction<Changed> {
    const found = yield* findBoard(viewer, link)
    return { board: found, ...(yield* write(found, createEditor(context, viewer, time))) }
  })
  const fragment = card === undefined ? '' : `#card-${card}`
  const query = filterQuery(readFilter(viewOf(request)))
  return { redirect: boardPath(board) + query + fragment, data }
}

function undoData(undo: Undo | undefined): object {
  return undo === undefined ? {} : { undo: { id: undo.id, text: undoText(undo.about) } }
}

function handleMove(context: CardContext, request: ActionRequest): Promise<ActionOutcome> {
  const move = readMove(request.input)
  return change(context, request, function* (board, editor) {
    const { card, undo } = yield* moveOnBoard(shownCard(board, request), move, editor)
    const { id, list, revision } = card
    return { card: id, data: { card: { id, list, revision }, ...undoData(undo) } }
  })
}

function shownCard({ id }: BoardRow, { input }: ActionRequest): ShownCard {
  const revision = Number(requiredText(input, 'revision'))
  if (!Number.isSafeInteger(revision)) throw new ValueInvalid('revision')
  return { board: id, card: requiredId(input, 'card'), revision }
}

function readMove(input: ActionInput): BoardMove {
  const to = requiredText(input, 'to')
  const simple = SIMPLE_MOVES.find((one) => one === to)
  if (simple !== undefined) return { to: simple }
  if (to !== 'list') throw new ValueInvalid('to')
  const beside = (name: 'before' | 'after') =>
    (textValue(input, name) ?? '') === '' ? {} : { [name]: requiredId(input, name) }
  return { to, list: requiredId(input, 'list'), ...beside('before'), ...beside('after') }
}

function handleRemoval(context: CardContext, request: ActionRequest): Promise<ActionOutcome> {
  return change(context, request, function* (board, editor) {
    const undo = yield* removeOnBoard(shownCard(board, request), editor)
    return { data: undoData(undo) }
  })
}

function handleNewCard(context: CardContext, request: ActionRequest): Promise<ActionOutcome> {
  const list = requiredId(request.input, 'list')
  const name = requiredText(request.input, 'name').trim()
  return change(context, request, function* (board, editor) {
    if ((yield* findList(editor.viewer, list)).board !== board.id) throw new ObjectUnknown()
    const card = yield* addCard(
      {
        ...{ list, name, columns: {}, pos: undefined, labels: [], members: [] },
        ...{ cover: undefined, attachment: undefined, source: undefined }
      },
      editor
    )
    return { card: card.id, data: { card: { id: card.id, list } } }
  })
}

function handleUndo(context: CardContext, request: ActionRequest): Promise<ActionOutcome> {
  const id = requiredId(request.input, 'undo')
  return change(context, request, function* (board, editor) {
    const card = yield* undoChange(board.id, id, editor)
    return { card, data: { card: { id: card } } }
  })
}
