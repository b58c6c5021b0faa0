import { workspaceOf } from '../records/workspace.ts'
import type { MemberRow } from '../store/rows.ts'

const MAX_INITIALS = 4

/** In lists of members and as the author of actions. */
export const MEMBER_SUMMARY = [
  'id',
  'username',
  'fullName',
  'initials',
  'avatarHash',
  'avatarUrl',
  'activityBlocked',
  'nonPublic',
  'nonPublicAvailable'
] as const

/** All fields of a member of Trello's API; `boards` are those that the viewer sees. */
export function presentMember(
  { id, user_name: userName, full_name: fullName }: MemberRow,
  baseUrl: string,
  boards: readonly string[] = []
): Record<string, unknown> {
  const emoji = {}
  return {
    id,
    username: userName,
    fullName,
    initials: initialsOf(fullName),
    // Clients expect texts.
    avatarHash: '',
    avatarUrl: '',
    activityBlocked: false,
    nonPublic: {},
    nonPublicAvailable: false,
    bio: '',
    bioData: { emoji },
    confirmed: true,
    idEnterprise: null,
    memberType: 'normal',
    products: [],
    status: 'disconnected',
    url: `${baseUrl}/${userName}`,
    idBoards: boards,
    idOrganizations: [workspaceOf(id)],
    premiumFeatures: [],
    prefs: { locale: 'en' }
  }
}

function initialsOf(fullName: string): string {
  const words = fullName.split(/\s+/).filter((word) => word !== '')
  const letters = words.map((word) => String.fromCodePoint(word.codePointAt(0) ?? 0x3f))
  return letters.slice(0, MAX_INITIALS).join('').toUpperCase()
}

export function presentMembership(board: string, member: string): Record<string, unknown> {
  return {
    // Ids have 24 digits; a board has one membership.
    id: board,
    idMember: member,
    memberType: 'admin',
    unconfirmed: false,
    deactivated: false
  }
}
