import { UserError } from '../../../../kernel/errors.ts'
import { isObject, type Json, type JsonObject } from '../json.ts'
import { formatPointer } from '../pointer.ts'
import {
  type Container,
  type CopyOnWriteDocument,
  type Location,
  put
} from './copy-on-write-document.ts'

export type NodeKind = 'object' | 'list' | 'primitive'

export function kindOf(value: Json | undefined): NodeKind {
  if (Array.isArray(value)) return 'list'
  return isObject(value) ? 'object' : 'primitive'
}

/** In both versions of Overlay, a member on both sides must be of the same kind. */
export function mergeObject(
  draft: CopyOnWriteDocument,
  target: JsonObject,
  update: JsonObject,
  location: Location
): void {
  for (const [name, value] of Object.entries(update)) {
    const isNew = !Object.hasOwn(target, name)
    if (isNew || (kindOf(target[name]) === 'primitive' && kindOf(value) === 'primitive')) {
      put(target, name, value)
      continue
    }
    const at = [...location, name]
    rejectOtherKind(target[name], value, at)
    const own = draft.ownMember(target, name)
    if (Array.isArray(own) && Array.isArray(value)) append(own, value)
    else if (isObject(own) && isObject(value)) mergeObject(draft, own, value, at)
  }
}

/** Pushes one by one, because spreading a long array overflows the stack. */
export function append(list: Json[], items: readonly Json[]): void {
  for (const item of items) list.push(item)
}

function rejectOtherKind(target: Json | undefined, value: Json, at: Location): void {
  if (kindOf(target) === kindOf(value)) return
  throw new UserError(
    `cannot merge: ${pointerTo(at)} is ${describe(target)}, and the update has ${describe(value)}`
  )
}

export function describe(value: Json | undefined): string {
  const kind = kindOf(value)
  if (kind === 'primitive') return JSON.stringify(value ?? null).slice(0, 60)
  return kind === 'object' ? 'an object' : 'an array'
}

export function pointerTo(location: Location): string {
  return `#${formatPointer(location.map(String))}`
}

/** Removes several members at once, so that no array index shifts in between. */
export function removeMembers(container: Container, names: ReadonlySet<string | number>): void {
  if (Array.isArray(container)) {
    const kept = container.filter((_, index) => !names.has(index))
    container.length = 0
    append(container, kept)
  } else {
    for (const name of names) delete container[name]
  }
}
