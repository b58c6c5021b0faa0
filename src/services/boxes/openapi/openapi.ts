import {
  content,
  ERROR_PAGES,
  inHeader,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody,
  response
} from '../../../kernel/openapi.ts'
import {
  DEFAULT_LIMIT,
  JSON_TYPE,
  MAX_BOX_ID_BYTES,
  MAX_LIMIT,
  MAX_RECORDS_PER_REQUEST,
  RECORD_ID
} from '../contract.ts'
import { MAX_OPERATIONS } from '../text/json-patch.ts'
import { SHARED_SCHEMAS, sharedPaths } from './openapi-shared.ts'

export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'JSON storage API',
      version: '1',
      description:
        'Records of arbitrary JSON, returned exactly as sent. The second segment of a path is a ' +
        `record if it is 24 hexadecimal digits, else a collection. ${ERROR_PAGES}`,
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/': home(),
      ...sharedPaths(BOX, ERROR, FILTERS),
      '/_meta/{box}': {
        parameters: [BOX],
        get: operation('readMeta', 'Get the record count and dates of a box', ref('Meta'), [], []),
        put: writing(
          operation('putLimits', 'Set the limits of a box', ref('Meta'), [], WRITE_ERRORS),
          ref('Limits')
        )
      },
      '/_indexes/{box}': {
        parameters: [BOX],
        get: operation('readIndexes', 'List the indexes of a box', ref('Indexes'), [], [400]),
        put: writing(
          operation('putIndexes', 'Replace all indexes', ref('Indexes'), [], WRITE_ERRORS),
          { type: 'array', items: { type: 'string' }, maxItems: 16 }
        ),
        delete: protectedBy(
          operation('removeIndexes', 'Drop all indexes', ref('Message'), [], WRITE_ERRORS)
        )
      },
      '/_indexes/{box}/{path}': {
        parameters: [BOX, PATH],
        put: protectedBy(
          operation('addIndex', 'Declare one index', ref('Indexes'), [], WRITE_ERRORS)
        ),
        delete: protectedBy(
          operation('removeIndex', 'Drop one index', ref('Message'), [], [...WRITE_ERRORS, 404])
        )
      },
      '/_schema/{box}': { parameters: [BOX], ...schemaOperations('Box') },
      '/_schema/{box}/{collection}': {
        parameters: [BOX, COLLECTION],
        ...schemaOperations('Collection')
      },
      '/_batch/{box}': {
        parameters: [BOX],
        post: writing(
          operation('runBatch', 'Run an atomic batch', ref('Results'), [], BATCH_ERRORS),
          { type: 'array', items: ref('Operation'), minItems: 1, maxItems: MAX_RECORDS_PER_REQUEST }
        )
      },
      '/{box}': {
        parameters: [BOX],
        post: create('createRecords', 'Store one or more records'),
        get: list('listRecords', 'List the records of a box, including its collections'),
        delete: removeByQuery('removeRecords', 'Delete the matching records of a box', ALL)
      },
      '/{box}/{part}': {
        parameters: [BOX, PART],
        post: create('createInCollection', 'Store records in a collection'),
        get: list('readRecordOrCollection', 'Read one record, or list a collection'),
        put: replace('replaceRecord'),
        patch: patch('patchRecord'),
        delete: removeByQuery(
          'removeRecordOrMatches',
          'Delete one record, or the matching records of a collection',
          IF_MATCH
        )
      },
      '/{box}/{collection}/{id}': {
        parameters: [BOX, COLLECTION, ID],
        get: operation('readRecord', 'Read one record', ref('Record'), [], [400, 404]),
        put: replace('replaceRecordInCollection'),
        patch: patch('patchRecordInCollection'),
        delete: operation('removeRecord', 'Delete one record', ref('Message'), [], WRITE_ERRORS)
      }
    },
    components: { schemas: { ...SCHEMAS, ...SHARED_SCHEMAS }, securitySchemes: SECURITY_SCHEMES }
  }
}

const WRITE_ERRORS = [400, 401, 412, 503]
const PATCH_ERRORS = [...WRITE_ERRORS, 404, 409, 413, 422, 507]
const BATCH_ERRORS = [...PATCH_ERRORS, 429]

const ID_SCHEMA = { type: 'string', pattern: RECORD_ID.source }

