import {
  inHeader,
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody,
  response
} from '../../../kernel/openapi.ts'

const TEXT: OpenapiPart = { type: 'string' }
const WHOLE: OpenapiPart = { type: 'integer' }

const FILE: OpenapiPart = {
  type: 'object',
  required: ['id', 'field', 'filename', 'content_type', 'size', 'sha256', 'url'],
  properties: {
    ...{ id: TEXT, field: TEXT, filename: TEXT, content_type: TEXT, size: WHOLE, sha256: TEXT },
    url: {
      type: ['string', 'null'],
      description: 'Null without a workspace, because nothing is stored then'
    }
  }
}
const FILES: OpenapiPart = {
  type: 'object',
  required: ['files'],
  properties: { files: { type: 'array', items: FILE } }
}
const EVENT: OpenapiPart = {
  type: 'object',
  required: ['id', 'type', 'at', 'data'],
  properties: {
    ...{ id: WHOLE, type: TEXT, at: { type: 'string', format: 'date-time' } },
    data: { type: 'object' }
  }
}

function whole(name: string, description: string, minimum: number, maximum: number): OpenapiPart {
  return inQuery(name, description, { type: 'integer', minimum, maximum })
}

const TICKING = [
  whole('interval', 'Milliseconds between the events of a demonstration', 10, 60_000),
  whole('count', 'Number of events of a demonstration', 1, 1_000_000)
]
const AFTER = whole('after', 'Number of the last event received', 0, 100_000_000)
const ID = inPath('id')
const REJECTED = response('Rejected; X-Error-Code has the error code', ref('Failure'))
const NOT_THERE = response('Not found', { type: 'object', maxProperties: 0 })

const ECHO = {
  responses: {
    200: response('The received request', {
      type: 'object',
      required: ['method', 'path', 'query', 'headers', 'body', 'encoding', 'json'],
      properties: {
        ...{ method: TEXT, path: TEXT, query: { type: 'object' }, headers: { type: 'object' } },
        ...{ body: TEXT, encoding: { enum: ['utf8', 'base64'] }, json: {} }
      }
    }),
    413: REJECTED
  }
}

/** Paths of event streams, WebSockets, files and images. */
export const PUSH_PATHS: Readonly<Record<string, OpenapiPart>> = {
  '/api/events': {
    get: {
      parameters: [...TICKING, AFTER, inHeader('Last-Event-ID')],
      responses: {
        200: response('Server-sent events', TEXT, 'text/event-stream'),
        204: response('All events were sent: do not reconnect'),
        ...{ 400: REJECTED, 503: REJECTED }
      }
    }
  },
  '/api/events/poll': {
    get: {
      parameters: [AFTER, whole('wait', 'Seconds to wait for an event', 0, 60)],
      responses: {
        200: response('Events after `after`; `next` is the value of `after` for the next request', {
          type: 'object',
          required: ['events', 'next'],
          properties: { events: { type: 'array', items: EVENT }, next: WHOLE }
        }),
        ...{ 400: REJECTED, 503: REJECTED }
      }
    }
  },
  '/api/ws': {
    get: {
      parameters: [...TICKING, AFTER, inQuery('token')],
      responses: {
        101: response('A WebSocket: events as JSON text messages, and an echo'),
        ...{ 400: REJECTED, 426: REJECTED, 503: REJECTED }
      }
    }
  },
  '/api/uploads': {
    get: { responses: { 200: response('Files of the workspace', FILES) } },
    post: {
      requestBody: requestBody({}, 'multipart/form-data'),
      responses: {
        201: response('The received request', FILES),
        ...{ 400: REJECTED, 413: REJECTED, 415: REJECTED }
      }
    }
  },
  '/api/uploads/{id}': {
    get: {
      parameters: [ID],
      responses: {
        200: response('The file as an attachment', {}, 'application/octet-stream'),
        404: NOT_THERE
      }
    }
  },
  '/api/echo': { get: ECHO, post: ECHO, put: ECHO, patch: ECHO, delete: ECHO },
  '/img/faces/{id}-image.{kind}': {
    get: {
      parameters: [ID, inPath('kind', undefined, { enum: ['jpg', 'svg', 'png'] })],
      responses: {
        200: {
          description: 'A generated avatar; the .jpg name returns an SVG',
          content: { 'image/svg+xml': {}, 'image/png': {} }
        },
        404: NOT_THERE
      }
    }
  }
}
