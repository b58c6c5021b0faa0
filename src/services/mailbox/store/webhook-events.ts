import { query, type Transaction } from '../../../kernel/database/transaction.ts'

/** An event, with what a delivery of it needs to know. */
export interface DeliveredEvent {
  account: string
  name: string
  body: string
  /** Of the account; null if it was removed. */
  settings: string | null
  secrets: string | null
  /** Of an account that was removed, sealed. */
  receiver: string | null
  /** JSON of the last error of the account's own receiver. */
  own_error: string | null
  /** And of the receiver of the settings. */
  shared_error: string | null
}

export function* findDeliveredEvent(id: string): Transaction<DeliveredEvent | undefined> {
  const [event] = yield* query<DeliveredEvent>(
    `select events.account, events.name, events.body, accounts.settings, accounts.secrets,
       events.receiver, own.error as own_error, shared.error as shared_error
     from events left join accounts on accounts.id = events.account
       left join webhook_errors own on own.account = events.account
       left join webhook_errors shared on shared.account = ''
     where events.id = ?`,
    id
  )
  return event
}
