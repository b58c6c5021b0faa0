import type { Options, Settings } from '../../kernel/service.ts'

const MIB = 1024 * 1024

export const settings = {
  documents: {
    kind: 'array',
    default: [],
    alias: 'mock',
    about: 'file or URL of an OpenAPI document to mock, or name=file to serve it under /name',
    example: 'openapi.yaml'
  },
  overlay: {
    kind: 'array',
    default: [],
    about:
      'file or URL of an Overlay to apply to the documents, in order; name=file applies it to one document, patch:file applies a patch at this position',
    example: 'local.overlay.yaml'
  },
  patch: {
    kind: 'array',
    default: [],
    about: 'JSON Patch or Merge Patch file to apply to the documents after the overlays',
    example: 'local.patch.json'
  },
  dynamic: {
    kind: 'boolean',
    default: false,
    about: 'generate random response bodies instead of using examples'
  },
  seed: { kind: 'string', about: 'seed for random bodies: the same seed gives the same bytes' },
  ignoreExamples: {
    kind: 'boolean',
    default: false,
    about: 'generate bodies from schemas even if the document has examples'
  },
  fillProperties: {
    kind: 'string',
    choices: ['on', 'off'],
    about: 'whether random bodies may have additional properties that the schema permits'
  },
  errors: {
    kind: 'boolean',
    default: false,
    about:
      'respond with 500 if the response violates the document, and with 422 to invalid requests for an upstream'
  },
  cors: {
    kind: 'boolean',
    default: true,
    about: 'send CORS headers and answer preflight requests',
    aboutOff: 'do not send CORS headers or answer preflight requests'
  },
  validateRequest: {
    kind: 'boolean',
    default: true,
    about: 'validate request parameters and bodies',
    aboutOff: 'do not validate request parameters and bodies'
  },
  validateSecurity: {
    kind: 'boolean',
    default: true,
    about: 'validate credentials',
    aboutOff: 'do not validate credentials'
  },
  validateResponse: {
    kind: 'boolean',
    default: true,
    about: 'validate responses',
    aboutOff: 'do not validate responses'
  },
  basePath: {
    kind: 'string',
    default: 'both',
    about: 'where paths are served: both (with and without the server path), off, only, or a path',
    example: '/v1'
  },
  callbacks: {
    kind: 'boolean',
    default: true,
    about: 'send callbacks',
    aboutOff: 'do not send callbacks'
  },
  allowCallbacks: {
    kind: 'boolean',
    default: false,
    about: 'allow callbacks to private IP addresses'
  },
  allowRemoteRefs: {
    kind: 'boolean',
    default: false,
    about: 'allow references to other origins'
  },
  allowRefsOutside: {
    kind: 'boolean',
    default: false,
    about: 'allow references to files outside the folder of the document and the working folder'
  },
  cacheBytes: {
    kind: 'number',
    default: 64 * MIB,
    minimum: MIB,
    maximum: 4096 * MIB,
    about: 'memory in bytes for prepared operations; the least recently used ones are freed'
  },
  transform: {
    kind: 'array',
    default: [],
    about: 'file with rules that change requests and responses',
    example: 'rules.yaml'
  },
  hooks: {
    kind: 'string',
    about: 'JavaScript module that can change requests and responses',
    example: 'hooks.mjs'
  },
  upstream: {
    kind: 'string',
    about: 'URL of a server to forward requests to instead of mocking',
    example: 'https://api.example.com'
  },
  upstreamProxy: {
    kind: 'string',
    secret: true,
    about: 'URL of an HTTP proxy between nonet and the upstream',
    example: 'http://proxy.example:3128'
  },
  state: {
    kind: 'boolean',
    default: false,
    about: 'store records that clients create, change and delete'
  },
  seedData: {
    kind: 'string',
    about: 'JSON or YAML file with initial records for the collections',
    example: 'records.yaml'
  },
  tellViolations: {
    kind: 'boolean',
    default: false,
    about: 'log one line for each violation besides the line for the request'
  },
  reload: {
    kind: 'boolean',
    default: true,
    about: 'reload documents when they change',
    aboutOff: 'do not reload documents when they change'
  },
  admin: {
    kind: 'boolean',
    default: true,
    about: 'serve the admin pages under /__nonet/',
    aboutOff: 'disable the admin pages under /__nonet/'
  },
  report: {
    kind: 'array',
    default: [],
    about: 'file for a report on exit: .json, .xml (JUnit) or .html; may be repeated',
    example: 'report.xml'
  },
  failOn: {
    kind: 'array',
    default: [],
    about: 'exit with code 1 on violations, on uncovered operations, or both',
    example: 'violation,uncovered'
  }
} as const satisfies Settings

export type MockOptions = Options<typeof settings>
