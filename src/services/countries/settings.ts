import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  overlay: {
    kind: 'string',
    about: 'JSON file with your own corrections',
    example: './corrections.json'
  },
  maxBodyBytes: {
    kind: 'number',
    default: 64 * KIB,
    minimum: KIB,
    maximum: 16 * MIB,
    about: 'maximum size of a request body in bytes'
  },
  maxTokens: {
    kind: 'number',
    default: 1000,
    minimum: 100,
    maximum: 100_000,
    about: 'maximum number of tokens in a document'
  },
  maxDepth: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 100,
    about: 'maximum nesting depth of fields, introspection not counted'
  },
  maxAliases: {
    kind: 'number',
    default: 30,
    minimum: 0,
    maximum: 10_000,
    about: 'maximum number of aliases in a document'
  },
  maxCost: {
    kind: 'number',
    default: 50_000,
    minimum: 100,
    maximum: 10_000_000,
    about: 'maximum number of fields in a result; each list element counts'
  },
  maxBatch: {
    kind: 'number',
    default: 10,
    minimum: 1,
    maximum: 1000,
    about: 'maximum number of operations in one request'
  },
  cacheBytes: {
    kind: 'number',
    default: 32 * MIB,
    minimum: 0,
    maximum: 1024 * MIB,
    about: 'size of the response cache in bytes (0 = no cache)'
  }
} as const satisfies Settings

export type CountryOptions = Options<typeof settings>
