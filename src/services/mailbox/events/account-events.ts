import type { NewEvent } from './record-events.ts'

export function accountAdded(account: string): NewEvent {
  return { account, name: 'accountAdded', key: [], data: { account } }
}

/** It is sent although the account is gone; `receiver` is sealed. */
export function accountDeleted(account: string, receiver?: string): NewEvent {
  return { account, name: 'accountDeleted', key: [], data: { account }, receiver }
}
