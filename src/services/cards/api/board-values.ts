import { isObject } from '../../../kernel/json.ts'
import { ObjectUnknown, ValueInvalid } from '../contract.ts'
import type { Input } from '../http/input.ts'
import { PREF_CHOICES, type StoredPrefs } from '../records/board-prefs.ts'
import { LABEL_COLORS } from '../records/label-colors.ts'
import { workspaceOf } from '../records/workspace.ts'
import type { BoardRow, MemberRow } from '../store/rows.ts'
import { booleanValue, choiceValue, textValue } from './values.ts'

const MAX_BACKGROUND = 100
const MAX_LABEL_NAME = 1024

interface PrefValues {
  permission: BoardRow['permission'] | undefined
  prefs: StoredPrefs
}

/** `prefs_selfJoin`, `prefs/selfJoin` or a member of the object `prefs`. */
export function prefsValue({ values }: Input): PrefValues {
  const object = values.get('prefs')
  const prefs: Record<string, string | boolean> = {}
  let permission: PrefValues['permission']
  for (const [name, choices] of Object.entries(PREF_CHOICES)) {
    const value =
      values.get(`prefs/${name}`) ??
      values.get(`prefs_${name}`) ??
      (isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined)
    const input = { values: new Map([[`prefs/${name}`, value]]) }
    if (name === 'permissionLevel') permission = permissionIn(input)
    else Object.assign(prefs, prefIn(input, name, choices))
  }
  return { permission, prefs }
}

type Sent = Pick<Input, 'values'>

function permissionIn(input: Sent): PrefValues['permission'] {
  return choiceValue(input, 'prefs/permissionLevel', ['private', 'org', 'public'])
}

function prefIn(
  input: Sent,
  name: string,
  choices: readonly string[] | 'boolean' | undefined
): Record<string, string | boolean> {
  const parameter = `prefs/${name}`
  const value =
    choices === 'boolean'
      ? booleanValue(input, parameter)
      : choices === undefined
        ? textValue(input, parameter, { max: MAX_BACKGROUND })
        : choiceValue(input, parameter, choices)
  return value === undefined ? {} : { [name]: value }
}

/** `labelNames/green` or a member of the object `labelNames`. */
export function labelNamesValue({ values }: Input): Record<string, string> {
  const object = values.get('labelNames')
  const names: Record<string, string> = {}
  for (const color of LABEL_COLORS) {
    const value =
      values.get(`labelNames/${color}`) ??
      (isObject(object) && Object.hasOwn(object, color) ? object[color] : undefined)
    const parameter = `labelNames/${color}`
    const name = textValue({ values: new Map([[parameter, value]]) }, parameter, {
      max: MAX_LABEL_NAME
    })
    if (name !== undefined) names[color] = name
  }
  return names
}

/** The only workspace, by id or name; others do not exist for the member. */
export function checkWorkspace(input: Input, member: MemberRow): void {
  const name = textValue(input, 'idOrganization', { max: MAX_BACKGROUND }) ?? ''
  const isOwn =
    name.toLowerCase() === workspaceOf(member.id) ||
    name.toLowerCase() === member.folded_name ||
    name === ''
  if (!isOwn) throw new ObjectUnknown()
}

/** Null means a label without a colour. */
export function colorValue({ values }: Sent, name = 'color'): string | null | undefined {
  const value = values.get(name)
  if (value === undefined) return undefined
  if (value === null || value === '' || value === 'null') return null
  if (typeof value === 'string' && LABEL_COLORS.includes(value)) return value
  throw new ValueInvalid(name)
}
