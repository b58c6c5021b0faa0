import type { Json } from '../../../kernel/json.ts'
import {
  applyPatchOperation,
  createCopyOnWrite,
  PatchError,
  type PatchOperator,
  type PatchOperation as ReadOperation
} from '../../../kernel/json-patch.ts'
import { formatPointer, splitPointer } from '../../../kernel/json-pointer.ts'
import { consume, type SizeBudget } from './weight.ts'

/** One operation of RFC 6902 with its expressions filled in. */
export interface PatchOperation {
  op: PatchOperator
  path: string
  from?: string
  value?: Json
}

/** Why a patch cannot be applied; none of its operations takes effect. */
export class PatchFault extends Error {}

/** The patched value. `target` is not modified; unchanged parts are shared. */
export function applyPatch(
  target: Json,
  operations: readonly PatchOperation[],
  allowance: SizeBudget
): Json {
  const container = createCopyOnWrite(target, (value) => {
    // A copy of a copy doubles the value each time, and needs no memory until it is serialised.
    if (!consume(allowance, value)) throw new PatchFault('its copies are too large')
    return value
  })
  for (const operation of operations) {
    try {
      applyPatchOperation(container, readOperation(operation))
    } catch (error) {
      if (error instanceof PatchError) throw toFault(error, operation)
      throw error
    }
  }
  return container.root()
}

function readOperation({ op, path, from = '', value = null }: PatchOperation): ReadOperation {
  const tokens = splitPointer(path)
  if (op === 'remove') return { op, path: tokens }
  if (op === 'move' || op === 'copy') return { op, path: tokens, from: splitPointer(from) }
  return { op, path: tokens, value }
}

function toFault({ reason, path }: PatchError, operation: PatchOperation): PatchFault {
  switch (reason) {
    case 'test':
      return new PatchFault(`${operation.path || 'the body'} does not equal the value of the test`)
    case 'inside':
      return new PatchFault(`${formatPointer(path)} cannot be moved into itself`)
    default:
      return new PatchFault(`${formatPointer(path) || 'the body'} does not exist`)
  }
}
