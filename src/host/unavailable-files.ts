import type { Database } from '../kernel/database/database.ts'
import { UserError } from '../kernel/errors.ts'
import { FilesRejected, FilesUnavailable } from '../kernel/files/errors.ts'
import { registeredFolder } from '../kernel/files/table.ts'

/**
 * Decides about a start without access to the files. It ends with `UserError` if the storage has
 * rejected a request, or has never been in use: then a setting is wrong. Otherwise the service
 * starts, because it has more than files and the storage may return.
 */
export async function explainUnavailable(
  error: unknown,
  where: string,
  database: Database
): Promise<void> {
  if (!(error instanceof FilesUnavailable)) throw error
  const isRejected = error.cause instanceof FilesRejected
  const isNew = (await database.read(registeredFolder)) === undefined
  if (isRejected || isNew) throw toUserError(error, where)
}

/** A sentence for the operator instead of an error for clients. */
export function toUserError(error: unknown, where: string): unknown {
  if (!(error instanceof FilesUnavailable)) return error
  const { cause } = error
  const reason = cause instanceof Error ? cause.message : error.message
  const advice =
    cause instanceof FilesRejected
      ? 'check the bucket, the region and the access key'
      : 'check the endpoint and the network'
  return new UserError(`Cannot use the files in ${where} (${reason}); ${advice}`, { cause })
}
