import { content, inPath, inQuery, requestBody, response } from '../../kernel/openapi.ts'
import {
  CHANGED,
  changes,
  FORM_CONTENT,
  LIST_PAGE,
  PAGE,
  PROBLEM_TYPE,
  problem,
  REJECTIONS,
  refTo,
  type Schema,
  shown
} from './openapi-parts.ts'
import { schemas } from './openapi-schemas.ts'
import { RECORDS, STATE } from './openapi-state.ts'

/** OpenAPI document of the admin endpoints; the mocked API has its own documents. */
export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'nonet mock',
      version: '1.0.0',
      description:
        'Mocks the API of an OpenAPI document. These are the admin endpoints: browsers get HTML pages, other clients JSON. The admin token is required if nonet is reachable from other machines.'
    },
    servers: [{ url: baseUrl }],
    security: [{}, { token: [] }],
    paths: { ...PROBES, ...WINDOW, ...DOCUMENTS, ...STATE, ...RECORDS, ...WEBHOOKS },
    components: {
      schemas,
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } }
    }
  }
}

const FILTER = [
  inQuery(
    'operation',
    'Operation id, `GET /plants`, a path template, or `none` for requests without a matching operation.'
  ),
  inQuery('status', '`404`, or `4xx`.', {
    type: 'string',
    pattern: '^[1-5]([0-9][0-9]|[xX][xX])$'
  }),
  inQuery('violations', 'Only entries with violations, or only entries without.', {
    type: 'boolean'
  }),
  inQuery('after', 'Only entries after this one.', { type: 'integer', minimum: 0 }),
  inQuery('before', 'Only entries before this one.', { type: 'integer', minimum: 1 }),
  inQuery('limit', 'Maximum number of entries, latest first.', {
    type: 'integer',
    minimum: 1,
    maximum: 1000,
    default: 100
  })
]

function probe(
  operationId: string,
  word: string,
  description: string,
  others: object = {}
): object {
  const properties = { status: { const: word } }
  const schema = { type: 'object', required: ['status'], properties }
  const responses = { 200: response(description, schema), ...others }
  return { get: { operationId, security: [], responses } }
}

const PROBES = {
  '/__nonet/healthz': probe('getHealth', 'ok', 'The process is running.'),
  '/__nonet/readyz': probe('getReady', 'ready', 'The mock is ready for requests.', {
    503: response('The database of the state is unavailable.', {
      type: 'object',
      required: ['status', 'reason'],
      properties: { status: { const: 'unavailable' }, reason: { type: 'string' } }
    })
  })
}

function shows(operationId: string, summary: string, name: Schema, parameters: object[] = []) {
  return { operationId, summary, parameters, responses: shown(name, summary) }
}

const INVALID_FILTER = { 400: problem('The filter is invalid.') }

const FIND = inQuery('find', 'On the page: words of the operations to show.')
const NO_ENTRY = problem('The entry does not exist or is no longer kept.')
const FORM_PAGE = { 200: { description: 'The page.', content: PAGE }, ...REJECTIONS }
const REJECTED_REQUEST = {
  description: 'The request cannot be sent.',
  content: { ...content(refTo('Problem'), PROBLEM_TYPE), ...PAGE }
}

