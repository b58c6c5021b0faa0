import {
  content,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody,
  response
} from '../../kernel/openapi.ts'
import { schemas } from './openapi-schemas.ts'

/** What the service itself answers; everything else is in the documents it mocks. */
export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'nonet mock',
      version: '1.0.0',
      description:
        'Mocks the API of an OpenAPI document; these are the addresses of its own. Browsers get pages, programs JSON. Beyond loopback the admin token is needed.'
    },
    servers: [{ url: baseUrl }],
    security: [{}, { token: [] }],
    paths: { ...PROBES, ...WINDOW, ...DOCUMENTS, ...STATE, ...WEBHOOKS },
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } }
    }
  }
}

type Schema = keyof typeof schemas

const PAGE = content({ type: 'string' }, 'text/html')
const PROBLEM_TYPE = 'application/problem+json'

/** A reference to a schema that is there. */
function refTo(name: Schema): OpenapiPart {
  return ref(name)
}

function problem(description: string): object {
  return response(description, refTo('Problem'), PROBLEM_TYPE)
}

const REFUSALS = {
  401: {
    description: 'Beyond loopback, without the token.',
    content: { ...content(refTo('Problem'), PROBLEM_TYPE), ...PAGE }
  },
  421: problem('The host name is not allowed.')
}

/** The same at one address: JSON, or a page for whoever accepts HTML. */
function shown(name: Schema, description: string): object {
  return { 200: { description, content: { ...content(refTo(name)), ...PAGE } }, ...REFUSALS }
}

const CHANGED = {
  204: { description: 'Done.' },
  303: {
    description: 'Done, for a browser.',
    headers: { Location: { required: true, schema: { type: 'string' } } }
  },
  403: problem('Asked by a page of another origin.'),
  ...REFUSALS
}

const FILTER = [
  inQuery(
    'operation',
    'Operation id, `GET /plants`, a path template, or `none` for requests that met no operation.'
  ),
  inQuery('status', '`404`, or `4xx`.', {
    type: 'string',
    pattern: '^[1-5]([0-9][0-9]|[xX][xX])$'
  }),
  inQuery('violations', 'Only those with, or only those without.', { type: 'boolean' }),
  inQuery('after', 'Only entries after this one.', { type: 'integer', minimum: 0 }),
  inQuery('limit', 'The latest of them.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100
  })
]

function probe(operationId: string, word: string, description: string): object {
  const properties = { status: { const: word } }
  const schema = { type: 'object', required: ['status'], properties }
  const responses = { 200: response(description, schema) }
  return { get: { operationId, security: [], responses } }
}

const PROBES = {
  '/__nonet/healthz': probe('getHealth', 'ok', 'It runs.'),
  '/__nonet/readyz': probe('getReady', 'ready', 'It serves.')
}

function shows(operationId: string, summary: string, name: Schema, parameters: object[] = []) {
  return { operationId, summary, parameters, responses: shown(name, summary) }
}

function changes(operationId: string, summary: string, more: object = {}): object {
  return { operationId, summary, responses: CHANGED, ...more }
}

const INVALID_FILTER = { 400: problem('A filter that cannot be meant.') }

