import type { Handler, StatusContext, StatusRequest, StatusResponse } from '../context.ts'
import { FormatNotSupported, UrlMissing } from '../contract.ts'
import { themeOf } from '../pages/browse-request.ts'
import { renderEmbed } from '../pages/embed.ts'
import { postPath } from '../pages/links.ts'
import { renderPost } from '../pages/post.ts'
import { readView } from '../pages/read-view.ts'
import { recordOf } from '../representations/json-record.ts'
import { oembedOf, widthOf } from '../representations/oembed.ts'
import { tweetOf } from '../representations/tweet.ts'
import { readPostContext } from '../store/post-context.ts'
import { isDeletedPublicPost, readAuthor } from '../store/read-posts.ts'
import { JSON_RECORD } from './negotiation.ts'
import { linkedPostId, postIdOf } from './post-url.ts'
import { prepareFrame, prepareJson, preparePage } from './respond.ts'
import { siteOf } from './site.ts'

const NOT_FOUND: StatusResponse = { kind: 'notFound' }
const POSITION = /^[1-9]\d?$/

/** What a canonical URL shows; undefined if the post is not public any more. */
type Show = (
  context: StatusContext,
  request: StatusRequest,
  id: string
) => Promise<StatusResponse | undefined>

export const servePost: Handler = (context, request, params) =>
  atCanonicalPath(context, request, params, '', showPost)

export const serveEmbed: Handler = (context, request, params) =>
  atCanonicalPath(context, request, params, '/embed', showEmbed)

/** A link to one of the media leads to the page of the post. */
export const serveMedium: Handler = async (context, request, params) => {
  const { position = '' } = params
  if (!POSITION.test(position)) return NOT_FOUND
  return atCanonicalPath(context, request, params, `#media-${position}`, showPost)
}

/** The id decides; another user name or form of the path redirects in one hop. */
async function atCanonicalPath(
  context: StatusContext,
  request: StatusRequest,
  params: Readonly<Record<string, string>>,
  suffix: string,
  show: Show
): Promise<StatusResponse> {
  const id = postIdOf({ name: 'post', params })
  if (id === undefined) return NOT_FOUND
  const { store } = context
  const userName = await store.read(() => readAuthor(store.engine, id))
  if (userName === undefined) return notPublic(context, id)
  const path = postPath(userName, id) + suffix
  if (path !== request.path) return { kind: 'redirect', path }
  return (await show(context, request, id)) ?? NOT_FOUND
}

async function notPublic({ options, store }: StatusContext, id: string): Promise<StatusResponse> {
  const isGone = options.tombstones && (await store.read(() => isDeletedPublicPost(id)))
  return isGone ? { kind: 'gone' } : NOT_FOUND
}

const showPost: Show = async (context, request, id) => {
  const options = { lastModified: await context.lastModified(), isNegotiated: true }
  if (request.form === JSON_RECORD) {
    const found = await context.store.read(() => readPostContext(id))
    if (found === undefined) return undefined
    const record = recordOf(found, request.baseUrl)
    return { kind: 'prepared', response: prepareJson(record, options), isKept: true }
  }
  const view = await context.store.read(() => readView(id, request.baseUrl))
  const site = siteOf(context, request)
  return view && prepared(preparePage(renderPost(view, site), options), request)
}

const showEmbed: Show = async (context, request, id) => {
  const options = { lastModified: await context.lastModified() }
  const view = await context.store.read(() => readView(id, request.baseUrl))
  return (
    view && prepared(prepareFrame(renderEmbed(view, siteOf(context, request)), options), request)
  )
}

/** Kept unless the query has an effect. */
function prepared(
  response: ReturnType<typeof preparePage>,
  { query }: StatusRequest
): StatusResponse {
  return { kind: 'prepared', response, isKept: themeOf(query) === undefined }
}

/** `{"data": …}`, for components that get the URL of the route. */
export const serveTweet: Handler = async (context, request, params) => {
  const lastModified = await context.lastModified()
  const tweet = await readTweet(context, request, params.id ?? '')
  const response = prepareJson({ data: tweet ?? null }, { status: statusOf(tweet), lastModified })
  return { kind: 'prepared', response, isKept: tweet !== undefined }
}

/** The post alone; the token and all other parameters are ignored. */
export const serveTweetResult: Handler = async (context, request) => {
  const lastModified = await context.lastModified()
  const tweet = await readTweet(context, request, request.query.get('id') ?? '')
  const response = prepareJson(tweet ?? {}, { status: statusOf(tweet), lastModified })
  return { kind: 'prepared', response, isKept: false }
}

function statusOf(tweet: object | undefined): number {
  return tweet === undefined ? 404 : 200
}

async function readTweet(
  { store }: StatusContext,
  { baseUrl }: StatusRequest,
  id: string
): Promise<object | undefined> {
  if (postIdOf({ name: 'tweet', params: { id } }) === undefined) return undefined
  const found = await store.read(() => readPostContext(id))
  return found && tweetOf(found, baseUrl)
}

const TRUE = /^(?:1|t|true)$/i

export const serveOembed: Handler = async (context, request) => {
  const { query, baseUrl } = request
  const url = query.get('url') ?? ''
  if (url === '') throw new UrlMissing()
  if ((query.get('format') ?? 'json') !== 'json') throw new FormatNotSupported()
  const id = linkedPostId(url, baseUrl)
  const lastModified = await context.lastModified()
  const view = id && (await context.store.read(() => readView(id, baseUrl)))
  if (!view) return { kind: 'prepared', response: OEMBED_NOT_FOUND, isKept: false }
  const options = {
    width: widthOf(query.get('maxwidth')),
    isFrame: TRUE.test(query.get('iframe') ?? '')
  }
  const body = oembedOf(view, siteOf(context, request), options)
  const response = prepareJson(body, { lastModified })
  return { kind: 'prepared', response, isKept: false }
}

const OEMBED_NOT_FOUND = prepareJson(
  { error: 'There is no public post at this URL', code: 'NOT_FOUND' },
  { status: 404 }
)
