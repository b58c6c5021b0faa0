import type { IncomingMessage } from 'node:http'
import { accountFilter, type Caller } from '../../api/access.ts'
import type { MessageFilter } from '../mail-store.ts'
import { type Readers, readQuery, text, type Values } from './read-input.ts'

const MAX_TEXT_LENGTH = 256

const CONDITIONS = {
  account: text(MAX_TEXT_LENGTH),
  to: text(MAX_TEXT_LENGTH),
  from: text(MAX_TEXT_LENGTH),
  subject: text(MAX_TEXT_LENGTH),
  search: text(MAX_TEXT_LENGTH)
}

/** The messages that a query selects, of those that the caller may read, and its other values. */
export function readFilter<R extends Readers>(caller: Caller, request: IncomingMessage, others: R) {
  const values: Values<R> & Values<typeof CONDITIONS> = readQuery(request, {
    ...others,
    ...CONDITIONS
  })
  const { account, to, from, subject, search } = values
  const filter: MessageFilter = {
    account: accountFilter(caller, account),
    to,
    from,
    subject,
    query: search
  }
  return { filter, values }
}
