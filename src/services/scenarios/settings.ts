import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  authStatus: {
    kind: 'number',
    default: 403,
    minimum: 400,
    maximum: 499,
    about: 'status of a failed login or register; 400 for suites of the original'
  },
  scenario: {
    kind: 'text',
    example: 'slow:800',
    about: 'scenario that every request gets unless it asks for another'
  },
  seed: {
    kind: 'text',
    example: '7',
    about: 'derive keys and tokens from this, for reproducible test runs only: they can be guessed'
  },
  tokenAlgorithm: {
    kind: 'text',
    default: 'EdDSA',
    choices: ['EdDSA', 'RS256', 'HS256'],
    about: 'how access tokens are signed'
  },
  maxDelay: {
    kind: 'number',
    default: 30,
    minimum: 0,
    maximum: 300,
    about: 'longest wait in seconds that ?delay= and upload-slow can ask for'
  },
  maxHeld: {
    kind: 'number',
    default: 200,
    minimum: 1,
    maximum: 100_000,
    about: 'requests that may be held by slow, hang, drip, delay and streams at a time'
  },
  maxBodyBytes: {
    kind: 'number',
    default: MIB,
    minimum: 1 * KIB,
    maximum: 64 * MIB,
    about: 'largest request body in bytes, uploads apart'
  },
  maxUploadBytes: {
    kind: 'number',
    default: 25 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'bytes of the files of one upload'
  },
  maxStoredUploads: {
    kind: 'number',
    default: 100 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'bytes of the files that one workspace keeps'
  },
  heartbeatSeconds: {
    kind: 'number',
    default: 15,
    minimum: 1,
    maximum: 300,
    about: 'seconds between the signs of life of event streams and sockets'
  },
  workspaceHours: {
    kind: 'number',
    default: 24,
    minimum: 1,
    maximum: 8760,
    about: 'hours after its last use that a workspace is removed'
  },
  maxWorkspaces: {
    kind: 'number',
    default: 1000,
    minimum: 1,
    maximum: 1_000_000,
    about: 'workspaces kept; beyond it the one idle longest goes'
  },
  maxRecords: {
    kind: 'number',
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    about: 'records of one workspace'
  },
  maxWorkspaceBytes: {
    kind: 'number',
    default: 10 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'bytes of the records of one workspace'
  }
} as const satisfies Settings

export type ScenarioOptions = Options<typeof settings>
