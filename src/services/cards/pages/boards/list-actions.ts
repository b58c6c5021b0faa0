import type { Transaction } from '../../../../kernel/database/transaction.ts'
import { booleanValue, choiceValue, requiredText, textValue } from '../../api/values.ts'
import { ObjectUnknown, ValueInvalid } from '../../contract.ts'
import { changeListRole } from '../../store/change-content.ts'
import { findBoard, findList } from '../../store/find.ts'
import { addList, changeList } from '../../store/lists.ts'
import { type ListTarget, moveListOnBoard } from '../../store/move-list.ts'
import type { BoardRow, ListRow } from '../../store/rows.ts'
import type { Action, ActionRequest } from '../actions/action.ts'
import { linkOf, settingsPath } from './settings-actions.ts'

const ROLES = ['draft', 'published', 'archive'] as const

/** Both of the path, and the list on that board. */
function* findBoth(request: ActionRequest): Transaction<{ board: BoardRow; list: ListRow }> {
  const board = yield* findBoard(request.viewer, linkOf(request))
  const list = yield* findList(request.viewer, request.params.list ?? '')
  if (list.board !== board.id) throw new ObjectUnknown()
  return { board, list }
}

/** `to` is left, right or end; `before` the id of a list. */
function targetOf({ input }: ActionRequest): ListTarget {
  const before = textValue(input, 'before')
  if (before !== undefined && before !== '') return { before }
  const to = choiceValue(input, 'to', ['left', 'right', 'end'])
  if (to === undefined) throw new ValueInvalid('to')
  return to
}

export const listActions: readonly Action[] = [
  {
    path: '/b/:board/-/lists',
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const name = requiredText(input, 'name').trim()
      const role = choiceValue(input, 'role', ROLES)
      const list = await store.change(function* (time) {
        const board = yield* findBoard(viewer, linkOf(request))
        const author = { member: viewer.member, actionId: nextId(), time }
        const added = yield* addList(board, { id: nextId(), name, pos: 'bottom' }, author)
        if (role === undefined || role === added.role) return added
        yield* changeListRole(viewer, board.id, added.id, role, time)
        return { ...added, role }
      })
      const { id, role: stored } = list
      return { redirect: settingsPath(request, 'lists'), data: { id, name, role: stored } }
    }
  },
  {
    path: '/b/:board/-/lists/:list',
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const name = input.values.has('name') ? requiredText(input, 'name').trim() : undefined
      const role = choiceValue(input, 'role', ROLES)
      await store.change(function* (time) {
        const { board, list } = yield* findBoth(request)
        const author = { member: viewer.member, actionId: nextId(), time }
        yield* changeList(board, list, { name }, author)
        if (role !== undefined) yield* changeListRole(viewer, board.id, list.id, role, time)
      })
      return { redirect: settingsPath(request, 'lists') }
    }
  },
  {
    path: '/b/:board/-/lists/:list/move',
    async handle({ store, nextId }, request) {
      const { viewer } = request
      const target = targetOf(request)
      const lists = await store.change(function* (time) {
        const author = { member: viewer.member, actionId: nextId(), time }
        return yield* moveListOnBoard(viewer, { ...(yield* findBoth(request)), target }, author)
      })
      const redirect = settingsPath(request, 'lists')
      return { redirect, data: { lists: lists.map(({ id }) => id) } }
    }
  },
  {
    path: '/b/:board/-/lists/:list/archive',
    async handle({ store, nextId }, request) {
      const closed = booleanValue(request.input, 'closed') ?? true
      await store.change(function* (time) {
        const { board, list } = yield* findBoth(request)
        const author = { member: request.viewer.member, actionId: nextId(), time }
        yield* changeList(board, list, { closed }, author)
      })
      return { redirect: settingsPath(request, 'lists') }
    }
  }
]
