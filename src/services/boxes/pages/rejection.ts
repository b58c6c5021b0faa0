import { ApiKeyDenied, type ErrorDetails, PreconditionFailed, ScanTooLong } from '../contract.ts'

/** An error that a page explains. */
export interface Rejection extends ErrorDetails {
  readonly statusCode: number
  readonly message: string
}

/** Longest list of mismatches with a schema. */
const MAX_ERRORS = 10

const TEXTS = {
  key: 'A key is needed that may do this. The key was missing or wrong.',
  changed: 'Another client has changed or deleted the record meanwhile; this is how it is now.',
  inUse: 'There is a record with this id again.'
}

/** Errors of the client; all others are thrown again. */
export function keepRejection(error: Rejection): Rejection {
  const isOfClient = error.statusCode !== undefined && error.statusCode < 500
  if (isOfClient || error instanceof ScanTooLong) return error
  throw error
}

export function outcomeOf(work: Promise<unknown>): Promise<Rejection | undefined> {
  return work.then(() => undefined, keepRejection)
}

/** The message of an error in plain words, with its details. */
export function explain(rejection: Rejection): string {
  const { message, reason, errors = [] } = rejection
  if (rejection instanceof ApiKeyDenied) return TEXTS.key
  if (rejection instanceof PreconditionFailed) return TEXTS.changed
  const details = errors
    .slice(0, MAX_ERRORS)
    .map(({ path, message: detail }) => `${path === '' ? 'the record' : path} ${detail}`)
  const more = [reason, ...details].filter((one) => one !== undefined)
  return more.length === 0 ? message : `${message}: ${more.join('; ')}`
}
