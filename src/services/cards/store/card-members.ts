import { ObjectUnknown } from '../contract.ts'

/** A board has one member, so only that one can be a member of its cards. */
export function requireMembers(members: readonly string[], owner: string): void {
  if (members.some((member) => member !== owner)) throw new ObjectUnknown()
}