const BOX = inPath('box', `A path segment of 1 to ${MAX_BOX_ID_BYTES} bytes.`, {
  type: 'string',
  minLength: 1,
  maxLength: MAX_BOX_ID_BYTES
})
const PART = inPath('part', 'A record id, or the name of a collection.')
const COLLECTION = inPath('collection', 'Name of a collection.')
const PATH = inPath('path', 'Path of a field, as in `q`.')
const ID = inPath('id', 'Id of a record.', ID_SCHEMA)

const FILTERS = [
  inQuery('q', 'Comma-separated terms `path:value`; all terms must match.', {
    type: 'array',
    items: { type: 'string' }
  }),
  inQuery('where', 'A condition as JSON, with operators such as $gt and $in.')
]

const FIELDS = inQuery('fields', 'Comma-separated fields to return; dots separate nested fields.')
const TTL = inQuery('ttl', 'Lifetime in seconds.', { type: 'integer', minimum: 1 })
const ALL = inQuery('all', '`true` deletes the box.', { type: 'string', enum: ['true'] })
const IF_MATCH = inHeader('If-Match', 'Only if the record has one of these entity tags.')
const IF_NONE_MATCH = inHeader('If-None-Match', '`*`: only if the record does not exist.')
const PREFER = inHeader('Prefer', '`return=representation` returns the record.')

const LIST_PARAMETERS = [
  ...FILTERS,
  FIELDS,
  inQuery('sort', 'Comma-separated fields; a leading - sorts descending.'),
  inQuery('skip', 'Records to skip; alias: `offset`.', { type: 'integer', minimum: 0 }),
  inQuery('limit', 'Maximum number of records; 0 means the largest value allowed.', {
    type: 'integer',
    minimum: 0,
    default: DEFAULT_LIMIT,
    description: `At most ${MAX_LIMIT}.`
  }),
  inQuery('cursor', 'Cursor from the Link header of the previous page.'),
  inQuery('count', '`true` adds the X-Total-Count header.', { type: 'string', enum: ['true'] })
]

function operation(
  operationId: string,
  summary: string,
  schema: OpenapiPart,
  parameters: readonly OpenapiPart[],
  errors: readonly number[]
): OpenapiPart {
  return {
    operationId,
    summary,
    parameters,
    responses: {
      200: response('Success.', schema, JSON_TYPE),
      ...Object.fromEntries(errors.map((status) => [status, ERROR]))
    }
  }
}

const ERROR = response('Rejected; see the message.', ref('Failure'), JSON_TYPE)

function protectedBy(described: OpenapiPart): OpenapiPart {
  return { ...described, security: [{}, { key: [] }, { authorization: [] }] }
}

function create(operationId: string, summary: string): OpenapiPart {
  const one = ref('Record')
  const many = { type: 'array', items: one }
  const body = { type: 'object' }
  const several = { type: 'array', items: body, maxItems: MAX_RECORDS_PER_REQUEST, minItems: 1 }
  const errors = [400, 401, 413, 422, 429, 503, 507]
  return protectedBy({
    ...operation(operationId, summary, { anyOf: [one, many] }, [TTL], errors),
    requestBody: requestBody({ anyOf: [body, several] })
  })
}

function list(operationId: string, summary: string): OpenapiPart {
  const listed = { type: 'array', items: ref('Record') }
  return operation(operationId, summary, listed, LIST_PARAMETERS, [400, 404, 503])
}

function replace(operationId: string): OpenapiPart {
  return protectedBy({
    ...operation(
      operationId,
      'Replace one record',
      { anyOf: [ref('Message'), ref('Record')] },
      [IF_MATCH, IF_NONE_MATCH, PREFER, TTL],
      [...WRITE_ERRORS, 413, 422, 507]
    ),
    requestBody: requestBody({ type: 'object' })
  })
}

function patch(operationId: string): OpenapiPart {
  const parameters = [IF_MATCH, FIELDS]
  const merge = { schema: { type: 'object' } }
  return protectedBy({
    ...operation(operationId, 'Change one record', ref('Record'), parameters, PATCH_ERRORS),
    requestBody: {
      required: true,
      content: {
        'application/merge-patch+json': merge,
        'application/json': merge,
        'application/json-patch+json': {
          schema: { type: 'array', items: { type: 'object' }, maxItems: MAX_OPERATIONS }
        }
      }
    }
  })
}

function writing(described: OpenapiPart, schema: OpenapiPart): OpenapiPart {
  return protectedBy({ ...described, requestBody: requestBody(schema) })
}

