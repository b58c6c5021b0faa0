import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  minId: {
    kind: 'number',
    default: 1,
    minimum: 1,
    maximum: 64,
    about: 'minimum length of a box id; use 20 on a public server, where the id is the only secret'
  },
  maxCollection: {
    kind: 'number',
    default: 64,
    minimum: 1,
    maximum: 1024,
    about: 'maximum length of a collection name'
  },
  maxRecordBytes: {
    kind: 'number',
    default: MIB + 64 * KIB,
    minimum: 1,
    maximum: 64 * MIB,
    about: 'maximum size of a record in bytes'
  },
  maxRequestBytes: {
    kind: 'number',
    default: 10 * MIB,
    minimum: 1,
    maximum: 256 * MIB,
    about: 'maximum size of a request body in bytes'
  },
  rateLimit: {
    kind: 'number',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    about: 'maximum number of POST requests per hour and IP address (0 = no limit)'
  },
  scanBudgetMs: {
    kind: 'number',
    default: 5000,
    minimum: 1,
    maximum: 600_000,
    about: 'maximum time in milliseconds that a query may scan records'
  },
  maxStreams: {
    kind: 'number',
    default: 1000,
    minimum: 0,
    maximum: 1_000_000,
    about: 'maximum number of clients that follow changes at the same time'
  }
} as const satisfies Settings

export type BoxOptions = Options<typeof settings>
