import type { Options, Settings } from '../../kernel/service.ts'

const KIB = 1024
const MIB = 1024 * KIB

export const settings = {
  authStatus: {
    kind: 'number',
    default: 403,
    original: 400,
    minimum: 400,
    maximum: 499,
    about: 'status of a failed login or registration; use 400 for test suites written for ReqRes'
  },
  collectionWrites: {
    kind: 'string',
    default: 'on',
    choices: ['on', 'off'],
    about:
      'whether PUT, PATCH and DELETE without an id succeed, as in ReqRes, and change nothing; off responds with 404'
  },
  scenario: {
    kind: 'string',
    example: 'slow:800',
    about: 'default scenario for all requests'
  },
  seed: {
    kind: 'string',
    example: '7',
    about:
      'derive keys and tokens from this seed; for reproducible test runs only, because they can be guessed'
  },
  tokenAlgorithm: {
    kind: 'string',
    default: 'EdDSA',
    choices: ['EdDSA', 'RS256', 'HS256'],
    about: 'signature algorithm of access tokens'
  },
  maxDelay: {
    kind: 'number',
    default: 30,
    minimum: 0,
    maximum: 300,
    about: 'maximum delay in seconds for ?delay= and upload-slow'
  },
  maxHeld: {
    kind: 'number',
    default: 200,
    minimum: 1,
    maximum: 100_000,
    about:
      'maximum number of requests delayed by slow, hang, drip, delay and streams at the same time'
  },
  maxBodyBytes: {
    kind: 'number',
    default: MIB,
    minimum: 1 * KIB,
    maximum: 64 * MIB,
    about: 'maximum size of a request body in bytes, except uploads'
  },
  maxUploadBytes: {
    kind: 'number',
    default: 25 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'maximum size of the files of one upload in bytes'
  },
  maxStoredUploads: {
    kind: 'number',
    default: 100 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'maximum size of the files stored in one workspace in bytes'
  },
  heartbeatSeconds: {
    kind: 'number',
    default: 15,
    minimum: 1,
    maximum: 300,
    about: 'heartbeat interval of event streams and WebSockets, in seconds'
  },
  workspaceHours: {
    kind: 'number',
    default: 24,
    minimum: 1,
    maximum: 8760,
    about: 'hours after its last use when a workspace is deleted'
  },
  maxWorkspaces: {
    kind: 'number',
    default: 1000,
    minimum: 1,
    maximum: 1_000_000,
    about:
      'maximum number of workspaces; the least recently used without a key is deleted for a new one'
  },
  protectedMinutes: {
    kind: 'number',
    default: 5,
    minimum: 0,
    maximum: 10_080,
    about: 'minutes after its last use in which a workspace is not deleted for a new one'
  },
  maxRecords: {
    kind: 'number',
    default: 10_000,
    minimum: 1,
    maximum: 10_000_000,
    about: 'maximum number of records in one workspace'
  },
  maxWorkspaceBytes: {
    kind: 'number',
    default: 10 * MIB,
    minimum: 1 * KIB,
    maximum: 1024 * MIB,
    about: 'maximum size of the records in one workspace in bytes'
  }
} as const satisfies Settings

export type ScenarioOptions = Options<typeof settings>