const WINDOW = {
  '/__nonet': {
    get: {
      operationId: 'findWindow',
      summary: 'Redirect to the first page',
      responses: {
        308: {
          description: 'The URL ends with a slash.',
          headers: { Location: { required: true, schema: { type: 'string' } } }
        },
        ...REJECTIONS
      }
    }
  },
  '/__nonet/': {
    get: shows('openWindow', 'Show the operations page', 'Operations', [FIND, LIST_PAGE])
  },
  '/__nonet/operations': {
    get: shows(
      'listOperations',
      'List the mocked operations, each with a URL to try',
      'Operations',
      [FIND, LIST_PAGE]
    )
  },
  '/__nonet/try': {
    get: {
      operationId: 'openForm',
      summary: 'Show the form of an operation',
      parameters: [
        { ...inQuery('operation', '`POST /plants`, or an operation id.'), required: true },
        inQuery('document', 'The document, if there are several.')
      ],
      responses: { ...FORM_PAGE, 404: problem('Unknown operation.') }
    },
    post: {
      operationId: 'sendForm',
      summary: 'Send the request of that form to the mock',
      requestBody: { required: true, content: FORM_CONTENT },
      responses: {
        ...shown('Entry', 'The request and its response.'),
        403: problem('The request came from a page of another origin.'),
        404: problem('Unknown operation.'),
        422: REJECTED_REQUEST
      }
    }
  },
  '/__nonet/send': {
    get: {
      operationId: 'openEditor',
      summary: 'Show a form for any request',
      responses: FORM_PAGE
    },
    post: {
      operationId: 'sendRequest',
      summary: 'Send a request to the mock, inside the process',
      requestBody: {
        required: true,
        content: { ...content(refTo('RequestToSend')), ...FORM_CONTENT }
      },
      responses: {
        ...shown('Entry', 'The request and its response.'),
        400: problem('The body is not JSON.'),
        403: problem('The request came from a page of another origin.'),
        415: problem('The body is not JSON.'),
        422: REJECTED_REQUEST
      }
    }
  },
  '/__nonet/journal': {
    get: {
      operationId: 'readJournal',
      summary: 'List requests and responses, latest first',
      parameters: FILTER,
      responses: { ...shown('Journal', 'The entries that are kept.'), ...INVALID_FILTER }
    },
    delete: changes('clearJournal', 'Clear the journal')
  },
  '/__nonet/journal/clear': {
    post: changes('clearJournalByForm', 'The same for HTML forms, which cannot send DELETE')
  },
  '/__nonet/journal/events': {
    get: {
      operationId: 'followJournal',
      summary: 'Stream new rows of the page',
      parameters: FILTER,
      responses: {
        200: {
          description: 'Events named `rows`: a JSON array of HTML table rows.',
          content: { 'text/event-stream': { schema: { type: 'string' } } }
        },
        204: { description: 'Too many clients follow the journal.' },
        ...INVALID_FILTER,
        ...REJECTIONS
      }
    }
  },
  '/__nonet/journal/{id}': {
    get: {
      operationId: 'readEntry',
      summary: 'Get one journal entry',
      parameters: [inPath('id')],
      responses: {
        ...shown('Entry', 'The entry.'),
        404: NO_ENTRY
      }
    }
  },
  '/__nonet/journal/{id}/edit': {
    get: {
      operationId: 'editEntry',
      summary: 'Show a form with the request of an entry',
      parameters: [inPath('id')],
      responses: { ...FORM_PAGE, 404: NO_ENTRY }
    }
  },
  '/__nonet/journal/{id}/send': {
    post: {
      operationId: 'repeatEntry',
      summary: 'Send the request of an entry again',
      parameters: [inPath('id')],
      responses: {
        200: response('The new entry.', refTo('Entry')),
        303: CHANGED[303],
        403: CHANGED[403],
        404: NO_ENTRY,
        422: problem('Only the beginning of the body was kept.'),
        ...REJECTIONS
      }
    }
  },
  '/__nonet/violations': {
    get: shows('listViolations', 'List the violations', 'Violations', [LIST_PAGE])
  },
  '/__nonet/coverage': {
    get: shows('readCoverage', 'Get the coverage, as `--report` writes it', 'Coverage', [
      inQuery('show', 'On the page: show only parts that were never seen.', { const: 'never' }),
      LIST_PAGE
    ]),
    delete: changes('resetCoverage', 'Reset the coverage, including violations')
  },
  '/__nonet/coverage/reset': {
    post: changes('resetCoverageByForm', 'The same for HTML forms, which cannot send DELETE')
  },
  '/__nonet/assets/{file}': {
    get: {
      operationId: 'readAsset',
      summary: 'Get a script of the pages',
      parameters: [inPath('file')],
      responses: {
        200: { description: 'A module.', content: { 'text/javascript': {} } },
        304: { description: 'Not modified.' },
        404: problem('Not found.'),
        ...REJECTIONS
      }
    }
  }
}

const OPENAPI = { type: 'object', required: ['openapi'] }

function document(operationId: string, type: string, parameters: object[] = []): object {
  return {
    operationId,
    summary: 'Get a document as it is served: version 3.1, with all references inlined',
    parameters,
    responses: {
      200: response('The document.', OPENAPI, type),
      404: problem('Document not found.'),
      ...REJECTIONS
    }
  }
}

const KEY = inPath('key', 'Name of the document, or its number.')

const DOCUMENTS = {
  '/__nonet/documents': {
    get: shows(
      'listDocuments',
      'List the documents, when they were loaded, and their problems',
      'Documents'
    )
  },
  '/__nonet/reload': {
    get: {
      operationId: 'readReload',
      summary: 'Get the time of the last load, and why the latest version is not served',
      responses: {
        200: response('Status of the last reload.', refTo('Reload')),
        ...REJECTIONS
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

const WEBHOOKS = {
  '/__nonet/webhooks': {
    get: shows('listWebhooks', 'List the webhooks', 'Webhooks', [LIST_PAGE])
  },
  '/__nonet/webhooks/{name}': {
    post: {
      operationId: 'sendWebhook',
      summary: 'Send a webhook to a URL',
      parameters: [inPath('name')],
      requestBody: requestBody(refTo('WebhookCall')),
      responses: {
        ...shown('WebhookOutcome', 'The request and the response.'),
        400: problem('The body is not JSON.'),
        403: problem('The request came from a page of another origin.'),
        404: problem('Unknown webhook.'),
        415: problem('The body is not JSON.'),
        422: problem('The call is invalid, or the request would violate the document.'),
        502: problem('The webhook was not delivered.')
      }
    }
  }
}
