import type { Transaction } from '../../../kernel/database/transaction.ts'
import type { ApiHandler, ApiRequest } from '../context.ts'
import { ObjectUnknown } from '../contract.ts'
import { presentBoard } from '../present/board.ts'
import { presentMember } from '../present/member.ts'
import { presentOrganization } from '../present/organization.ts'
import { foldName } from '../records/member-name.ts'
import { workspaceOf } from '../records/workspace.ts'
import { listBoards } from '../store/boards.ts'
import { findBoard } from '../store/find.ts'
import { requireMember } from '../store/members.ts'
import type { BoardRow, MemberRow } from '../store/rows.ts'
import { fieldOf, memberOf, param, sent, viewOf } from './requests.ts'
import type { HandlerName } from './route-table.ts'
import { namesOf, selectFields } from './values.ts'

/** The member of the token, if the path names that one: `me`, its id or its user name. */
function* ownMember(request: ApiRequest, name: string): Transaction<MemberRow> {
  const member = yield* requireMember(memberOf(request).member)
  const isOwn = name.toLowerCase() === 'me' || isNameOf(member, name)
  if (!isOwn) throw new ObjectUnknown()
  return member
}

function isNameOf(member: MemberRow, name: string): boolean {
  return name.toLowerCase() === member.id || foldName(name) === member.folded_name
}

/** The workspace of the token's member, by its id, the user name or `me`. */
function* ownOrganization(request: ApiRequest): Transaction<MemberRow> {
  const name = param(request, 'organization')
  const member = yield* requireMember(memberOf(request).member)
  if (name.toLowerCase() === workspaceOf(member.id)) return member
  return yield* ownMember(request, name)
}

function* boardIds(request: ApiRequest): Transaction<string[]> {
  const boards = yield* listBoards(request.viewer, 'all')
  return boards.map(({ id }) => id)
}

/** Trello has filters such as `starred` and `members` too; a board here has one member. */
function filterOf(request: ApiRequest): 'all' | 'open' | 'closed' {
  const names = namesOf(sent(request, 'filter') ?? 'all') ?? ['all']
  if (names.includes('open')) return 'open'
  return names.includes('closed') ? 'closed' : 'all'
}

function* readBoards(request: ApiRequest): Transaction<Record<string, unknown>[]> {
  const boards: readonly BoardRow[] = yield* listBoards(request.viewer, filterOf(request))
  const fields = sent(request, 'fields')
  return boards.map((board) => selectFields(presentBoard(board, viewOf(request)), fields))
}

function* readMember(request: ApiRequest): Transaction<Record<string, unknown>> {
  const member = yield* ownMember(request, param(request, 'member'))
  return presentMember(member, request.baseUrl, yield* boardIds(request))
}

function* readOrganization(
  request: ApiRequest,
  member: MemberRow
): Transaction<Record<string, unknown>> {
  const object = presentOrganization(member, request.baseUrl, yield* boardIds(request))
  return selectFields(object, sent(request, 'fields'))
}

export const memberHandlers = {
  async member({ store }, request) {
    return store.read(function* () {
      const member = selectFields(yield* readMember(request), sent(request, 'fields'))
      const boards = sent(request, 'boards')
      const isNested = boards !== undefined && boards !== 'none'
      return { body: isNested ? { ...member, boards: yield* nestedBoards(request) } : member }
    })
  },
  async memberField({ store }, request) {
    const member = await store.read(() => readMember(request))
    return fieldOf(member, param(request, 'field'), '/1/members/me')
  },
  async memberBoards({ store }, request) {
    return store.read(function* () {
      yield* ownMember(request, param(request, 'member'))
      return { body: yield* readBoards(request) }
    })
  },
  async memberOrganizations({ store }, request) {
    return store.read(function* () {
      const member = yield* ownMember(request, param(request, 'member'))
      return { body: [yield* readOrganization(request, member)] }
    })
  },
  async organization({ store }, request) {
    return store.read(function* () {
      return { body: yield* readOrganization(request, yield* ownOrganization(request)) }
    })
  },
  async organizationBoards({ store }, request) {
    return store.read(function* () {
      yield* ownOrganization(request)
      return { body: yield* readBoards(request) }
    })
  },
  async organizationMembers({ store }, request) {
    return store.read(function* () {
      const member = presentMember(yield* ownOrganization(request), request.baseUrl, [])
      return { body: [selectFields(member, sent(request, 'fields'), BOARD_MEMBER_FIELDS)] }
    })
  },
  async boardMembers({ store }, request) {
    return store.read(function* () {
      const board = yield* findBoard(request.viewer, param(request, 'board'))
      const member = presentMember(yield* requireMember(board.owner), request.baseUrl, [])
      return { body: [selectFields(member, sent(request, 'fields'), BOARD_MEMBER_FIELDS)] }
    })
  }
} as const satisfies Partial<Record<HandlerName, ApiHandler>>

const BOARD_MEMBER_FIELDS = ['id', 'fullName', 'username'] as const

function* nestedBoards(request: ApiRequest): Transaction<Record<string, unknown>[]> {
  const boards = yield* listBoards(request.viewer, 'all')
  const fields = sent(request, 'board_fields')
  return boards.map((board) => selectFields(presentBoard(board, viewOf(request)), fields))
}
