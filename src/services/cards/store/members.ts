import { fullGroupsOf, placeholders } from '../../../kernel/database/groups.ts'
import { insertRow, query, type Transaction } from '../../../kernel/database/transaction.ts'
import { TokenInvalid } from '../contract.ts'
import { foldName } from '../records/member-name.ts'
import type { MemberRow } from './rows.ts'

/** Ids per statement. */
const GROUP = 50

/** The first member; while there are no members, `owner` is added with this id. */
export function* ensureMember(id: string, time: string): Transaction<MemberRow> {
  const [first] = yield* listMembers(1)
  return first ?? (yield* insertMember(id, 'owner', 'Owner', time))
}

/** In the order of their creation. */
export function listMembers(limit: number): Transaction<readonly MemberRow[]> {
  return query<MemberRow>('select * from members order by created_at, id limit ?', limit)
}

export function* readMember(id: string): Transaction<MemberRow | undefined> {
  const [row] = yield* query<MemberRow>('select * from members where id = ?', id)
  return row
}

export function* findMemberByName(userName: string): Transaction<MemberRow | undefined> {
  const [row] = yield* query<MemberRow>(
    'select * from members where folded_name = ?',
    foldName(userName)
  )
  return row
}

/** Undefined if the name is taken. */
export function* addMember(
  id: string,
  userName: string,
  time: string
): Transaction<MemberRow | undefined> {
  const taken = yield* findMemberByName(userName)
  return taken === undefined ? yield* insertMember(id, userName, userName, time) : undefined
}

/** Throws if the name is taken. */
export function* insertMember(
  id: string,
  userName: string,
  fullName: string,
  time: string
): Transaction<MemberRow> {
  const row = {
    id,
    user_name: userName,
    folded_name: foldName(userName),
    full_name: fullName,
    created_at: time
  }
  yield* insertRow('members', row)
  return row
}

/** By id. */
export function* readMemberNames(ids: readonly string[]): Transaction<Map<string, string>> {
  const names = new Map<string, string>()
  for (const group of fullGroupsOf(ids, GROUP)) {
    const rows = yield* query<{ id: string; user_name: string }>(
      `select id, user_name from members where id in (${placeholders(GROUP)})`,
      ...group
    )
    for (const row of rows) names.set(row.id, row.user_name)
  }
  return names
}

/** Of a token, which may be older than the member's removal. */
export function* requireMember(id: string): Transaction<MemberRow> {
  const member = yield* readMember(id)
  if (member === undefined) throw new TokenInvalid()
  return member
}
