import createError, { type FastifyError } from '@fastify/error'

/** What is wrong, and with which operation. */
export interface PatchReason {
  readonly reason: string
}

const PatchInvalid = createError('PATCH_INVALID', 'Invalid patch', 400)
const PatchFailed = createError('PATCH_FAILED', 'The patch cannot be applied to the record', 409)
const PatchTestFailed = createError('PATCH_TEST_FAILED', 'A test of the patch failed', 409)
const PatchTooLarge = createError('PATCH_TOO_LARGE', 'The patch is too large', 413)

/** Not a patch at all. */
export function patchInvalid(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchInvalid(), { reason })
}

/** A patch, but not for this record. */
export function patchFailed(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchFailed(), { reason })
}

export function patchTestFailed(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchTestFailed(), { reason })
}

export function patchTooLarge(reason: string): FastifyError & PatchReason {
  return Object.assign(new PatchTooLarge(), { reason })
}
