import createError from '@fastify/error'

/** The storage of files does not respond or rejects requests; its tables may be fine. */
export const FilesUnavailable = createError(
  'STORAGE_FILES_UNAVAILABLE',
  'The file storage is unavailable; try again',
  503
)

/** The storage has rejected a request, so that repeating it changes nothing. */
export class FilesRejected extends Error {
  override name = 'FilesRejected'
}
