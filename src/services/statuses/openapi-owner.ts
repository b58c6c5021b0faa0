import {
  content,
  inHeader,
  inPath,
  inQuery,
  type OpenapiPart,
  operationsWith,
  ref,
  requestBody,
  response
} from '../../kernel/openapi.ts'

export const SECURITY_SCHEMES: OpenapiPart = {
  token: { type: 'http', scheme: 'bearer', description: 'nonet token create statuses' }
}

const ID = inPath('id', 'Id of a post of the account')
const TEXT: OpenapiPart = { type: 'string' }
const VISIBILITY: OpenapiPart = { enum: ['public', 'hidden'] }
const FIELDS: OpenapiPart = {
  text: TEXT,
  in_reply_to: { ...TEXT, description: 'Id of a public post or of one of the account' },
  visibility: VISIBILITY,
  lang: { ...TEXT, description: 'Language tag such as pt-BR' },
  sensitive: { type: 'boolean' }
}
const NEW_POST = { type: 'object', properties: FIELDS, additionalProperties: false }
const NEW_POST_WITH_IMAGES = {
  ...NEW_POST,
  properties: {
    ...FIELDS,
    media: { type: 'array', maxItems: 4, items: { type: 'string', format: 'binary' } },
    alt: { type: 'array', maxItems: 4, items: TEXT }
  }
}
const CHANGE = {
  type: 'object',
  properties: {
    visibility: VISIBILITY,
    media: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'alt'],
        properties: { id: TEXT, alt: { type: ['string', 'null'] } },
        additionalProperties: false
      }
    },
    sensitive: { type: 'boolean' },
    lang: { type: ['string', 'null'] }
  },
  additionalProperties: false
}
const DELETED = {
  type: 'object',
  required: ['id', 'visibility', 'restorable_until'],
  properties: { id: TEXT, visibility: { const: 'deleted' }, restorable_until: TEXT }
}
const OWN_POSTS = {
  type: 'object',
  required: ['statuses', 'before'],
  properties: {
    statuses: { type: 'array', items: ref('OwnPost') },
    before: { type: ['string', 'null'], description: 'For the next page' }
  }
}

const error = (description: string) => response(description, ref('Error'))
const ERRORS: OpenapiPart = {
  401: error('The token is missing or not accepted'),
  429: error('Too many requests, or too many wrong tokens')
}
const UNKNOWN = { 404: error('The account has no post with this id') }
const INVALID = {
  400: error('The request is not as described'),
  413: error('The body is too large'),
  415: error('The content type is not supported')
}

const operation = operationsWith([{ token: [] }], ERRORS)

/** The routes of `API_ROUTES`. */
export function ownerPaths(): OpenapiPart {
  const found = { 200: response('The post', ref('OwnPost')), ...UNKNOWN }
  return {
    '/api/statuses': {
      get: operation(
        'listOwnPosts',
        'Posts of the account, newest first, hidden ones included',
        { 200: response('A page of posts', OWN_POSTS), 400: INVALID[400] },
        {
          parameters: [
            inQuery('limit', '1 to 100; 20 by default', {
              type: 'integer',
              minimum: 1,
              maximum: 100
            }),
            inQuery('before', 'Value of before in the page above'),
            inQuery('visibility', 'Only these posts', { enum: ['public', 'hidden', 'deleted'] })
          ]
        }
      ),
      post: operation(
        'createPost',
        'Create a post, with up to four images as multipart/form-data',
        {
          201: {
            ...response('The post', ref('OwnPost')),
            headers: { Location: { schema: TEXT, description: 'Path of the post' } }
          },
          ...INVALID,
          422: error('An image, the post replied to or the Idempotency-Key is not accepted'),
          503: error('Too many images are being processed')
        },
        {
          parameters: [inHeader('Idempotency-Key', 'A repeated request posts once')],
          requestBody: {
            content: {
              ...content(NEW_POST, 'application/json', 'application/x-www-form-urlencoded'),
              ...content(NEW_POST_WITH_IMAGES, 'multipart/form-data')
            }
          }
        }
      )
    },
    '/api/statuses/{id}': {
      get: operation('getOwnPost', 'A post of the account', found, { parameters: [ID] }),
      patch: operation(
        'changePost',
        'Hide, show or restore a post, or change descriptions of images',
        { ...found, ...INVALID, 422: error('The post has no such medium') },
        { parameters: [ID], requestBody: requestBody(CHANGE) }
      ),
      delete: operation(
        'deletePost',
        'Delete a post; it can be restored for a day',
        { 200: response('When it is erased', DELETED), ...UNKNOWN },
        { parameters: [ID] }
      )
    }
  }
}
