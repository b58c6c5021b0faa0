import createError from '@fastify/error'

/** Nothing was stored; writes succeed again when there is space. */
export const StorageFull = createError('STORAGE_FULL', 'No disk space left', 507)
/** The database cannot be reached or is locked at the moment. */
export const StorageUnavailable = createError(
  'STORAGE_UNAVAILABLE',
  'The database is unavailable; try again',
  503
)

/** Nothing more is written to the file, so that what is left of it can be rescued. */
export const StorageDamaged = createError(
  'STORAGE_DAMAGED',
  'The database file is damaged; the operator must restore a backup',
  503
)
export const StorageUnwritable = createError(
  'STORAGE_UNWRITABLE',
  'The database file cannot be written; the operator must check its permissions',
  503
)

/** A unique or primary key already exists, on either engine. */
export class UniqueViolation extends Error {
  override name = 'UniqueViolation'
}
