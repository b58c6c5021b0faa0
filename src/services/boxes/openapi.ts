import {
  DEFAULT_LIMIT,
  JSON_TYPE,
  MAX_BOX_ID_BYTES,
  MAX_LIMIT,
  MAX_RECORDS_PER_REQUEST
} from './contract.ts'

type Described = Readonly<Record<string, unknown>>

export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'JSON storage API',
      version: '1',
      description:
        'Records of arbitrary JSON, returned exactly as sent. The second segment of a path is a ' +
        'record if it is 24 hexadecimal digits, else a collection.',
      license: { name: 'MIT', identifier: 'MIT' }
    },
    servers: [{ url: baseUrl }],
    paths: {
      '/': home(),
      '/_meta/{box}': {
        parameters: [BOX],
        get: operation('readMeta', 'Count and dates of a box', ref('Meta'), [], [])
      },
      '/{box}': {
        parameters: [BOX],
        post: create('createRecords', 'Store one record, or several at once'),
        get: list('listRecords', 'List a box, its collections included'),
        delete: removeByQuery('removeRecords', 'Delete what matches in a box')
      },
      '/{box}/{part}': {
        parameters: [BOX, PART],
        post: create('createInCollection', 'Store into a collection'),
        get: list('readRecordOrCollection', 'Read one record, or list a collection'),
        put: replace('replaceRecord'),
        delete: removeByQuery(
          'removeRecordOrMatches',
          'Delete one record, or matches in a collection'
        )
      },
      '/{box}/{collection}/{id}': {
        parameters: [BOX, COLLECTION, ID],
        get: operation('readRecord', 'Read one record', ref('Record'), [], [400, 404]),
        put: replace('replaceRecordInCollection'),
        delete: operation('removeRecord', 'Delete one record', ref('Message'), [], WRITE_FAILURES)
      }
    },
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES }
  }
}

const WRITE_FAILURES = [400, 401, 503]

function ref(name: string): Described {
  return { $ref: `#/components/schemas/${name}` }
}

function inPath(name: string, description: string, schema: Described): Described {
  return { name, in: 'path', required: true, description, schema }
}

const ID_SCHEMA = { type: 'string', pattern: '^[0-9A-Fa-f]{24}$' }

const BOX = inPath('box', `Any segment of 1 to ${MAX_BOX_ID_BYTES} bytes.`, {
  type: 'string',
  minLength: 1,
  maxLength: MAX_BOX_ID_BYTES
})
const PART = inPath('part', 'A record id, or the name of a collection.', { type: 'string' })
const COLLECTION = inPath('collection', 'Name of a collection.', { type: 'string' })
const ID = inPath('id', 'Id of a record.', ID_SCHEMA)

function inQuery(name: string, description: string, schema: Described = { type: 'string' }) {
  return { name, in: 'query', description, schema }
}

const FILTERS = [
  inQuery('q', 'Terms `path:value` joined by commas; repeated ones must all hold.', {
    type: 'array',
    items: { type: 'string' }
  }),
  inQuery('where', 'A condition as JSON, with operators such as $gt and $in.')
]

const LIST_PARAMETERS = [
  ...FILTERS,
  inQuery('sort', 'Fields, comma separated; a leading - is descending.'),
  inQuery('skip', 'Records to leave out; offset is the same.', { type: 'integer', minimum: 0 }),
  inQuery('limit', 'Records to answer; 0 is the most.', {
    type: 'integer',
    minimum: 0,
    default: DEFAULT_LIMIT,
    description: `At most ${MAX_LIMIT}.`
  }),
  inQuery('cursor', 'Where to go on, from the Link header of the page before.'),
  inQuery('count', 'true sends X-Total-Count.', { type: 'string', enum: ['true'] })
]

function operation(
  operationId: string,
  summary: string,
  schema: Described,
  parameters: readonly Described[],
  failures: readonly number[]
): Described {
  return {
    operationId,
    summary,
    parameters,
    responses: {
      200: { description: 'Done.', content: { [JSON_TYPE]: { schema } } },
      ...Object.fromEntries(failures.map((status) => [status, FAILURE]))
    }
  }
}

const FAILURE = {
  description: 'Refused; the message says why.',
  content: { [JSON_TYPE]: { schema: ref('Failure') } }
}

function protectedBy(described: Described): Described {
  return { ...described, security: [{}, { key: [] }, { authorization: [] }] }
}

function create(operationId: string, summary: string): Described {
  const one = ref('Record')
  const many = { type: 'array', items: one }
  const body = { type: 'object' }
  const several = { type: 'array', items: body, maxItems: MAX_RECORDS_PER_REQUEST, minItems: 1 }
  const failures = [400, 401, 413, 429, 503, 507]
  return protectedBy({
    ...operation(operationId, summary, { anyOf: [one, many] }, [], failures),
    requestBody: requestBody({ anyOf: [body, several] })
  })
}

function requestBody(schema: Described): Described {
  return { required: true, content: { 'application/json': { schema } } }
}

function list(operationId: string, summary: string): Described {
  const listed = { type: 'array', items: ref('Record') }
  return operation(operationId, summary, listed, LIST_PARAMETERS, [400, 404, 503])
}

function replace(operationId: string): Described {
  return protectedBy({
    ...operation(
      operationId,
      'Replace one record',
      ref('Message'),
      [],
      [...WRITE_FAILURES, 413, 507]
    ),
    requestBody: requestBody({ type: 'object' })
  })
}

function removeByQuery(operationId: string, summary: string): Described {
  return protectedBy(operation(operationId, summary, ref('Message'), FILTERS, WRITE_FAILURES))
}

function home(): Described {
  const form = {
    type: 'object',
    required: ['box', 'record'],
    properties: { box: { type: 'string' }, record: { type: 'string' } }
  }
  return {
    get: operation('readHome', 'A fresh box id, or a page for people', ref('Home'), [], []),
    post: {
      operationId: 'submitForm',
      summary: 'The form of the page',
      requestBody: { content: { 'application/x-www-form-urlencoded': { schema: form } } },
      responses: {
        303: { description: 'Stored.' },
        400: { description: 'The page, with a reason.' }
      }
    }
  }
}

const TIME = { type: 'string', format: 'date-time' }

const SCHEMAS = {
  Record: {
    type: 'object',
    description: 'The fields as sent, between these.',
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
      _sizeLimit: { type: 'integer', description: 'KiB of one record.' },
      _createdOn: TIME,
      _updatedOn: TIME
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
      position: { type: 'integer', description: 'Byte of the body.' },
      reason: { type: 'string' }
    }
  }
}

const SECURITY_SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-API-KEY', description: 'A UUID of your choice.' },
  authorization: {
    type: 'apiKey',
    in: 'header',
    name: 'Authorization',
    description: 'The same behind any word: `API-KEY <uuid>`.'
  }
}
