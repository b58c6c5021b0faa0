/** What is read once from a message, when it arrives, and stored with it. */

export interface MailAddress {
  /** Decoded; empty if the address has no name. */
  readonly name: string
  /** `local@domain`; empty for the start of a group. */
  readonly address: string
}

/**
 * A part of a message; offsets are in bytes from the start of the message. Values of header fields
 * are binary strings, as they stand in the message: each character is one byte (`header-text.ts`
 * decodes them). Parameters in pieces (RFC 2231) are joined, as `name*` if they are encoded.
 */
export interface MessagePart {
  /** In lower case, such as `text/plain`. */
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
  readonly disposition:
    | { readonly type: string; readonly parameters: Readonly<Record<string, string>> }
    | undefined
  readonly id: string | undefined
  readonly description: string | undefined
  /** In lower case; `7bit` by default. */
  readonly encoding: string
  readonly md5: string | undefined
  readonly language: readonly string[]
  readonly location: string | undefined
  /** The header of the part with the empty line that ends it. */
  readonly header: readonly [start: number, end: number]
  readonly body: readonly [start: number, end: number]
  /** Lines of the body. */
  readonly lines: number
  /**
   * Of a multipart, in order; of `message/rfc822`, the message in it. Empty if it is malformed or
   * deeper than messages are read.
   */
  readonly parts: readonly MessagePart[]
  /** Of `message/rfc822`, that of the message in it. */
  readonly envelope: Envelope | undefined
}

/**
 * Header fields as they stand in the message, unfolded, for ENVELOPE of IMAP; undefined if absent.
 * All are binary strings: each character is one byte.
 */
export interface Envelope {
  readonly date: string | undefined
  readonly subject: string | undefined
  readonly from: readonly EnvelopeAddress[]
  readonly sender: readonly EnvelopeAddress[]
  readonly replyTo: readonly EnvelopeAddress[]
  readonly to: readonly EnvelopeAddress[]
  readonly cc: readonly EnvelopeAddress[]
  readonly bcc: readonly EnvelopeAddress[]
  readonly inReplyTo: string | undefined
  readonly messageId: string | undefined
}

/** Name, route, local part and domain; a group begins with a domain of null and ends with both null. */
export type EnvelopeAddress = readonly [
  name: string | null,
  route: string | null,
  mailbox: string | null,
  host: string | null
]

export interface MessageFacts {
  readonly root: MessagePart
  readonly envelope: Envelope
  /** Decoded. */
  readonly subject: string
  readonly from: readonly MailAddress[]
  /** To and Cc. */
  readonly recipients: readonly MailAddress[]
  /** In Unix milliseconds; undefined if the field Date is absent or malformed. */
  readonly sentAt: number | undefined
  /** Id of the message, then those it refers to, oldest first, for threads. */
  readonly references: readonly string[]
  /** The first 200 characters of its text. */
  readonly preview: string
}
