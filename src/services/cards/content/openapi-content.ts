import {
  inPath,
  inQuery,
  type OpenapiPart,
  ref,
  requestBody,
  response
} from '../../../kernel/openapi.ts'
import { PROBLEM_TYPE } from '../contract.ts'
import type { BoardParts } from '../store/content.ts'
import type { BoardRow } from '../store/rows.ts'
import { DEFAULT_LIMIT, MAX_LIMIT, SORTS } from './content-query.ts'
import { contentSchemas } from './openapi-schemas.ts'

type Paths = Record<string, Record<string, OpenapiPart>>

const TEXT: OpenapiPart = { type: 'string' }
const BOARD = inPath('board', 'Id, short link or slug')
const CARD = inPath('card', 'Id or slug; former slugs redirect')
const NOT_MODIFIED = response('Not changed since the ETag of If-None-Match')
const problem = (description: string) => response(description, ref('Problem'), PROBLEM_TYPE)

const ERRORS = {
  400: problem('A parameter or field is unknown or wrong'),
  401: problem('The token is not accepted or does not allow it'),
  404: problem('There is no such object, or the token does not show it'),
  429: problem('Too many requests')
}

const LIST_PARAMETERS = [
  inQuery('list', 'Id or name of a list'),
  inQuery('label', 'Id or name of a label; several times for cards that have all'),
  inQuery('q', 'Words of title or description'),
  inQuery('sort', 'Order of the cards', { enum: SORTS, default: 'pos' }),
  inQuery('limit', 'Cards of a page', {
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: DEFAULT_LIMIT
  }),
  inQuery('cursor', '`next` of the page before'),
  inQuery('lang', 'Only cards with the label `lang:` and this language')
]

interface Operation {
  id: string
  summary: string
  ok: OpenapiPart
  parameters?: readonly OpenapiPart[]
  body?: OpenapiPart
}

function operation({ id, summary, ok, parameters = [], body }: Operation): OpenapiPart {
  return {
    operationId: id,
    summary,
    parameters,
    ...(body !== undefined && { requestBody: requestBody(body) }),
    security: body === undefined ? [{}, { bearer: [] }] : [{ bearer: [] }],
    responses: { 200: ok, ...(body === undefined && { 304: NOT_MODIFIED }), ...ERRORS }
  }
}

function fields(properties: Readonly<Record<string, OpenapiPart>>): OpenapiPart {
  return { type: 'object', additionalProperties: false, properties }
}

function readPaths(): Paths {
  const one = (id: string, summary: string, ok: OpenapiPart, parameters = [BOARD]) => ({
    get: operation({ id, summary, ok, parameters })
  })
  const rss = response('The feed', TEXT, 'application/rss+xml')
  const jsonFeed = response('The feed', { type: 'object' }, 'application/feed+json')
  return {
    '/content': one('contentBoards', 'Boards', response('The boards', ref('BoardList')), []),
    '/content/{board}': one('contentBoard', 'A board', response('The board', ref('Board'))),
    '/content/{board}/cards': one(
      'contentCards',
      'Cards of a board',
      response('A page of cards', ref('CardList')),
      [BOARD, ...LIST_PARAMETERS]
    ),
    '/content/{board}/cards/{card}': one(
      'contentCard',
      'A card',
      response('The card', ref('Card')),
      [BOARD, CARD]
    ),
    '/content/{board}/feed.xml': one('contentRss', 'RSS', rss),
    '/content/{board}/feed.json': one('contentFeed', 'JSON Feed', jsonFeed),
    '/content/{board}/openapi.json': one(
      'contentOpenapi',
      'This document for a board',
      response('OpenAPI', { type: 'object' })
    )
  }
}

function writePaths(): Paths {
  const id = { type: ['string', 'null'] }
  const image = fields({ id: TEXT, alt: TEXT })
  const change = (of: Omit<Operation, 'ok'>, method: 'patch' | 'post', ok: OpenapiPart) => ({
    [method]: operation({ ...of, ok })
  })
  return {
    '/content/{board}': change(
      {
        id: 'changeContentBoard',
        summary: 'Change what the content API needs of a board',
        parameters: [BOARD],
        body: fields({ timeZone: TEXT, slug: TEXT, completedField: id, urlField: id })
      },
      'patch',
      response('The board', ref('Board'))
    ),
    '/content/{board}/lists/{list}': change(
      {
        id: 'changeContentList',
        summary: 'Publish or hide the cards of a list',
        parameters: [BOARD, inPath('list', 'Id')],
        body: fields({ role: { enum: ['draft', 'published', 'archive'] } })
      },
      'patch',
      response('The board', ref('Board'))
    ),
    '/content/{board}/cards/{card}': change(
      {
        id: 'changeContentCard',
        summary: 'Change the slug or the descriptions of images, or schedule the publication',
        parameters: [BOARD, CARD],
        body: fields({
          slug: TEXT,
          images: { type: 'array', items: image },
          publishAt: { type: ['string', 'null'], format: 'date-time' }
        })
      },
      'patch',
      response('The card', ref('Card'))
    ),
    '/content/{board}/preview-tokens': change(
      {
        id: 'addPreviewToken',
        summary: 'A token that reads drafts of a board or card',
        parameters: [BOARD],
        body: fields({ card: TEXT, expires: TEXT })
      },
      'post',
      response('The token', fields({ token: TEXT, expiresAt: TEXT }))
    ),
    '/content/{board}/attachments/{attachment}/signed-url': change(
      {
        id: 'signAttachmentUrl',
        summary: 'A URL that downloads a file without a token',
        parameters: [BOARD, inPath('attachment', 'Id')],
        body: fields({ expires: TEXT })
      },
      'post',
      response('The URL', fields({ url: TEXT, expires: TEXT }))
    )
  }
}

/** Paths and schemas of the content API, for the document of the service. */
export function contentOpenapi(): { paths: Paths; schemas: Record<string, OpenapiPart> } {
  const paths = readPaths()
  for (const [path, methods] of Object.entries(writePaths())) {
    paths[path] = { ...paths[path], ...methods }
  }
  return { paths, schemas: contentSchemas() }
}

export const CONTENT_SECURITY: OpenapiPart = { bearer: { type: 'http', scheme: 'bearer' } }

/** A document for one board, whose custom fields have types. */
export function boardOpenapi(
  baseUrl: string,
  named: string,
  { name }: BoardRow,
  parts: BoardParts
): object {
  const prefix = '/content/{board}'
  const paths = Object.entries(readPaths()).flatMap(([path, methods]) => {
    if (!path.startsWith(prefix)) return []
    return [[path.slice(prefix.length) || '/', withoutBoard(methods)] as const]
  })
  return {
    openapi: '3.1.0',
    info: { title: name, version: '1' },
    servers: [{ url: `${baseUrl}/content/${encodeURIComponent(named)}` }],
    paths: Object.fromEntries(paths),
    components: { schemas: contentSchemas(parts), securitySchemes: CONTENT_SECURITY }
  }
}

function withoutBoard(methods: Record<string, OpenapiPart>): Record<string, OpenapiPart> {
  return Object.fromEntries(
    Object.entries(methods).map(([method, described]) => {
      const { parameters } = described as { parameters?: readonly OpenapiPart[] }
      return [method, { ...described, parameters: parameters?.filter((one) => one !== BOARD) }]
    })
  )
}
