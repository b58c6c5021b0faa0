import { isPatchOperator, PATCH_OPERANDS, PATCH_OPERATORS } from '../../../kernel/json-patch.ts'
import { isObject, type Json, type JsonObject, memberOf } from '../document/json.ts'
import { applyPatch, PatchFault, type PatchOperation } from '../transform/json-patch.ts'

const MAX_OPERATIONS = 1000
/** Limits the size of copies, because copies of copies grow exponentially. */
const MAX_COPIED = 8 * 1024 * 1024

/** Why a patch cannot be applied; the message is sent to the client. */
export class PatchRejected extends Error {
  override name = 'PatchRejected'
}

/** Prepares a JSON Patch (RFC 6902); either all operations take effect or none. */
export function preparePatch(operations: unknown): (before: JsonObject) => JsonObject {
  if (!Array.isArray(operations))
    throw new PatchRejected('A JSON Patch must be an array of operations.')
  if (operations.length > MAX_OPERATIONS) {
    throw new PatchRejected(`A JSON Patch may have at most ${MAX_OPERATIONS} operations.`)
  }
  const read = operations.map(readOperation)
  return (before) => {
    const after = apply(before, read)
    if (!isObject(after)) throw new PatchRejected('The patched value is not an object.')
    return after
  }
}

function apply(before: JsonObject, operations: readonly PatchOperation[]): Json {
  try {
    return applyPatch(before, operations, { left: MAX_COPIED })
  } catch (error) {
    if (!(error instanceof PatchFault)) throw error
    throw new PatchRejected(`The patch cannot be applied: ${error.message}.`)
  }
}

function readOperation(given: Json, index: number): PatchOperation {
  const op = memberOf(given, 'op')
  if (!isObject(given) || !isPatchOperator(op)) {
    throw new PatchRejected(
      `Operation ${index} of the patch must be one of ${PATCH_OPERATORS.join(', ')}.`
    )
  }
  const value = memberOf(given, 'value')
  if (PATCH_OPERANDS[op] === 'value' && value === undefined) {
    throw new PatchRejected(`Operation ${index} of the patch requires a value.`)
  }
  return {
    op,
    path: pointerIn(given, 'path', index),
    ...(PATCH_OPERANDS[op] === 'from' ? { from: pointerIn(given, 'from', index) } : {}),
    ...(value === undefined ? {} : { value })
  }
}

function pointerIn(operation: JsonObject, member: string, index: number): string {
  const pointer = memberOf(operation, member)
  if (typeof pointer === 'string' && (pointer === '' || pointer.startsWith('/'))) return pointer
  throw new PatchRejected(`Operation ${index} of the patch requires a JSON pointer in ${member}.`)
}
