import type { Options, Settings } from '../../kernel/service.ts'

const MIB = 1024 * 1024

export const settings = {
  title: {
    kind: 'string',
    example: 'Projects of Ada',
    about: 'name of the site in pages and feeds (default: the name of the board)'
  },
  rateLimit: {
    kind: 'number',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    about:
      'maximum number of requests per 10 seconds and token; three times as many per address (default 0: no limit while only this machine is reached, else 100)'
  },
  maxFileBytes: {
    kind: 'number',
    default: 10 * MIB,
    minimum: 1,
    maximum: 1024 * MIB,
    about: 'maximum size of an attachment in bytes'
  },
  maxAttachments: {
    kind: 'number',
    default: 50,
    minimum: 1,
    maximum: 1_000,
    about: 'maximum number of attachments of a card'
  },
  maxCards: {
    kind: 'number',
    default: 20_000,
    minimum: 1,
    maximum: 1_000_000,
    about: 'maximum number of cards of a board'
  },
  maxImportBytes: {
    kind: 'number',
    default: 1024 * MIB,
    minimum: 1,
    maximum: 64 * 1024 * MIB,
    about: 'maximum size of all attachments of an import in bytes'
  },
  webhookSecret: {
    kind: 'string',
    secret: true,
    hasFlag: false,
    about:
      'secret that signs deliveries of webhooks in the format of Trello (default: one per webhook, shown when it is added)'
  }
} as const satisfies Settings

export type CardOptions = Options<typeof settings>
