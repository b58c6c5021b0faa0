import type { FetchMessageObject } from 'imapflow'
import {
  addressesOf,
  type EntryMailbox,
  entryOf,
  type MessageEntry,
  withoutEmpty
} from './entry.ts'
import { type HeaderMap, headersOf, isAutoReply } from './read-headers.ts'

export interface MessageDetails {
  readonly entry: MessageEntry
  /** With what the header tells besides. */
  readonly shown: MessageEntry & { readonly isAutoReply?: true }
  readonly headers: HeaderMap
}

/** A message whose header was fetched with it. */
export function detailsOf(message: FetchMessageObject, mailbox: EntryMailbox): MessageDetails {
  const { headers: bytes, envelope = {} } = message
  const entry = entryOf(message, mailbox)
  const headers = headersOf(bytes ?? Buffer.alloc(0))
  const [sender] = addressesOf(envelope.sender) ?? []
  const shown = withoutEmpty({
    ...entry,
    sender: sender?.address === entry.from?.address ? undefined : sender,
    bcc: addressesOf(envelope.bcc),
    isAutoReply: isAutoReply(headers) ? (true as const) : undefined
  })
  return { entry, shown, headers }
}
