import { editObject } from './edit.ts'
import { membersOf, skipSpace } from './spans.ts'

const NOTHING = '{}'

/**
 * RFC 7396 on valid JSON text: members that the patch does not name keep their bytes and their
 * order, and new values have the bytes of the patch. The depth of the patch must be limited.
 */
export function mergePatch(target: string, patch: string): string {
  const patchStart = skipSpace(patch, 0)
  if (patch.charAt(patchStart) !== '{') return patch.trim()
  const start = skipSpace(target, 0)
  const base = target.charAt(start) === '{' ? target : NOTHING
  const baseStart = base === target ? start : 0
  const own = new Map(
    membersOf(base, baseStart).map((member) => [
      member.name,
      base.slice(member.valueStart, member.end)
    ])
  )
  const edits = new Map<string, string | undefined>()
  const keys = new Map<string, string>()
  for (const { name, start: keyStart, keyEnd, valueStart, end } of membersOf(patch, patchStart)) {
    const value = patch.slice(valueStart, end)
    keys.set(name, patch.slice(keyStart, keyEnd))
    edits.set(name, value === 'null' ? undefined : mergePatch(own.get(name) ?? 'null', value))
  }
  return editObject(base, baseStart, edits, keys)
}
