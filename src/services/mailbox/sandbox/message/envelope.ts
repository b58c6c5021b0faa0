import { parseAddresses } from './addresses.ts'
import type { Envelope, EnvelopeAddress } from './facts.ts'
import { fieldValues, type HeaderField } from './header.ts'

/** Of all fields of a message and the messages in it. */
export interface AddressBudget {
  left: number
}

/** The last field of a name counts, and all fields with addresses. */
export function readEnvelope(fields: readonly HeaderField[], budget: AddressBudget): Envelope {
  const fieldOf = (name: string) => fieldValues(fields, name).at(-1)
  const addressesOf = (name: string): readonly EnvelopeAddress[] => {
    return fieldValues(fields, name).flatMap((value) => {
      const addresses = parseAddresses(value, budget.left)
      budget.left = Math.max(0, budget.left - addresses.length)
      return addresses
    })
  }
  return {
    date: fieldOf('date'),
    subject: fieldOf('subject'),
    from: addressesOf('from'),
    sender: addressesOf('sender'),
    replyTo: addressesOf('reply-to'),
    to: addressesOf('to'),
    cc: addressesOf('cc'),
    bcc: addressesOf('bcc'),
    inReplyTo: fieldOf('in-reply-to'),
    messageId: fieldOf('message-id')
  }
}
