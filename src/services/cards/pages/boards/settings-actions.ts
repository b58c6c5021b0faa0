import { booleanValue, choiceValue, requiredText, textValue } from '../../api/values.ts'
import { readBoardSettings } from '../../content/write-input.ts'
import { ObjectUnknown } from '../../contract.ts'
import { createPreviewToken } from '../../http/preview-token.ts'
import { BOARD_BINDING } from '../../records/bindings.ts'
import { changeBoard } from '../../store/boards.ts'
import { changeContentBoard } from '../../store/change-content.ts'
import { findBoard } from '../../store/find.ts'
import { removeBoard } from '../../store/remove-board.ts'
import type { BoardRow } from '../../store/rows.ts'
import type { Action, ActionRequest } from '../actions/action.ts'
import { requireLink } from '../read-pages.ts'
import { previewPage } from './confirm-pages.ts'
import { keyPage, listKeys } from './keys.ts'
import { settingsPage } from './settings-page.ts'

const CONTENT_SETTINGS = ['timeZone', 'slug', 'completedField', 'urlField']
const MAX_KEY_NAME = 100
const DAY_S = 24 * 3600
const DAYS = ['1', '7', '30'] as const

export function linkOf({ params }: ActionRequest): string {
  return requireLink(params.board)
}

export function settingsPath(request: ActionRequest, part: string): string {
  return `/b/${linkOf(request)}/-/settings#${part}`
}

/** Shows the settings again, with what was typed into the form of the board. */
const showAgain: NonNullable<Action['showAgain']> = (context, request, error) => {
  const typed: Record<string, string> = {}
  for (const [name, value] of request.input.values) {
    if (typeof value === 'string') typed[name] = value
  }
  const { message, statusCode = 400 } = error
  return settingsPage(context, request, { message, status: statusCode, typed })
}

/** Visibility as the form sends it; boards of a workspace stay so if it is not changed. */
function permissionOf(board: BoardRow, sent: 'private' | 'public' | undefined) {
  const isSame = sent === undefined || (sent === 'public') === (board.permission === 'public')
  return isSame ? board.permission : sent
}

export const settingsActions: readonly Action[] = [
  {
    path: '/b/:board/-/settings',
    showAgain,
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const name = input.values.has('name') ? requiredText(input, 'name').trim() : undefined
      const description = textValue(input, 'description')?.replaceAll('\r\n', '\n')
      const visibility = choiceValue(input, 'visibility', ['private', 'public'])
      const sent = [...input.values].filter(([key]) => CONTENT_SETTINGS.includes(key))
      const settings = readBoardSettings({ values: new Map(sent), files: new Map() })
      await store.change(function* (time) {
        const board = yield* findBoard(viewer, linkOf(request))
        const change = { name, description, permission: permissionOf(board, visibility) }
        yield* changeBoard(board, change, { member: viewer.member, actionId: nextId(), time })
        yield* changeContentBoard(viewer, board.id, settings, time)
      })
      return { redirect: settingsPath(request, 'board') }
    }
  },
  {
    path: '/b/:board/-/archive',
    async handle({ store, nextId }, request) {
      const { viewer, input } = request
      const closed = booleanValue(input, 'closed') ?? true
      await store.change(function* (time) {
        const board = yield* findBoard(viewer, linkOf(request))
        const author = { member: viewer.member, actionId: nextId(), time }
        yield* changeBoard(board, { closed }, author)
      })
      return { redirect: closed ? '/' : `/b/${linkOf(request)}` }
    }
  },
  {
    path: '/b/:board/-/delete',
    needs: 'admin',
    async handle(context, request) {
      const { viewer } = request
      const id = await context.store.change(
        function* () {
          const board = yield* findBoard(viewer, linkOf(request))
          yield* removeBoard(board.id)
          return board.id
        },
        { frees: true }
      )
      for (const key of await listKeys(context, id)) await context.kernel.credentials.revoke(key.id)
      return { redirect: '/' }
    }
  },
  {
    path: '/b/:board/-/keys',
    needs: 'admin',
    showAgain,
    async handle(context, request) {
      const name = requiredText(request.input, 'name', { max: MAX_KEY_NAME }).trim()
      const board = await context.store.read(() => findBoard(request.viewer, linkOf(request)))
      const bindings = [BOARD_BINDING + board.id]
      const { credentials } = context.kernel
      const { secret, token } = await credentials.create({ name, scopes: ['published'], bindings })
      const page = keyPage(context, request, board, secret)
      return { page, data: { key: secret, id: token.id } }
    }
  },
  {
    path: '/b/:board/-/keys/:key/revoke',
    needs: 'admin',
    async handle(context, request) {
      const board = await context.store.read(() => findBoard(request.viewer, linkOf(request)))
      const keys = await listKeys(context, board.id)
      const key = keys.find(({ id }) => id === request.params.key)
      if (key === undefined) throw new ObjectUnknown()
      await context.kernel.credentials.revoke(key.id)
      return { redirect: settingsPath(request, 'keys') }
    }
  },
  {
    path: '/b/:board/-/preview',
    async handle(context, request) {
      const days = choiceValue(request.input, 'days', DAYS) ?? '1'
      const board = await context.store.read(() => findBoard(request.viewer, linkOf(request)))
      const now = Math.floor(context.kernel.now().getTime() / 1000)
      const expiresAt = now + Number(days) * DAY_S
      const preview = { board: board.id, card: undefined, expiresAt }
      const token = await createPreviewToken(context, preview)
      const page = previewPage(context, request, board, { token, expiresAt })
      return { page, data: { token, expiresAt } }
    }
  }
]
