import type { Transaction } from '../../../../kernel/database/transaction.ts'
import { colorValue } from '../../api/board-values.ts'
import { textValue } from '../../api/values.ts'
import { ObjectUnknown } from '../../contract.ts'
import { findBoard, findLabel } from '../../store/find.ts'
import { addLabel, changeLabel, removeLabel } from '../../store/labels.ts'
import type { BoardRow, LabelRow } from '../../store/rows.ts'
import type { Action, ActionRequest } from '../actions/action.ts'
import { linkOf, settingsPath } from './settings-actions.ts'

const MAX_NAME = 1024

function* findBoth(request: ActionRequest): Transaction<{ board: BoardRow; label: LabelRow }> {
  const board = yield* findBoard(request.viewer, linkOf(request))
  const label = yield* findLabel(request.viewer, request.params.label ?? '')
  if (label.board !== board.id) throw new ObjectUnknown()
  return { board, label }
}

export const labelActions: readonly Action[] = [
  {
    path: '/b/:board/-/labels',
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const name = (textValue(input, 'name', { max: MAX_NAME }) ?? '').trim()
      const color = colorValue(input) ?? null
      const label = await store.change(function* (time) {
        const board = yield* findBoard(viewer, linkOf(request))
        const author = { member: viewer.member, actionId: nextId(), time }
        return yield* addLabel(board, { id: nextId(), name, color }, author)
      })
      const { id } = label
      return { redirect: settingsPath(request, 'labels'), data: { id, name, color } }
    }
  },
  {
    path: '/b/:board/-/labels/:label',
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const name = textValue(input, 'name', { max: MAX_NAME })?.trim()
      const color = colorValue(input)
      await store.change(function* (time) {
        const { board, label } = yield* findBoth(request)
        const author = { member: viewer.member, actionId: nextId(), time }
        yield* changeLabel(board, label, { name, color }, author)
      })
      return { redirect: settingsPath(request, 'labels') }
    }
  },
  {
    path: '/b/:board/-/labels/:label/delete',
    async handle({ store, nextId }, request) {
      await store.change(
        function* (time) {
          const { board, label } = yield* findBoth(request)
          const author = { member: request.viewer.member, actionId: nextId(), time }
          yield* removeLabel(board, label, author)
        },
        { frees: true }
      )
      return { redirect: settingsPath(request, 'labels') }
    }
  }
]
