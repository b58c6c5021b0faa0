import type { Options, Settings } from '../../kernel/service.ts'

export const settings = {
  documents: {
    kind: 'list',
    default: [],
    alias: 'mock',
    about: 'OpenAPI document to mock, a file or an address, or name=file to serve it below /name',
    example: 'openapi.yaml'
  },
  overlay: {
    kind: 'list',
    default: [],
    about:
      'Overlay to change the documents with, a file or an address, in order; name=file for one of them, patch:file for a patch in between',
    example: 'local.overlay.yaml'
  },
  patch: {
    kind: 'list',
    default: [],
    about: 'JSON Patch or Merge Patch to change the documents with after the overlays',
    example: 'local.patch.json'
  },
  dynamic: { kind: 'switch', default: false, about: 'random bodies instead of examples' },
  seed: { kind: 'text', about: 'seed of random bodies: same seed, same bytes' },
  ignoreExamples: {
    kind: 'switch',
    default: false,
    about: 'bodies from schemas even where the document has examples'
  },
  fillProperties: {
    kind: 'text',
    choices: ['on', 'off'],
    about: 'whether random bodies may have properties that a schema merely permits'
  },
  errors: {
    kind: 'switch',
    default: false,
    about: 'answers that violate the document become 500; in front of an upstream, requests 422'
  },
  cors: { kind: 'switch', default: true, about: 'CORS headers and preflights of the mock' },
  validateRequest: {
    kind: 'switch',
    default: true,
    about: 'the check of parameters and bodies of requests'
  },
  validateSecurity: { kind: 'switch', default: true, about: 'the check of credentials' },
  validateResponse: { kind: 'switch', default: true, about: 'the check of answers' },
  basePath: {
    kind: 'text',
    default: 'both',
    about: 'where paths are served: both (with and without the server path), off, only, or a path',
    example: '/v1'
  },
  callbacks: { kind: 'switch', default: true, about: 'the sending of callbacks' },
  allowCallbacks: {
    kind: 'switch',
    default: false,
    about: 'callbacks may go to private addresses'
  },
  allowRemoteRefs: {
    kind: 'switch',
    default: false,
    about: 'references may lead to other origins'
  },
  transform: {
    kind: 'list',
    default: [],
    about: 'file with rules that change requests and answers',
    example: 'rules.yaml'
  },
  hooks: {
    kind: 'text',
    about: 'module of your own that is shown requests and answers and may change them',
    example: 'hooks.mjs'
  },
  upstream: {
    kind: 'text',
    about: 'server to forward valid requests to instead of mocking',
    example: 'https://api.example.com'
  },
  upstreamProxy: {
    kind: 'text',
    secret: true,
    about: 'HTTP proxy on the way to the upstream',
    example: 'http://proxy.example:3128'
  },
  state: {
    kind: 'switch',
    default: false,
    about: 'collections keep what is created, changed and removed'
  },
  seedData: {
    kind: 'text',
    about: 'file of records that collections start with, JSON or YAML',
    example: 'records.yaml'
  },
  tellViolations: {
    kind: 'switch',
    default: false,
    about: 'one line for each violation besides the line for the request'
  },
  reload: { kind: 'switch', default: true, about: 'the reload of changed documents' },
  admin: { kind: 'switch', default: true, about: 'the addresses below /__nonet/' },
  report: {
    kind: 'text',
    about: 'file for a report at the end: .json, .xml (JUnit) or .html',
    example: 'report.xml'
  },
  failOn: {
    kind: 'list',
    default: [],
    about: 'end with exit code 1 after a violation, or with uncovered operations',
    example: 'violation,uncovered'
  }
} as const satisfies Settings

export type MockOptions = Options<typeof settings>
