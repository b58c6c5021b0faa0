import {
  content,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody
} from '../../../kernel/openapi.ts'
import { KEY_SCOPES } from '../box/keys/scopes.ts'
import { JSON_TYPE, LINES_TYPE } from '../contract.ts'

/** Paths of keys, changes, export and import. */
export function sharedPaths(box: OpenapiPart, error: OpenapiPart, filters: readonly OpenapiPart[]) {
  const key = inPath('key', 'Id of a key, or `owner` for the key of the box itself.')
  const collection = inPath('collection', 'Name of a collection.')

  function operation(operationId: string, summary: string, more: OpenapiPart, statuses: number[]) {
    const { content: body, parameters = [], ...rest } = more
    return {
      operationId,
      summary,
      parameters,
      security: [{}, { key: [] }, { authorization: [] }],
      ...rest,
      responses: {
        200: { description: 'Success.', content: body },
        ...Object.fromEntries(statuses.map((status) => [status, error]))
      }
    }
  }

  const followed = [
    ...filters,
    inQuery('since', 'Number of the last change you have seen; `now` skips all past changes.'),
    inQuery('limit', 'Maximum number of changes to return.', {
      type: 'integer',
      minimum: 0,
      default: 100
    }),
    inQuery('wait', 'Seconds to wait for a change if there is none.', {
      type: 'integer',
      minimum: 0,
      maximum: 60
    })
  ]
  const changes = { content: content(ref('Changes'), JSON_TYPE), parameters: followed }
  const lines = { content: content({ type: 'string' }, LINES_TYPE), parameters: filters }
  const issued = { content: content(ref('IssuedKey'), JSON_TYPE) }

  return {
    '/_keys/{box}': {
      parameters: [box],
      get: operation(
        'listKeys',
        'List the keys of a box',
        { content: content(ref('Keys'), JSON_TYPE) },
        [400, 401]
      ),
      post: operation(
        'issueKey',
        'Issue a key',
        { ...issued, requestBody: requestBody(ref('WantedKey')) },
        [400, 401, 429]
      ),
      patch: operation(
        'switchPrivacy',
        'Make a box private or public',
        { content: content(ref('Message'), JSON_TYPE), requestBody: requestBody(ref('Privacy')) },
        [400, 401]
      )
    },
    '/_keys/{box}/{key}': {
      parameters: [box, key],
      post: operation('rotateKey', 'Replace the secret of a key', issued, [400, 401, 404]),
      delete: operation(
        'revokeKey',
        'Revoke a key',
        { content: content(ref('Message'), JSON_TYPE) },
        [400, 401, 404]
      )
    },
    '/_changes/{box}': {
      parameters: [box],
      get: operation('readChanges', 'List the changes of a box', changes, [400, 410, 503])
    },
    '/_changes/{box}/{collection}': {
      parameters: [box, collection],
      get: operation(
        'readChangesOfCollection',
        'List the changes of a collection',
        changes,
        [400, 410, 503]
      )
    },
    '/_export/{box}': {
      parameters: [box],
      get: operation('exportRecords', 'Export all records, one per line', lines, [400])
    },
    '/_export/{box}/{collection}': {
      parameters: [box, collection],
      get: operation(
        'exportCollection',
        'Export all records of a collection, one per line',
        lines,
        [400]
      )
    },
    '/_import/{box}': {
      parameters: [box],
      post: operation(
        'importRecords',
        'Import records, one per line, with their ids and dates',
        {
          content: content(ref('Imported'), JSON_TYPE),
          requestBody: { content: content({ type: 'string' }, 'application/x-ndjson') }
        },
        [400, 401, 422, 429]
      )
    }
  }
}

const TIME = { type: 'string', format: 'date-time' }
const COUNT = { type: 'integer' }

const KEY_PROPERTIES = {
  id: { type: 'string' },
  label: { type: 'string' },
  scopes: { type: 'array', items: { type: 'string', enum: KEY_SCOPES } },
  createdOn: TIME,
  revokedOn: TIME
}

export const SHARED_SCHEMAS = {
  WantedKey: {
    type: 'object',
    required: ['scopes'],
    properties: { label: { type: 'string', maxLength: 100 }, scopes: KEY_PROPERTIES.scopes }
  },
  Privacy: {
    type: 'object',
    required: ['private'],
    properties: { private: { type: 'boolean' } }
  },
  Keys: {
    type: 'object',
    required: ['private', 'keys'],
    properties: {
      private: { type: 'boolean' },
      keys: { type: 'array', items: { type: 'object', properties: KEY_PROPERTIES } }
    }
  },
  IssuedKey: {
    type: 'object',
    required: ['id', 'key'],
    properties: { ...KEY_PROPERTIES, key: { type: 'string', format: 'uuid' } }
  },
  Changes: {
    type: 'object',
    required: ['seq', 'changes', 'more'],
    properties: {
      seq: { type: 'integer', description: 'Value of `since` for the next request.' },
      more: { type: 'boolean', description: 'Whether more changes are available now.' },
      changes: {
        type: 'array',
        items: {
          type: 'object',
          required: ['seq', 'op', '_id', 'at'],
          properties: {
            seq: COUNT,
            op: { type: 'string', enum: ['create', 'update', 'delete'] },
            _id: { type: 'string' },
            at: TIME,
            _collection: { type: 'string' },
            record: { ...ref('Record'), description: 'The record at the time of the response.' }
          }
        }
      }
    }
  },
  Imported: {
    type: 'object',
    required: ['created', 'replaced', 'unchanged', 'refused', 'errors'],
    properties: {
      created: COUNT,
      replaced: COUNT,
      unchanged: COUNT,
      refused: COUNT,
      errors: {
        type: 'array',
        items: {
          type: 'object',
          required: ['line', 'message', 'code'],
          properties: {
            line: COUNT,
            message: { type: 'string' },
            code: { type: 'string' },
            position: COUNT,
            reason: { type: 'string' }
          }
        }
      }
    }
  }
}
