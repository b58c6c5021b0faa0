import type { CardContext } from '../context.ts'
import {
  MemberFlagMissing,
  MemberNameInvalid,
  MemberNotChosen,
  MemberTaken,
  MemberUnknown,
  OneBoardNeeded
} from '../contract.ts'
import { BOARD_BINDING, MEMBER_BINDING } from '../records/bindings.ts'
import { isMemberName } from '../records/member-name.ts'
import { findBoundBoards, readBoardSlugs } from '../store/bound-boards.ts'
import {
  addMember,
  ensureMember,
  findMemberByName,
  listMembers,
  readMemberNames
} from '../store/members.ts'

/** Members that a sentence names. */
const NAMED = 10

type Context = Pick<CardContext, 'store' | 'nextId'>

/** The member that a new token is for and the boards it is limited to. */
export async function bindToken(
  context: Context,
  { member: userName, 'new-member': isNew, board }: Readonly<Record<string, unknown>>,
  scopes: readonly string[]
): Promise<readonly string[]> {
  const member =
    isNew === true ? await newMember(context, userName) : await chosenMember(context, userName)
  const names = typeof board === 'string' ? board.split(',').map((name) => name.trim()) : []
  const wanted = names.filter((name) => name !== '')
  const ids = await context.store.read(() => findBoundBoards(member, wanted))
  const boards = ids.map((id) => BOARD_BINDING + id)
  if (!scopes.includes('published')) return [MEMBER_BINDING + member, ...boards]
  if (boards.length !== 1) throw new OneBoardNeeded()
  return boards
}

async function newMember({ store, nextId }: Context, userName: unknown): Promise<string> {
  if (typeof userName !== 'string') throw new MemberFlagMissing()
  if (!isMemberName(userName)) throw new MemberNameInvalid(userName)
  const member = await store.change((time) => addMember(nextId(), userName, time))
  if (member === undefined) throw new MemberTaken(userName)
  return member.id
}

/** The member with this name; without a name the only member, who is added if needed. */
async function chosenMember({ store, nextId }: Context, userName: unknown): Promise<string> {
  if (typeof userName === 'string') {
    const member = await store.read(() => findMemberByName(userName))
    if (member === undefined) throw new MemberUnknown(userName)
    return member.id
  }
  const members = await store.read(() => listMembers(NAMED + 1))
  if (members.length > 1) {
    const names = members.slice(0, NAMED).map((member) => member.user_name)
    throw new MemberNotChosen(names.join(', ') + (members.length > NAMED ? ', …' : ''))
  }
  const { id } = members[0] ?? (await store.change((time) => ensureMember(nextId(), time)))
  return id
}

/** Names of the resources of tokens, for lists. */
export async function nameBindings(
  { store }: Context,
  bindings: readonly string[]
): Promise<ReadonlyMap<string, string>> {
  const idsOf = (prefix: string) =>
    bindings.flatMap((one) => (one.startsWith(prefix) ? [one.slice(prefix.length)] : []))
  const members = await store.read(() => readMemberNames(idsOf(MEMBER_BINDING)))
  const slugs = await store.read(() => readBoardSlugs(idsOf(BOARD_BINDING)))
  return new Map([
    ...[...members].map(([id, name]) => [MEMBER_BINDING + id, name] as const),
    ...[...slugs].map(([id, slug]) => [BOARD_BINDING + id, `board ${slug}`] as const)
  ])
}