const WINDOW = {
  '/__nonet': {
    get: {
      operationId: 'findWindow',
      summary: 'To the first page',
      responses: {
        308: {
          description: 'It has a slash at its end.',
          headers: { Location: { required: true, schema: { type: 'string' } } }
        },
        ...REFUSALS
      }
    }
  },
  '/__nonet/': { get: shows('openWindow', 'Operations, as the first page', 'Operations') },
  '/__nonet/operations': {
    get: shows(
      'listOperations',
      'Operations of the mocked documents, each with an address to try',
      'Operations'
    )
  },
  '/__nonet/journal': {
    get: {
      operationId: 'readJournal',
      summary: 'What was asked and answered, the latest first',
      parameters: FILTER,
      responses: { ...shown('Journal', 'As far as it is kept.'), ...INVALID_FILTER }
    },
    delete: changes('clearJournal', 'Forget what was asked and answered')
  },
  '/__nonet/journal/clear': {
    post: changes('clearJournalByForm', 'The same for forms, which know no DELETE')
  },
  '/__nonet/journal/events': {
    get: {
      operationId: 'followJournal',
      summary: 'Rows of the page as they come',
      parameters: FILTER,
      responses: {
        200: {
          description: 'Events named `rows`: a JSON text with rows of the table.',
          content: { 'text/event-stream': { schema: { type: 'string' } } }
        },
        204: { description: 'Too many look on already.' },
        ...INVALID_FILTER,
        ...REFUSALS
      }
    }
  },
  '/__nonet/journal/{id}': {
    get: {
      operationId: 'readEntry',
      summary: 'One entry of the journal',
      parameters: [inPath('id')],
      responses: {
        ...shown('Entry', 'The entry.'),
        404: problem('It is not, or no longer, there.')
      }
    }
  },
  '/__nonet/violations': {
    get: shows('listViolations', 'What broke a rule of the documents', 'Violations')
  },
  '/__nonet/coverage': {
    get: shows('readCoverage', 'What was called how often, as `--report` writes it', 'Coverage', [
      inQuery('show', 'On the page: only what was never seen.', { const: 'never' })
    ]),
    delete: changes('resetCoverage', 'Count anew, violations included')
  },
  '/__nonet/coverage/reset': {
    post: changes('resetCoverageByForm', 'The same for forms, which know no DELETE')
  },
  '/__nonet/assets/{file}': {
    get: {
      operationId: 'readAsset',
      summary: 'Scripts of the pages',
      parameters: [inPath('file')],
      responses: {
        200: { description: 'A module.', content: { 'text/javascript': {} } },
        304: { description: 'It has not changed.' },
        404: problem('There is none.'),
        ...REFUSALS
      }
    }
  }
}

const OPENAPI = { type: 'object', required: ['openapi'] }

function document(operationId: string, type: string, parameters: object[] = []): object {
  return {
    operationId,
    summary: 'A document as it is served: version 3.1, every reference inside',
    parameters,
    responses: {
      200: response('The document.', OPENAPI, type),
      404: problem('There is no such document.'),
      ...REFUSALS
    }
  }
}

const KEY = inPath('key', 'Name of the document, or its number.')

const DOCUMENTS = {
  '/__nonet/documents': {
    get: shows('listDocuments', 'Documents, when they were read, and findings', 'Documents')
  },
  '/__nonet/reload': {
    get: {
      operationId: 'readReload',
      summary: 'When documents were read last, and why the newest save is not served',
      responses: {
        200: response('State of the reload.', refTo('Reload')),
        ...REFUSALS
      }
    }
  },
  '/__nonet/document.json': { get: document('readFirstDocument', 'application/json') },
  '/__nonet/document.yaml': { get: document('readFirstDocumentAsYaml', 'application/yaml') },
  '/__nonet/documents/{key}.json': { get: document('readDocument', 'application/json', [KEY]) },
  '/__nonet/documents/{key}.yaml': {
    get: document('readDocumentAsYaml', 'application/yaml', [KEY])
  }
}

const SESSION = inQuery('session', 'Only this session.')

const RESET = {
  responses: {
    ...CHANGED,
    200: response('Done.', refTo('Reset')),
    404: problem('Nothing is kept.')
  },
  parameters: [SESSION]
}

const STATE = {
  '/__nonet/state': {
    get: {
      operationId: 'readState',
      summary: 'What is kept with --state: collections, or the records of one',
      parameters: [inQuery('path', 'Of a collection, without template.'), SESSION],
      responses: {
        200: {
          description: 'Collections and sessions; with `path` records.',
          content: { ...content({ oneOf: [refTo('State'), refTo('Records')] }), ...PAGE }
        },
        404: problem('Nothing is kept, or no collection is there.'),
        ...REFUSALS
      }
    },
    delete: changes('resetState', 'Back to the beginning', RESET)
  },
  '/__nonet/state/reset': {
    post: changes('resetStateByForm', 'The same for forms, which know no DELETE', RESET)
  }
}

const WEBHOOKS = {
  '/__nonet/webhooks': {
    get: shows('listWebhooks', 'Webhooks of the documents', 'Webhooks')
  },
  '/__nonet/webhooks/{name}': {
    post: {
      operationId: 'sendWebhook',
      summary: 'Send a webhook to an address',
      parameters: [inPath('name')],
      requestBody: requestBody(refTo('WebhookCall')),
      responses: {
        ...shown('WebhookOutcome', 'What was sent, and what came back.'),
        400: problem('The body is no JSON.'),
        403: problem('Asked by a page of another origin.'),
        404: problem('No document has such a webhook.'),
        415: problem('The body is no JSON.'),
        422: problem('The call cannot be meant, or the request would break the document.'),
        502: problem('It was not delivered.')
      }
    }
  }
}
