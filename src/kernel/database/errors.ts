import createError from '@fastify/error'

/** Nothing was stored, and nothing is damaged: it works again when there is space. */
export const StorageFull = createError('STORAGE_FULL', 'No disk space left', 507)
/** The engine cannot be reached at the moment. */
export const StorageUnavailable = createError(
  'STORAGE_UNAVAILABLE',
  'The database is unavailable; try again',
  503
)

/** A unique or primary key that is taken, on either engine. */
export class UniqueViolation extends Error {
  override name = 'KeyTaken'
}
