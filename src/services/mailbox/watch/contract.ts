import createError from '@fastify/error'

export const FlushRunning = createError(
  'FLUSH_RUNNING',
  'The index of the account is being made again; try again later',
  429
)
