import { ref } from '../../kernel/openapi.ts'
import { FAULTS } from './serve/faults.ts'

/** JSON Schemas of the responses under `/__nonet/`. */
const TEXT = { type: 'string' }
const COUNT = { type: 'integer', minimum: 0 }
const TEXT_OR_NULL = { type: ['string', 'null'] }
const COUNTS = { type: 'object', additionalProperties: COUNT }
const TEXTS = { type: 'array', items: TEXT }

function record(properties: Record<string, object>, optional: readonly string[] = []): object {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    properties
  }
}

function listOf(name: string): object {
  return { type: 'array', items: ref(name) }
}

const OPERATION_NAME = record({
  method: TEXT,
  path: TEXT,
  operationId: TEXT_OR_NULL,
  document: TEXT
})

const VIOLATION = {
  method: TEXT,
  path: TEXT,
  status: COUNT,
  location: TEXT,
  message: TEXT,
  severity: TEXT
}

const RECORDED = {
  ...VIOLATION,
  entry: { ...COUNT, description: 'Number of the journal entry, which may no longer be kept.' }
}

const RELOAD = {
  watched: { type: 'boolean' },
  loadedAt: { type: 'string', format: 'date-time' },
  reloads: COUNT,
  failure: TEXT_OR_NULL,
  findings: {
    type: 'array',
    items: record({ level: { enum: ['error', 'warning'] }, where: TEXT, text: TEXT })
  }
}

const HEADERS = { type: 'object', additionalProperties: { anyOf: [TEXT, TEXTS] } }

export const schemas = {
  Operations: record({ operations: listOf('Operation') }),
  Operation: record({
    method: TEXT,
    path: TEXT,
    operationId: TEXT_OR_NULL,
    summary: TEXT_OR_NULL,
    document: TEXT,
    statuses: TEXTS,
    url: { type: 'string', format: 'uri' }
  }),
  Journal: record({
    recorded: { ...COUNT, description: 'Since the start or the last reset.' },
    kept: COUNT,
    bytes: COUNT,
    last: { ...COUNT, description: 'Number of the latest entry, also if it is no longer kept.' },
    entries: listOf('Entry')
  }),
  Entry: record({
    id: COUNT,
    at: { type: 'string', format: 'date-time' },
    method: TEXT,
    path: TEXT,
    query: { ...TEXT, description: 'Credentials are masked.' },
    operation: { anyOf: [OPERATION_NAME, { type: 'null' }] },
    status: COUNT,
    example: TEXT_OR_NULL,
    problem: TEXT_OR_NULL,
    fault: {
      enum: [...Object.keys(FAULTS), null],
      description: 'The simulated fault; the response is then the one that would have been sent.'
    },
    forwarded: { type: 'boolean', description: 'Whether the response came from the upstream.' },
    milliseconds: { type: 'number' },
    violations: listOf('Diagnostic'),
    request: ref('Message'),
    response: ref('Message')
  }),
  Message: record({
    headers: { ...HEADERS, description: 'Credentials are masked.' },
    body: { anyOf: [ref('Body'), { type: 'null' }] }
  }),
  Body: record(
    {
      bytes: COUNT,
      cut: { type: 'boolean' },
      text: { ...TEXT, description: 'Present if the body is UTF-8. Credentials are masked.' },
      base64: { ...TEXT, description: 'Present otherwise.' }
    },
    ['text', 'base64']
  ),
  Diagnostic: record(
    {
      location: TEXTS,
      severity: { enum: ['Error', 'Warning', 'Information', 'Hint'] },
      code: { type: ['string', 'integer'] },
      message: TEXT
    },
    ['code']
  ),
  Violation: record(VIOLATION),
  Violations: record({
    violations: {
      type: 'array',
      items: record({ ...RECORDED, operation: OPERATION_NAME }, ['entry'])
    },
    strayRequests: { type: 'array', items: record(RECORDED, ['entry']) }
  }),
  Coverage: record({
    operations: COUNT,
    covered: COUNT,
    calls: COUNT,
    violations: COUNT,
    strays: COUNT,
    byOperation: listOf('CoveredOperation'),
    strayRequests: listOf('Violation')
  }),
  CoveredOperation: record({
    method: TEXT,
    path: TEXT,
    operationId: TEXT_OR_NULL,
    document: TEXT,
    calls: COUNT,
    statuses: COUNTS,
    undocumentedStatuses: COUNTS,
    examples: COUNTS,
    parameters: COUNTS,
    requestTypes: COUNTS,
    violations: listOf('Violation')
  }),
  Reload: record(RELOAD),
  Documents: record({
    ...RELOAD,
    documents: {
      type: 'array',
      items: record({
        name: TEXT_OR_NULL,
        source: TEXT,
        title: TEXT,
        operations: COUNT,
        webhooks: COUNT,
        json: { type: 'string', format: 'uri-reference' },
        yaml: { type: 'string', format: 'uri-reference' }
      })
    }
  }),
  Webhooks: record({
    webhooks: {
      type: 'array',
      items: record({
        name: TEXT,
        method: TEXT,
        operationId: TEXT_OR_NULL,
        summary: TEXT_OR_NULL,
        document: TEXT,
        examples: TEXTS,
        statuses: TEXTS
      })
    }
  }),
  RequestToSend: {
    type: 'object',
    additionalProperties: false,
    required: ['target'],
    properties: {
      method: { ...TEXT, default: 'GET' },
      target: { ...TEXT, description: 'Path and query.' },
      headers: { type: 'object', additionalProperties: TEXT },
      body: TEXT
    }
  },
  WebhookCall: {
    type: 'object',
    additionalProperties: false,
    required: ['url'],
    properties: {
      url: { type: 'string', format: 'uri', description: 'URL of the receiver.' },
      body: { description: 'Body to send instead of an example or a generated body.' },
      example: { ...TEXT, description: 'Name of an example of the body.' },
      headers: { type: 'object', additionalProperties: TEXT },
      method: { ...TEXT, description: 'Required if the webhook has several methods.' },
      document: { ...TEXT, description: 'Required if several documents define the webhook.' },
      validate: { type: 'boolean', default: true }
    }
  },
  WebhookOutcome: record({
    sent: record(
      {
        url: TEXT,
        method: TEXT,
        headers: { type: 'object', additionalProperties: TEXT },
        body: TEXT
      },
      ['body']
    ),
    reply: record({
      status: COUNT,
      headers: { type: 'object', additionalProperties: TEXT },
      body: TEXT
    }),
    violations: listOf('Diagnostic'),
    milliseconds: { type: 'number' }
  }),
  State: record({
    collections: {
      type: 'array',
      items: record({
        path: TEXT,
        document: TEXT,
        actions: {
          type: 'array',
          items: { enum: ['list', 'create', 'read', 'replace', 'patch', 'remove'] }
        },
        id: TEXT_OR_NULL,
        places: { type: 'array', items: record({ path: TEXT, records: COUNT }) }
      })
    },
    sessions: {
      type: 'array',
      items: record({
        session: TEXT,
        records: COUNT,
        bytes: COUNT,
        usedAt: { type: 'string', format: 'date-time' }
      })
    }
  }),
  Records: record({ path: TEXT, records: { type: 'array', items: { type: 'object' } } }),
  Record: record({ path: TEXT, record: { type: 'object' } }),
  Reset: record({ reset: { ...TEXT, description: 'The session, or `all`.' } }),
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'code'],
    properties: {
      type: { type: 'string', format: 'uri-reference' },
      title: TEXT,
      status: COUNT,
      detail: TEXT,
      code: TEXT,
      validation: listOf('Diagnostic')
    }
  }
}