function schemaOperations(of: string): OpenapiPart {
  const schema = { anyOf: [{ type: 'object' }, { type: 'boolean' }] }
  return {
    get: operation(`read${of}Schema`, 'Read the schema', schema, [], [400, 404]),
    put: writing(
      operation(`put${of}Schema`, 'Set the schema', schema, [], [...WRITE_ERRORS, 413]),
      schema
    ),
    delete: protectedBy(
      operation(`remove${of}Schema`, 'Delete it', ref('Message'), [], [...WRITE_ERRORS, 404])
    )
  }
}

function removeByQuery(operationId: string, summary: string, only: OpenapiPart): OpenapiPart {
  const parameters = [...FILTERS, only]
  return protectedBy(operation(operationId, summary, ref('Message'), parameters, WRITE_ERRORS))
}

function home(): OpenapiPart {
  const form = {
    type: 'object',
    required: ['box', 'action'],
    properties: Object.fromEntries(
      ['box', 'action', 'record', 'rev', 'text', 'key'].map((name) => [name, { type: 'string' }])
    )
  }
  return {
    get: {
      operationId: 'readHome',
      summary: 'Get an unused box id, or the HTML page',
      responses: {
        200: {
          description: 'Success.',
          content: {
            ...content(ref('Home'), JSON_TYPE),
            ...content({ type: 'string' }, 'text/html; charset=utf-8')
          }
        }
      }
    },
    post: {
      operationId: 'submitForm',
      summary: 'Submit a form of the page',
      requestBody: { content: content(form, 'application/x-www-form-urlencoded') },
      responses: {
        200: { description: 'The page, also with the records as a download.' },
        303: { description: 'Done; the page shows the result.' },
        400: { description: 'The page with an error message.' }
      }
    }
  }
}

const TIME = { type: 'string', format: 'date-time' }

const SCHEMAS = {
  Record: {
    type: 'object',
    description: 'The fields as sent, between the system fields.',
    required: ['_id', '_createdOn'],
    properties: {
      _id: ID_SCHEMA,
      _createdOn: TIME,
      _updatedOn: TIME,
      _collection: { type: 'string' }
    }
  },
  Meta: {
    type: 'object',
    required: ['_count', '_sizeLimit'],
    properties: {
      _count: { type: 'integer' },
      _sizeLimit: { type: 'integer', description: 'Maximum size of a record in KiB.' },
      _createdOn: TIME,
      _updatedOn: TIME,
      _ttl: { type: 'integer', description: 'Lifetime of new records in seconds.' },
      _cap: { type: 'integer', description: 'Maximum number of records in the box.' }
    }
  },
  Limits: {
    type: 'object',
    properties: {
      ttl: { type: ['integer', 'null'], minimum: 1 },
      cap: { type: ['integer', 'null'], minimum: 1, maximum: 10_000 }
    },
    additionalProperties: false
  },
  Indexes: {
    type: 'array',
    items: {
      type: 'object',
      required: ['path', 'state'],
      properties: { path: { type: 'string' }, state: { enum: ['building', 'ready'] } }
    }
  },
  Operation: {
    type: 'object',
    required: ['op'],
    properties: {
      op: { enum: ['create', 'put', 'patch', 'delete'] },
      id: ID_SCHEMA,
      collection: { type: 'string' },
      ttl: { type: 'integer', minimum: 1 },
      body: { type: ['object', 'array'] },
      ifMatch: { type: ['string', 'integer'] },
      ifNoneMatch: { type: ['string', 'integer'] }
    },
    additionalProperties: false
  },
  Results: {
    type: 'array',
    items: {
      type: 'object',
      required: ['_id'],
      properties: { _id: ID_SCHEMA, etag: { type: 'string' }, record: ref('Record') }
    }
  },
  Message: { type: 'object', required: ['message'], properties: { message: { type: 'string' } } },
  Home: {
    type: 'object',
    required: ['box', 'url'],
    properties: { box: { type: 'string' }, url: { type: 'string', format: 'uri' } }
  },
  Failure: {
    type: 'object',
    required: ['message', 'code'],
    properties: {
      message: { type: 'string' },
      code: { type: 'string' },
      position: { type: 'integer', description: 'Byte offset in the body.' },
      reason: { type: 'string' },
      index: { type: 'integer', description: 'Index of the record or operation.' },
      errors: {
        type: 'array',
        items: {
          type: 'object',
          properties: { path: { type: 'string' }, message: { type: 'string' } }
        }
      }
    }
  }
}

const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'A UUID of your choice.' },
  authorization: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The key after any scheme: `API-KEY <uuid>`.'
  }
}
