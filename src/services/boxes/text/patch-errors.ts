import createError, { type FastifyError } from '@fastify/error'

/** The cause of the error, with the number of the operation if there is one. */
export interface PatchReason {
  readonly reason: string
}

const PatchInvalid = createError('PATCH_INVALID', 'Invalid patch', 400)
const PatchFailed = createError('PATCH_FAILED', 'The patch cannot be applied to the record', 409)
const PatchTestFailed = createError('PATCH_TEST_FAILED', 'A test of the patch failed', 409)
const PatchTooLarge = createError('PATCH_TOO_LARGE', 'The patch is too large', 413)

/** The patch itself is invalid. */
export function patchInvalid(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchInvalid(), { reason })
}

/** The patch is valid, but cannot be applied to this record. */
export function patchFailed(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchFailed(), { reason })
}

export function patchTestFailed(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchTestFailed(), { reason })
}

export function patchTooLarge(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchTooLarge(), { reason })
}
