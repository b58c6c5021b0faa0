import { isObject, type Json, type JsonObject, mapMembers } from '../document/json.ts'
import { findAt, parsePointer } from '../document/pointer.ts'
import { setOwn } from './shape.ts'

const MAX_OPERATIONS = 1000
/** Copies of copies grow fast. */
const MAX_RESULT_LENGTH = 8 * 1024 * 1024

/** Why a patch cannot be applied, for the client. */
export class PatchRefused extends Error {
  override name = 'PatchRefused'
}

/** RFC 7396. */
export function mergePatch(target: JsonObject, patch: JsonObject): JsonObject {
  const merged = mapMembers(target, (value) => value)
  for (const [name, change] of Object.entries(patch)) {
    if (change === null) {
      delete merged[name]
    } else if (isObject(change)) {
      const before = Object.hasOwn(merged, name) ? merged[name] : undefined
      setOwn(merged, name, mergePatch(isObject(before) ? before : {}, change))
    } else {
      setOwn(merged, name, change)
    }
  }
  return merged
}

/** RFC 6902; all operations or none. */
export async function preparePatch(
  operations: unknown
): Promise<(before: JsonObject) => JsonObject> {
  if (!Array.isArray(operations)) throw new PatchRefused('A JSON Patch is a list of operations.')
  if (operations.length > MAX_OPERATIONS) {
    throw new PatchRefused(`A JSON Patch has ${MAX_OPERATIONS} operations at most.`)
  }
  const { jsonpatch, JSONPatchError, JSONPatchTestFailure } = await import('json-p3')

  function applyOne(before: Json, operation: unknown, index: number): Json {
    const safe = readOperation(before, operation, index)
    try {
      return jsonpatch.apply([safe as never], before as never) as Json
    } catch (error) {
      const isRefusal = error instanceof JSONPatchError || error instanceof JSONPatchTestFailure
      if (!isRefusal) throw error
      throw new PatchRefused(`Operation ${index} of the patch: ${error.message}.`)
    }
  }

  return function applyPatch(before) {
    let value: Json = structuredClone(before)
    for (const [index, operation] of operations.entries()) {
      value = applyOne(value, operation, index)
      const isCopy = isObject(operation) && operation.op === 'copy'
      if (isCopy && JSON.stringify(value).length > MAX_RESULT_LENGTH) {
        throw new PatchRefused(`Operation ${index} of the patch makes the record too large.`)
      }
    }
    if (!isObject(value)) throw new PatchRefused('The patch leaves no object.')
    return value
  }
}

/** The library shares copied values and would follow `__proto__`. */
function readOperation(before: Json, operation: unknown, index: number): JsonObject {
  if (!isObject(operation)) throw new PatchRefused(`Operation ${index} of the patch is no object.`)
  for (const member of ['path', 'from']) {
    const pointer = operation[member]
    if (member === 'from' && pointer === undefined) continue
    if (typeof pointer !== 'string' || (pointer !== '' && !pointer.startsWith('/'))) {
      throw new PatchRefused(`Operation ${index} of the patch needs a JSON pointer in ${member}.`)
    }
    if (parsePointer(pointer).includes('__proto__')) {
      throw new PatchRefused(`Operation ${index} of the patch names __proto__.`)
    }
  }
  const { op, from, path } = operation
  if (op === 'move' && String(path).startsWith(`${from}/`)) {
    throw new PatchRefused(`Operation ${index} of the patch moves a value into itself.`)
  }
  if (operation.op !== 'copy' || typeof operation.from !== 'string') {
    return structuredClone(operation)
  }
  const value = findAt(before, parsePointer(operation.from))
  if (value === undefined) return operation
  return { op: 'add', path: operation.path ?? '', value: structuredClone(value) }
}
