import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  minId: {
    kind: 'number',
    default: 1,
    minimum: 1,
    maximum: 64,
    about: 'shortest box id; 20 for a public server, where the id is the only secret'
  },
  maxCollection: {
    kind: 'number',
    default: 64,
    minimum: 1,
    maximum: 1024,
    about: 'longest name of a collection'
  },
  maxRecordBytes: {
    kind: 'number',
    default: MIB + 64 * KIB,
    minimum: 1,
    maximum: 64 * MIB,
    about: 'largest record in bytes'
  },
  maxRequestBytes: {
    kind: 'number',
    default: 10 * MIB,
    minimum: 1,
    maximum: 256 * MIB,
    about: 'largest request body in bytes'
  },
  rateLimit: {
    kind: 'number',
    default: 0,
    minimum: 0,
    maximum: 1_000_000,
    about: 'POST requests per hour and address (0 = no limit)'
  },
  scanBudgetMs: {
    kind: 'number',
    default: 5000,
    minimum: 1,
    maximum: 600_000,
    about: 'milliseconds a query may spend looking at records'
  },
  maxStreams: {
    kind: 'number',
    default: 1000,
    minimum: 0,
    maximum: 1_000_000,
    about: 'clients that may follow changes at once'
  }
} as const satisfies Settings

export type BoxOptions = Options<typeof settings>
