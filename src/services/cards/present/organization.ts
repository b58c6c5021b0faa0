import { workspaceOf } from '../records/workspace.ts'
import type { MemberRow } from '../store/rows.ts'
import { presentMembership } from './member.ts'

/** The workspace of a member; `boards` are those that the viewer sees. */
export function presentOrganization(
  member: MemberRow,
  baseUrl: string,
  boards: readonly string[]
): Record<string, unknown> {
  const id = workspaceOf(member.id)
  return {
    id,
    name: member.user_name,
    displayName: member.full_name,
    desc: '',
    descData: { emoji: {} },
    url: `${baseUrl}/${member.user_name}`,
    website: null,
    logoHash: null,
    logoUrl: null,
    idEnterprise: null,
    idMemberCreator: member.id,
    idBoards: boards,
    memberships: [presentMembership(id, member.id)],
    membersCount: 1,
    powerUps: [],
    products: [],
    premiumFeatures: [],
    prefs: { permissionLevel: 'private' }
  }
}
