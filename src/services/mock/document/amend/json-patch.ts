import { isDeepStrictEqual } from 'node:util'
import { StartFailure } from '../../../../kernel/failures.ts'
import { isObject, type Json, type JsonObject, memberOf } from '../json.ts'
import { findAt, formatPointer, parsePointer } from '../pointer.ts'
import { type Container, cloneJson, type Draft, put } from './draft.ts'
import type { Limits } from './limits.ts'

type Path = readonly string[]

/** One operation of RFC 6902, checked. */
export type PatchOperation =
  | { op: 'add' | 'replace' | 'test'; path: Path; value: Json }
  | { op: 'remove'; path: Path }
  | { op: 'move' | 'copy'; path: Path; from: Path }

export function readPatchOperation(item: Json): PatchOperation {
  if (!isObject(item)) throw new StartFailure('is no object')
  const path = pointerAt(item, 'path')
  const { op } = item
  switch (op) {
    case 'remove':
      return { op, path }
    case 'move':
    case 'copy':
      return { op, path, from: pointerAt(item, 'from') }
    case 'add':
    case 'replace':
    case 'test': {
      const value = memberOf(item, 'value')
      if (value === undefined) throw new StartFailure('has no value')
      return { op, path, value }
    }
    default:
      throw new StartFailure('has an op that is none of add, remove, replace, move, copy and test')
  }
}

function pointerAt(item: JsonObject, name: string): string[] {
  const pointer = memberOf(item, name)
  if (typeof pointer !== 'string' || !/^(\/([^~]|~[01])*)?$/s.test(pointer)) {
    throw new StartFailure(`has a ${name} that is no JSON pointer`)
  }
  return parsePointer(pointer)
}

export function applyPatchOperation(operation: PatchOperation, draft: Draft, limits: Limits): void {
  const { op, path } = operation
  if ('from' in operation) {
    const carry = op === 'move' ? move : copy
    carry(operation.from, path, draft, limits)
  } else if ('value' in operation) {
    const set = { add, replace, test }[operation.op]
    set(path, operation.value, draft, limits)
  } else {
    remove(path, draft)
  }
}

function move(from: Path, path: Path, draft: Draft, limits: Limits): void {
  const value = valueAt(from, draft)
  if (isInside(path, from)) throw new StartFailure('moves a value into itself')
  remove(from, draft)
  add(path, value, draft, limits)
}

function copy(from: Path, path: Path, draft: Draft, limits: Limits): void {
  const value = valueAt(from, draft)
  limits.weigh(value, 0)
  add(path, cloneJson(value), draft, limits)
}

function test(path: Path, wanted: Json, draft: Draft, limits: Limits): void {
  const value = findAt(draft.root(), path)
  if (value !== undefined) limits.walk(value)
  if (isDeepStrictEqual(value, wanted)) return
  throw new StartFailure(`does not find the value it tests for at #${formatPointer(path)}`)
}

function isInside(path: Path, outer: Path): boolean {
  return path.length > outer.length && outer.every((token, index) => token === path[index])
}

function add(path: Path, value: Json, draft: Draft, limits: Limits): void {
  limits.put(limits.weigh(value, path.length))
  if (path.length === 0) {
    draft.replaceRoot(value)
    return
  }
  const { container, name } = parentOf(path, draft)
  if (!Array.isArray(container)) {
    put(container, name, value)
    return
  }
  const index = name === '-' ? container.length : indexOf(name)
  if (index > container.length) throw leadsNowhere(path)
  container.splice(index, 0, value)
}

function remove(path: Path, draft: Draft): void {
  if (path.length === 0) throw new StartFailure('cannot remove the whole document')
  valueAt(path, draft)
  const { container, name } = parentOf(path, draft)
  if (Array.isArray(container)) container.splice(indexOf(name), 1)
  else delete container[name]
}

function replace(path: Path, value: Json, draft: Draft, limits: Limits): void {
  limits.put(limits.weigh(value, path.length))
  valueAt(path, draft)
  if (path.length === 0) {
    draft.replaceRoot(value)
    return
  }
  const { container, name } = parentOf(path, draft)
  put(container, name, value)
}

function valueAt(path: Path, draft: Draft): Json {
  const value = findAt(draft.root(), path)
  if (value === undefined) throw leadsNowhere(path)
  return value
}

function parentOf(path: Path, draft: Draft): { container: Container; name: string } {
  const parent = path.slice(0, -1)
  const own = findAt(draft.root(), parent) === undefined ? undefined : draft.own(parent)
  if (own === undefined) throw leadsNowhere(path)
  return { container: own, name: path.at(-1) ?? '' }
}

function indexOf(name: string): number {
  if (!/^(0|[1-9]\d*)$/.test(name)) throw new StartFailure(`has ${name} where a list is numbered`)
  return Number(name)
}

function leadsNowhere(path: Path): StartFailure {
  return new StartFailure(`leads nowhere: there is no #${formatPointer(path)}`)
}
