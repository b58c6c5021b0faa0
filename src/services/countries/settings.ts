import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  overlay: {
    kind: 'text',
    about: 'JSON file with corrections of your own',
    example: './corrections.json'
  },
  maxBodyBytes: {
    kind: 'number',
    default: 64 * KIB,
    minimum: KIB,
    maximum: 16 * MIB,
    about: 'largest request body in bytes'
  },
  maxTokens: {
    kind: 'number',
    default: 1000,
    minimum: 100,
    maximum: 100_000,
    about: 'tokens of a document'
  },
  maxDepth: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 100,
    about: 'depth of fields, introspection not counted'
  },
  maxAliases: {
    kind: 'number',
    default: 30,
    minimum: 0,
    maximum: 10_000,
    about: 'aliases in a document'
  },
  maxCost: {
    kind: 'number',
    default: 50_000,
    minimum: 100,
    maximum: 10_000_000,
    about: 'fields that a request may ask for, elements of lists counted'
  },
  maxBatch: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 1000,
    about: 'operations in one request'
  },
  cacheBytes: {
    kind: 'number',
    default: 32 * MIB,
    minimum: 0,
    maximum: 1024 * MIB,
    about: 'room for finished answers (0 = keep none)'
  }
} as const satisfies Settings

export type CountryOptions = Options<typeof settings>
