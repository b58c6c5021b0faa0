import { content, inQuery, requestBody, response } from '../../kernel/openapi.ts'
import {
  CHANGED,
  changes,
  FORM_CONTENT,
  LIST_PAGE,
  PAGE,
  problem,
  REJECTIONS,
  refTo
} from './openapi-parts.ts'

const SESSION = inQuery('session', 'Only this session.')

const RESET = {
  responses: {
    ...CHANGED,
    200: response('Success.', refTo('Reset')),
    404: problem('The state is disabled.')
  },
  parameters: [SESSION]
}

const RECORD_PATH = { ...inQuery('path', 'With parameter values.'), required: true }
const VALIDATE = inQuery('validate', '`false` stores a record that violates the document.', {
  type: 'boolean',
  default: true
})

function recordChange(operationId: string, summary: string, responses: object): object {
  return {
    operationId,
    summary,
    parameters: [RECORD_PATH, SESSION, VALIDATE],
    requestBody: requestBody({ type: 'object' }),
    responses: {
      400: problem('The body is not JSON.'),
      403: CHANGED[403],
      404: problem('The state is disabled, or the collection or the record is unknown.'),
      409: problem('The id is taken, the record was changed, or the session is full.'),
      415: problem('The body is not JSON.'),
      422: problem('The record is no object, or violates the document.'),
      ...REJECTIONS,
      ...responses
    }
  }
}

/** A form of the pages; success leads to the collection or the record. */
function recordForm(operationId: string, summary: string): object {
  return {
    operationId,
    summary,
    requestBody: { required: true, content: FORM_CONTENT },
    responses: {
      303: CHANGED[303],
      403: CHANGED[403],
      404: problem('The state is disabled, or the collection or the record is unknown.'),
      409: { description: 'The id is taken, or the record was changed.', content: PAGE },
      422: { description: 'The record is no object, or violates the document.', content: PAGE },
      ...REJECTIONS
    }
  }
}

export const STATE = {
  '/__nonet/state': {
    get: {
      operationId: 'readState',
      summary: 'List the stored collections, or the records of one collection, or one record',
      parameters: [
        inQuery('path', 'Path of a collection or a record, with parameter values.'),
        SESSION,
        LIST_PAGE
      ],
      responses: {
        200: {
          description: 'Collections and sessions; with `path`, records or one record.',
          content: {
            ...content({ oneOf: [refTo('State'), refTo('Records'), refTo('Record')] }),
            ...PAGE
          }
        },
        404: problem('The state is disabled, or the collection or the record is unknown.'),
        ...REJECTIONS
      }
    },
    delete: changes('resetState', 'Reset the state', RESET)
  },
  '/__nonet/state/reset': {
    post: changes('resetStateByForm', 'The same for HTML forms, which cannot send DELETE', RESET)
  }
}

export const RECORDS = {
  '/__nonet/state/records': {
    post: recordChange('addRecord', 'Add a record to the collection at `path`', {
      201: response('The record.', refTo('Record'))
    }),
    put: recordChange('saveRecord', 'Replace the record at `path`', {
      200: response('The record.', refTo('Record'))
    }),
    delete: {
      operationId: 'deleteRecord',
      summary: 'Delete the record at `path` and those below it',
      parameters: [RECORD_PATH, SESSION],
      responses: {
        204: CHANGED[204],
        403: CHANGED[403],
        404: problem('The state is disabled, or the collection or the record is unknown.'),
        ...REJECTIONS
      }
    }
  },
  '/__nonet/state/add': { post: recordForm('addRecordByForm', 'Add a record, from a page') },
  '/__nonet/state/save': { post: recordForm('saveRecordByForm', 'Replace a record, from a page') },
  '/__nonet/state/delete': {
    post: recordForm('deleteRecordByForm', 'Delete a record, from a page')
  }
}
