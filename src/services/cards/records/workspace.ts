import { createHash } from 'node:crypto'

const ID_LENGTH = 24

/** The id of the one workspace of a member, which has no row. */
export function workspaceOf(member: string): string {
  return createHash('sha256').update(`workspace ${member}`).digest('hex').slice(0, ID_LENGTH)
}
