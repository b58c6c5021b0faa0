import { choiceValue, requiredText, textValue } from '../../api/values.ts'
import { BoardLimitedToken, MemberUnknown, OperatorNeeded } from '../../contract.ts'
import { createEditor } from '../../store/editor.ts'
import { findMemberByName } from '../../store/members.ts'
import { addPortfolioBoard } from '../../store/new-board.ts'
import { removeSample } from '../../store/sample.ts'
import { operatorAccount } from '../access/page-access.ts'
import { openSession } from '../access/sign-in.ts'
import type { Action } from '../actions/action.ts'
import { boardPath } from '../read-pages.ts'
import { memberHomePage } from './member-home.ts'

const MAX_NAME = 200
const VISIBILITIES = ['private', 'public'] as const

/** Actions of the first page. */
export const homeActions: readonly Action[] = [
  {
    path: '/boards',
    async handle(context, { viewer, input }) {
      // The token would not see its new board.
      if (viewer.boards !== undefined) throw new BoardLimitedToken()
      const name = requiredText(input, 'name', { max: MAX_NAME }).trim()
      const permission = choiceValue(input, 'visibility', VISIBILITIES) ?? 'private'
      const board = await context.store.change((time) =>
        addPortfolioBoard({ name, permission }, createEditor(context, viewer, time))
      )
      const { id, short_link: shortLink } = board
      return { redirect: boardPath(board), data: { id, shortLink } }
    },
    async showAgain(context, request, { message, statusCode = 400 }) {
      const { values } = request.input
      const [name, visibility] = [values.get('name'), values.get('visibility')].map(String)
      const typed = { name: name ?? '', visibility: visibility ?? '' }
      return memberHomePage(context, request, { message, status: statusCode, ...typed })
    }
  },
  {
    path: '/remove-sample',
    async handle({ store }, { viewer }) {
      const removed = await store.change(() => removeSample(viewer), { frees: true })
      return { redirect: '/', data: { removed } }
    }
  },
  {
    path: '/member',
    needs: 'read',
    async handle(context, request) {
      const { signedIn, input } = request
      if (!signedIn.isOperator) throw new OperatorNeeded()
      const name = textValue(input, 'member') ?? ''
      const member = await context.store.read(() => findMemberByName(name))
      if (member === undefined) throw new MemberUnknown(name)
      const access = await context.pageAccess()
      await access.sessions.end(signedIn.session)
      access.streams.end(signedIn.session)
      const cookie = await openSession(access, request, operatorAccount(member.id))
      return { redirect: '/', cookie }
    }
  }
]
