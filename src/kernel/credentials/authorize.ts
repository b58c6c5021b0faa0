import type { Principal } from './rules.ts'

/** The binding of a token that is not limited to resources. */
export const ALL_RESOURCES = '*'

/** Whether the token allows the action, on the object if there is one. */
export function authorize(
  { scopes, bindings }: Pick<Principal, 'scopes' | 'bindings'>,
  action: string,
  object: string | undefined
): boolean {
  if (!scopes.includes(action)) return false
  return object === undefined || bindings.includes(object) || bindings.includes(ALL_RESOURCES)
}
