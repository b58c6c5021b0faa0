import { UserError } from '../../../../kernel/errors.ts'
import { isObject, type Json, type JsonObject, memberOf } from '../../../../kernel/json.ts'
import {
  applyPatchOperation as apply,
  PatchError,
  type PatchOperation
} from '../../../../kernel/json-patch.ts'
import { findAt, formatPointer, parsePointer } from '../../../../kernel/json-pointer.ts'
import { type CopyOnWriteDocument, cloneJson } from './copy-on-write-document.ts'
import type { PatchLimits } from './limits.ts'

export type { PatchOperation }

export function readPatchOperation(item: Json): PatchOperation {
  if (!isObject(item)) throw new UserError('is not an object')
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
      if (value === undefined) throw new UserError('has no value')
      return { op, path, value }
    }
    default:
      throw new UserError('has an unknown op; known are add, remove, replace, move, copy and test')
  }
}

function pointerAt(item: JsonObject, name: string): string[] {
  const pointer = memberOf(item, name)
  const tokens = typeof pointer === 'string' ? parsePointer(pointer).tokens : undefined
  if (tokens === undefined) throw new UserError(`has a ${name} that is not a JSON pointer`)
  return tokens
}

export function applyPatchOperation(
  operation: PatchOperation,
  draft: CopyOnWriteDocument,
  limits: PatchLimits
): void {
  if (operation.op === 'test') {
    const value = findAt(draft.root(), operation.path)
    if (value !== undefined) limits.walk(value)
  }
  if (removesRoot(operation)) throw new UserError('cannot remove the whole document')
  const container = {
    ...draft,
    own: (path: readonly string[]) =>
      findAt(draft.root(), path) === undefined ? undefined : draft.own(path),
    admit: (value: Json, path: readonly string[]) => limits.put(limits.weigh(value, path.length)),
    copy(value: Json) {
      limits.weigh(value, 0)
      return cloneJson(value)
    }
  }
  try {
    apply(container, operation)
  } catch (error) {
    if (error instanceof PatchError) throw toStartError(error, operation, draft)
    throw error
  }
}

function removesRoot(operation: PatchOperation): boolean {
  const { op, path } = operation
  if (path.length > 0) return false
  return op === 'remove' || (op === 'move' && operation.from.length === 0)
}

function toStartError(
  { reason, path }: PatchError,
  { op }: PatchOperation,
  draft: CopyOnWriteDocument
): UserError {
  const pointer = formatPointer(path)
  if (op === 'test') {
    return new UserError(`tests for another value than the one at #${pointer}`)
  }
  if (reason === 'index')
    return new UserError(`has ${path.at(-1)} where an array index is expected`)
  if (reason === 'inside' && findAt(draft.root(), path) !== undefined) {
    return new UserError('moves a value into itself')
  }
  return new UserError(`points to a missing value: #${pointer}`)
}
