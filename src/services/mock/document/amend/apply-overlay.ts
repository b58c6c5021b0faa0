import { UserError } from '../../../../kernel/errors.ts'
import { isObject, type Json } from '../json.ts'
import {
  type Container,
  type CopyOnWriteDocument,
  cloneJson,
  type Location,
  put
} from './copy-on-write-document.ts'
import type { Select, Selected } from './json-path.ts'
import type { PatchLimits } from './limits.ts'
import { append, describe, kindOf, mergeObject, pointerTo, removeMembers } from './merge.ts'
import type { Action, Overlay } from './overlay.ts'

interface Tools {
  draft: CopyOnWriteDocument
  select: Select
  limits: PatchLimits
}

/** Applies one action to the result of the previous ones; returns the number of matches. */
export function applyAction(
  { version }: Pick<Overlay, 'version'>,
  action: Action,
  tools: Tools
): number {
  const { draft, select } = tools
  const found = select(action.target, draft.root())
  if (found.length === 0) return 0
  if (action.remove) {
    removeAll(found, draft)
    return found.length
  }
  const value = action.copy === undefined ? action.update : copied(action.copy, tools)
  if (value === undefined) return found.length
  if (version === '1.1') rejectMixed(found)
  const depth = found.reduce((deepest, { location }) => Math.max(deepest, location.length), 0)
  const weight = tools.limits.weigh(value, depth)
  for (const one of found) {
    tools.limits.put(weight)
    if (version === '1.0' && kindOf(one.value) === 'primitive') throw rejectPrimitive(one)
    update(one, value, version, draft)
  }
  return found.length
}

function removeAll(found: readonly Selected[], draft: CopyOnWriteDocument): void {
  const going = new Map<Container, Set<string | number>>()
  for (const { location } of found) {
    const name = location.at(-1)
    if (name === undefined) throw new UserError('cannot remove the whole document')
    const container = draft.own(location.slice(0, -1))
    if (container === undefined) continue
    const names = going.get(container) ?? new Set()
    names.add(name)
    going.set(container, names)
  }
  for (const [container, names] of going) removeMembers(container, names)
}

/** Returns a copy, because the inserted value must not grow while it is inserted. */
function copied(path: string, { draft, select, limits }: Tools): Json {
  const found = select(path, draft.root())
  const [source] = found
  if (source === undefined || found.length > 1) {
    throw new UserError(`copies ${path}, which has ${found.length} matches instead of one`)
  }
  limits.weigh(source.value, 0)
  return cloneJson(source.value)
}

function rejectMixed(found: readonly Selected[]): void {
  const [first] = found
  const kind = kindOf(first?.value)
  const other = found.find(({ value }) => kindOf(value) !== kind)
  if (other === undefined) return
  throw new UserError(
    `selects both ${describe(first?.value)} at ${pointerTo(first?.location ?? [])} ` +
      `and ${describe(other.value)} at ${pointerTo(other.location)}; all targets must be of the same type`
  )
}

function rejectPrimitive({ location, value }: Selected): UserError {
  return new UserError(
    `selects ${describe(value)} at ${pointerTo(location)}; ` +
      'overlays of version 1.0 update objects and arrays only: update the parent, or set overlay: 1.1.0'
  )
}

function update(
  { location }: Selected,
  value: Json,
  version: Overlay['version'],
  draft: CopyOnWriteDocument
): void {
  const target = draft.own(location)
  if (Array.isArray(target)) {
    append(target, version === '1.1' && Array.isArray(value) ? value : [value])
  } else if (isObject(target) && isObject(value)) {
    mergeObject(draft, target, value, location)
  } else if (target === undefined && kindOf(value) === 'primitive') {
    replace(location, value, draft)
  } else {
    const kind = isObject(target) ? 'an object' : 'a primitive value'
    throw new UserError(
      `cannot update ${pointerTo(location)} with ${describe(value)}: the target is ${kind}`
    )
  }
}

function replace(location: Location, value: Json, draft: CopyOnWriteDocument): void {
  const name = location.at(-1)
  const container = draft.own(location.slice(0, -1))
  if (name !== undefined && container !== undefined) put(container, name, value)
}
