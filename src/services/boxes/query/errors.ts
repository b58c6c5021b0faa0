import createError, { type FastifyError } from '@fastify/error'

/** The cause of an error; the message is the same for every cause. */
export interface Reasoned {
  readonly reason: string
  /** Where in the expression it is, in UTF-16 units; pages show it. */
  readonly at?: Range | undefined
}

interface Range {
  readonly start: number
  readonly end: number
}

const InvalidQuery = createError('INVALID_QUERY', 'Invalid query', 400)
const InvalidFields = createError('INVALID_FIELDS', 'Invalid fields', 400)
const InvalidSort = createError('INVALID_SORT', 'Invalid sort', 400)
export const UnknownOperator = createError<[string]>('UNKNOWN_OPERATOR', 'Unknown operator %s', 400)
export const InvalidCursor = createError(
  'INVALID_CURSOR',
  'The cursor does not belong to this list; start without a cursor',
  400
)

export function invalidQuery(reason: string, at?: Range): FastifyError & Reasoned {
  return Object.assign(new InvalidQuery(), { reason, at })
}

export function invalidFields(reason: string): FastifyError & Reasoned {
  return Object.assign(new InvalidFields(), { reason })
}

export function invalidSort(reason: string): FastifyError & Reasoned {
  return Object.assign(new InvalidSort(), { reason })
}
