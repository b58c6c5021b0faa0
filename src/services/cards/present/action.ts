import type { ActionRow, MemberRow } from '../store/rows.ts'
import { MEMBER_SUMMARY, presentMember } from './member.ts'

/** With the names of its author; null if the author is no member, as in imported boards. */
export interface AuthoredAction extends ActionRow {
  user_name: string | null
  full_name: string | null
}

export function presentAction(action: AuthoredAction, baseUrl: string): Record<string, unknown> {
  const { id, member, data, type, created_at: date } = action
  return {
    id,
    idMemberCreator: member,
    data: JSON.parse(data),
    appCreator: null,
    type,
    date,
    limits: {},
    memberCreator: authorOf(action, baseUrl)
  }
}

function authorOf({ member, user_name, full_name }: AuthoredAction, baseUrl: string): object {
  const row: MemberRow = {
    id: member,
    user_name: user_name ?? '',
    folded_name: '',
    full_name: full_name ?? '',
    created_at: ''
  }
  const whole = presentMember(row, baseUrl)
  return Object.fromEntries(MEMBER_SUMMARY.map((name) => [name, whole[name]]))
}
