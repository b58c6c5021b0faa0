import type { Options, Settings } from '../../kernel/service.ts'

const MIB = 1024 * 1024

export const settings = {
  mailEgress: {
    kind: 'string',
    default: 'auto',
    choices: ['auto', 'any', 'public'],
    about:
      'mail servers to connect to: public (only public IP addresses, on mail ports), any, or auto (any if an operator named the server, otherwise public)'
  },
  watch: {
    kind: 'boolean',
    default: true,
    about: 'watch the mailboxes of accounts for changes',
    aboutOff: 'do not watch the mailboxes of accounts for changes'
  },
  sandboxHost: {
    kind: 'array',
    default: ['127.0.0.1', '::1'],
    about: 'IP address on which the sandbox mail server listens (repeatable)',
    example: '0.0.0.0'
  },
  sandboxMessages: {
    kind: 'number',
    default: 500,
    minimum: 1,
    maximum: 1_000_000,
    about: 'maximum number of messages of a sandbox account; the oldest are removed'
  },
  sandboxBytes: {
    kind: 'number',
    default: 100 * MIB,
    minimum: MIB,
    maximum: 1024 * 1024 * MIB,
    about: 'maximum size of all messages of a sandbox account in bytes; the oldest are removed'
  },
  sandboxMessageBytes: {
    kind: 'number',
    default: 25 * MIB,
    minimum: 1024,
    maximum: 1024 * MIB,
    about: 'maximum size of a message in bytes'
  },
  sandboxRecipients: {
    kind: 'number',
    default: 100,
    minimum: 1,
    maximum: 10_000,
    about: 'maximum number of recipients of a message'
  },
  sandboxLineBytes: {
    kind: 'number',
    default: 64 * 1024,
    minimum: 1000,
    maximum: MIB,
    about: 'maximum length of a command line of IMAP and SMTP in bytes'
  },
  sandboxConnections: {
    kind: 'number',
    default: 1100,
    minimum: 1,
    maximum: 100_000,
    about: 'maximum number of connections of one client address to each port of the sandbox'
  },
  sandboxIdleSeconds: {
    kind: 'number',
    default: 1800,
    minimum: 1,
    maximum: 86_400,
    about: 'seconds without a command after which a connection is closed; for SMTP at most 300'
  },
  sandboxWithout: {
    kind: 'array',
    default: [],
    about: 'IMAP extension, or STARTTLS, that the sandbox does not offer (repeatable)',
    example: 'NOTIFY'
  }
} as const satisfies Settings

export type MailboxOptions = Options<typeof settings>
