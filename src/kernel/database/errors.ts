import createError from '@fastify/error'

/** Nothing was stored; writes succeed again when there is space. */
export const StorageFull = createError('STORAGE_FULL', 'No disk space left', 507)
/** The database cannot be reached or is locked at the moment. */
export const StorageUnavailable = createError(
  'STORAGE_UNAVAILABLE',
  'The database is unavailable; try again',
  503
)

/** A unique or primary key already exists, on either engine. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
