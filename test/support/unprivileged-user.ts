import { execFileSync } from 'node:child_process'

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The ids of a user and of its group. */
export function idsOf(user: string): [number, number] {
  return [Number(ask('-u', user)), Number(ask('-g', user))]
}

export interface UnprivilegedUser {
  name: string
  group: string
  uid: number
  gid: number
}

/** The current user, or `nobody` instead of root, for servers that do not run as root. */
export function unprivilegedUser(): UnprivilegedUser {
  const name = isRoot() ? 'nobody' : ask('-un')
  const [uid, gid] = idsOf(name)
  return { name, group: ask('-gn', name), uid, gid }
}

function ask(...args: readonly string[]): string {
  return execFileSync('id', args, { encoding: 'utf8' }).trim()
}
