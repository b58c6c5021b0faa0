import { content, inPath, inQuery, type OpenapiPart, ref, response } from '../../kernel/openapi.ts'
import { ownerPaths, SECURITY_SCHEMES } from './openapi-owner.ts'
import { SCHEMAS } from './openapi-schemas.ts'

const ID = inPath('id', 'Decimal number of up to 19 digits', {
  type: 'string',
  pattern: '^[1-9][0-9]{0,18}$'
})
const USER = inPath('user', 'Any user name: the id decides')
const NAME = inPath('user', 'User name of an account; former names redirect')
const HTML = 'text/html'
const TEXT: OpenapiPart = { type: 'string' }

const NOT_FOUND: OpenapiPart = {
  description: 'There is no public post or page here',
  content: { ...content(ref('Error')), ...content(TEXT, HTML) }
}
const REDIRECT: OpenapiPart = {
  description: 'The right user name, or the canonical form of the path',
  headers: { Location: { schema: TEXT, description: 'Path of this service' } }
}
const TOO_MANY: OpenapiPart = {
  ...response('Too many requests of one address', ref('Error')),
  headers: { 'Retry-After': { schema: TEXT, description: 'Seconds' } }
}

interface Operation {
  id: string
  summary: string
  parameters?: readonly OpenapiPart[]
  responses: Readonly<Record<number, OpenapiPart>>
}

function get({ id, summary, parameters = [], responses }: Operation): OpenapiPart {
  return {
    get: { operationId: id, summary, parameters, responses: { ...responses, 429: TOO_MANY } }
  }
}

function page(id: string, summary: string, parameters: readonly OpenapiPart[] = []): OpenapiPart {
  const responses = { 200: response('The page', TEXT, HTML), 302: REDIRECT, 404: NOT_FOUND }
  return get({ id, summary, parameters, responses })
}

function file(
  id: string,
  summary: string,
  type: string,
  parameters: readonly OpenapiPart[] = []
): OpenapiPart {
  const schema = type.endsWith('json') ? { type: 'object' } : TEXT
  const responses = { 200: response('The file', schema, type), 302: REDIRECT, 404: NOT_FOUND }
  return get({ id, summary, parameters, responses })
}

function alias(id: string, parameters: readonly OpenapiPart[]): OpenapiPart {
  const summary = 'Redirect to the page of the post'
  return get({ id, summary, parameters, responses: { 302: REDIRECT, 404: NOT_FOUND } })
}

export function openapi(baseUrl: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Public posts',
      version: '1',
      description:
        'Posts are found by their id alone. Hidden, deleted, unknown and malformed ids get the same response. All routes for GET also support HEAD; other methods are rejected with 405. Owners post with a token.'
    },
    servers: [{ url: baseUrl }],
    paths: { ...postPaths(), ...dataPaths(), ...ownerPaths(), ...browsePaths() },
    components: { schemas: SCHEMAS, securitySchemes: SECURITY_SCHEMES }
  }
}

function postPaths(): OpenapiPart {
  return {
    '/{user}/status/{id}': get({
      id: 'showPost',
      summary: 'A post, as a page or as JSON',
      parameters: [USER, ID, inQuery('theme', 'Colours of the page', { enum: ['light', 'dark'] })],
      responses: {
        200: {
          description: 'The post',
          content: {
            [HTML]: { schema: TEXT },
            'application/json': { schema: ref('Post') }
          }
        },
        302: REDIRECT,
        404: NOT_FOUND,
        410: response('The post was public and is deleted (--statuses-tombstones)', ref('Error'))
      }
    }),
    '/{user}/status/{id}/embed': page('showEmbed', 'The post alone, for a frame', [USER, ID]),
    '/{user}/statuses/{id}': alias('findPostByOldPath', [USER, ID]),
    '/{user}/thread/{id}': alias('findPostByThread', [USER, ID]),
    '/i/web/status/{id}': alias('findPostByWebPath', [ID]),
    '/status/{id}': alias('findPost', [ID]),
    '/statuses/{id}': alias('findPostByShortPath', [ID]),
    '/{user}/status/{id}/photo/{position}': alias('findPhoto', [USER, ID, inPath('position')]),
    '/{user}/status/{id}/video/{position}': alias('findVideo', [USER, ID, inPath('position')])
  }
}

function dataPaths(): OpenapiPart {
  return {
    '/api/tweet/{id}': get({
      id: 'getTweet',
      summary: 'A post in the shape of the browser component of react-tweet',
      parameters: [ID],
      responses: {
        200: response('The post', ref('TweetData')),
        404: response('There is no public post with this id', ref('NoTweetData'))
      }
    }),
    '/tweet-result': get({
      id: 'getTweetResult',
      summary: 'A post in the shape of the server functions of react-tweet',
      parameters: [inQuery('id'), inQuery('token', 'Ignored')],
      responses: {
        200: response('The post', ref('Tweet')),
        404: response('There is no public post with this id', { type: 'object', maxProperties: 0 })
      }
    }),
    '/oembed': get({
      id: 'getOembed',
      summary: 'oEmbed of a URL of this site, twitter.com or x.com',
      parameters: [
        { ...inQuery('url'), required: true },
        inQuery('maxwidth', '220 to 550; other values are clamped'),
        inQuery('format', 'Only json'),
        inQuery('iframe', 'A frame instead of a quotation', { type: 'boolean' })
      ],
      responses: {
        200: response('What to show on another site', ref('Oembed')),
        400: response('The URL is missing', ref('Error')),
        404: NOT_FOUND,
        501: response('The format is not json', ref('Error'))
      }
    }),
    '/media/{file}': get({
      id: 'getMedia',
      summary: 'An image or video of a public post or account',
      parameters: [
        inPath('file', 'SHA-256 of the content, with or without the extension'),
        inQuery('name', 'Size of an image: thumb, small, medium, large, orig or such as 900x900'),
        inQuery('format', 'Ignored: images keep their type')
      ],
      responses: {
        200: { description: 'The file', content: { '*/*': {} } },
        206: { description: 'The range of the file', content: { '*/*': {} } },
        404: NOT_FOUND,
        416: { description: 'The range is not in the file' }
      }
    })
  }
}

function browsePaths(): OpenapiPart {
  const month = [inPath('year'), inPath('month', 'Two digits')]
  const before = inQuery('before', 'Cursor of an earlier page')
  return {
    '/': page('showStart', 'The accounts held here, or the profile of the only one'),
    '/{user}': page('showProfile', 'Profile of an account', [NAME]),
    '/{user}/archive/{year}/{month}': page('showMonth', 'Posts of a month', [
      NAME,
      ...month,
      before
    ]),
    '/search': page('searchPosts', 'Search of public posts', [
      inQuery('q', 'Words, "phrases", -excluded, from: since: until: has:'),
      before
    ]),
    '/{user}/feed.xml': file('getRss', 'RSS feed of an account', 'application/rss+xml', [NAME]),
    '/{user}/feed.json': file('getJsonFeed', 'JSON feed of an account', 'application/feed+json', [
      NAME
    ]),
    '/sitemap.xml': file('getSitemap', 'Sitemap, or an index of sitemaps', 'application/xml'),
    '/robots.txt': file('getRobots', 'Rules for crawlers', 'text/plain'),
    '/favicon.svg': file('getIcon', 'Icon of the pages', 'image/svg+xml')
  }
}
