import { UserError } from '../../../../kernel/errors.ts'
import { isObject, type Json, type JsonObject, memberOf, stringAt } from '../json.ts'

export interface Action {
  target: string
  remove: boolean
  update: Json | undefined
  copy: string | undefined
}

export interface Overlay {
  version: '1.0' | '1.1'
  extends: string | undefined
  actions: readonly Action[]
}

const ROOT_MEMBERS = ['overlay', 'info', 'extends', 'actions']
const ACTION_MEMBERS = ['target', 'description', 'update', 'copy', 'remove']

/** Reads an overlay of the Overlay Specification; an error names the location of the mistake. */
export function readOverlay(file: Json, location: string): Overlay {
  if (!isObject(file)) throw mistake(location, '', 'is not an overlay: it is not an object')
  const version = versionOf(file, location)
  rejectUnknown(file, ROOT_MEMBERS, location, '')
  for (const name of ['title', 'version']) {
    if (stringAt(memberOf(file, 'info'), name) === undefined) {
      throw mistake(location, '/info', `has no ${name}, which must be a string`)
    }
  }
  const target = memberOf(file, 'extends')
  if (target !== undefined && typeof target !== 'string') {
    throw mistake(location, '/extends', 'is not a valid URL')
  }
  const actions = memberOf(file, 'actions')
  if (!Array.isArray(actions) || actions.length === 0) {
    throw mistake(location, '/actions', 'must be an array with at least one action')
  }
  return {
    version,
    extends: target,
    actions: actions.map((action, index) =>
      readAction(action, version, location, `/actions/${index}`)
    )
  }
}

function versionOf(file: JsonObject, location: string): Overlay['version'] {
  const given = memberOf(file, 'overlay')
  if (given === undefined)
    throw mistake(location, '', 'is not an overlay: it has no member overlay')
  // YAML reads an unquoted 1.0 as a number.
  const text = given === 1 ? '1.0' : String(given)
  const [, version] = /^(1\.[01])(\.\d+)?$/.exec(text) ?? []
  if (version === '1.0' || version === '1.1') return version
  throw mistake(location, '/overlay', `is ${text}; nonet supports overlays of version 1.0 and 1.1`)
}

function readAction(
  action: Json,
  version: Overlay['version'],
  location: string,
  pointer: string
): Action {
  if (!isObject(action)) throw mistake(location, pointer, 'is not an object')
  const target = stringAt(action, 'target')
  const remove = memberOf(action, 'remove') ?? false
  const update = memberOf(action, 'update')
  const copy = memberOf(action, 'copy')
  rejectUnknown(action, ACTION_MEMBERS, location, pointer)
  if (target === undefined) throw mistake(location, pointer, 'has no target, which must be a path')
  if (typeof remove !== 'boolean') {
    throw mistake(location, `${pointer}/remove`, 'must be true or false')
  }
  if (copy !== undefined && version === '1.0') {
    throw mistake(location, `${pointer}/copy`, 'requires overlay: 1.1.0')
  }
  if (copy !== undefined && typeof copy !== 'string') {
    throw mistake(location, `${pointer}/copy`, 'must be a path')
  }
  if (!remove && copy !== undefined && update !== undefined) {
    throw mistake(location, pointer, 'has both update and copy: make it two actions')
  }
  return { target, remove, update, copy }
}

/** An unknown member is most often a typing error, and the action would have no effect. */
function rejectUnknown(
  node: JsonObject,
  known: readonly string[],
  location: string,
  pointer: string
): void {
  const unknown = Object.keys(node).find((name) => !known.includes(name) && !name.startsWith('x-'))
  if (unknown !== undefined) throw mistake(location, pointer, `has an unknown member ${unknown}`)
}

export function mistake(location: string, pointer: string, text: string): UserError {
  return new UserError(`${location}${pointer === '' ? '' : `#${pointer}`} ${text}`)
}
