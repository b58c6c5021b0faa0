import { cutText } from '../../../kernel/cut-text.ts'
import type { MessageContent } from '../sandbox/mail-store.ts'
import type { MailAddress } from '../sandbox/message/facts.ts'

/** Limits of what a line shows, because a sender can fill a message up to its own limits. */
const MAX_TEXT = 200
const MAX_PEOPLE = 3

/** Names of people on one line; `otherwise` if there are none. */
export function namesOf(people: readonly MailAddress[], otherwise: string): string {
  const names = people.flatMap(({ name, address }) => {
    const shown = name || address
    return shown === '' ? [] : [shown]
  })
  return listOf(names) || shorten(otherwise) || '(no sender)'
}

/** Addresses of SMTP if there are any, or those of the header. */
export function recipientsOf(
  { recipients }: Pick<MessageContent, 'recipients'>,
  envelopeTo: readonly string[]
): string {
  const addresses = envelopeTo.length > 0 ? envelopeTo : recipients.map(({ address }) => address)
  return listOf(addresses.filter((address) => address !== '')) || '(no recipients)'
}

export function subjectOf({ subject }: Pick<MessageContent, 'subject'>): string {
  return shorten(subject) || '(no subject)'
}

/** Names with their addresses, for the head of a message. */
export function peopleOf(people: readonly MailAddress[]): string {
  return listOf(
    people.flatMap(({ name, address }) => {
      if (address === '') return []
      return [name === '' ? address : `${name} <${address}>`]
    }),
    20
  )
}

function listOf(texts: readonly string[], most = MAX_PEOPLE): string {
  const more = texts.length - most
  const shown = texts.slice(0, most).map(shorten).join(', ')
  return more > 0 ? `${shown} and ${more} more` : shown
}

function shorten(text: string): string {
  return text.length > MAX_TEXT ? `${cutText(text, MAX_TEXT)}…` : text
}

const KIB = 1024

export function bytesText(bytes: number): string {
  if (bytes < KIB) return `${bytes} bytes`
  if (bytes < KIB * KIB) return `${(bytes / KIB).toFixed(1)} KB`
  return `${(bytes / KIB / KIB).toFixed(1)} MB`
}
