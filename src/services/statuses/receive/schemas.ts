import { MAX_BATCH_POSTS } from '../import/protocol.ts'

/** JSON Schemas of the requests in `import/protocol.ts`. */
const text = (maxLength: number) => ({ type: 'string', maxLength })
const name = { type: 'string', minLength: 1, maxLength: 64 }
const id = { type: 'string', pattern: '^[1-9][0-9]{0,18}$' }
const time = {
  type: 'string',
  pattern:
    '^(?:19[7-9]|2[0-9]{2})[0-9]-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9][.][0-9]{3}Z$'
}
const hash = { type: 'string', pattern: '^[0-9a-f]{64}$' }
const whole = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER }
const count = { anyOf: [whole, { type: 'null' }] }
const url = text(4_000)
const source = { enum: ['x_archive', 'mastodon', 'local', 'sample'] }
const sourceKey = text(1_000)

interface Properties {
  readonly [name: string]: object
}

/** All properties are required, except those of `optional`. */
function object(required: Properties, optional: Properties = {}): object {
  return {
    type: 'object',
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false
  }
}

function list(items: object, maxItems: number): object {
  return { type: 'array', items, maxItems }
}

const file = object({ hash, mediaType: text(100), width: whole, height: whole, size: whole })
const accountFile = object({ file, sourceKey })
const ownId = { type: 'string', minLength: 1, maxLength: 200, pattern: '^[!-~]+$' }

const accountWith = (picture: object, optionalId: Properties, requiredId: Properties) =>
  object(
    {
      ...requiredId,
      userName: name,
      name: text(500),
      bio: text(10_000),
      formerNames: list(object({ userName: name }, { endedAt: time }), 1_000),
      source
    },
    {
      ...optionalId,
      website: url,
      location: text(1_000),
      createdAt: time,
      avatar: picture,
      header: picture
    }
  )

const entity = object(
  { type: { enum: ['url', 'mention', 'hashtag', 'symbol'] }, start: whole, end: whole },
  { href: url, display: url }
)

const mediumWith = (required: Properties, optional: Properties) =>
  object(
    {
      type: { enum: ['photo', 'video', 'animated_gif'] },
      width: whole,
      height: whole,
      ...required
    },
    { alt: text(100_000), durationMs: whole, bitrate: whole, ...optional }
  )

const medium = mediumWith({ sourceKey }, { file, posterHash: hash, posterKey: sourceKey })

const visibility = { enum: ['public', 'hidden', 'deleted'] }

/** Those of requests and of exported files differ in their media. */
const postWith = (media: object, visibilities: object) =>
  object(
    {
      id,
      visibility: visibilities,
      kind: { enum: ['post', 'reply', 'repost'] },
      text: text(1_000_000),
      entities: list(entity, 10_000),
      createdAt: time,
      media: list(media, 100),
      counts: object({ likes: count, reposts: count, replies: count, quotes: count }),
      sensitive: { type: 'boolean' },
      source
    },
    {
      importedVisibility: visibility,
      edits: list({ type: 'string', pattern: '^(?:lang|sensitive|alt [0-9a-f]{64})$' }, 200),
      lang: text(100),
      editedAt: time,
      replyTo: object({}, { id, userName: text(300) }),
      quotedId: id,
      quotedUrl: url,
      summary: text(10_000),
      originalUrl: url,
      raw: { type: 'string' }
    }
  )

const account = accountWith(accountFile, { id: ownId }, {})
const post = postWith(medium, visibility)

/** A file of an exported folder; no other name leads to one. */
const exportedFile = { type: 'string', pattern: '^media/[0-9a-f]{64}(?:[.][a-z0-9]{1,5})?$' }

const accountId = { type: 'string', minLength: 1, maxLength: 300 }
const flag = { type: 'boolean' }

export const SCHEMAS = {
  account: object({ account, newAccount: flag, dryRun: flag }),
  known: object({ keys: list(sourceKey, 10_000) }),
  posts: object({ account: accountId, posts: list(post, MAX_BATCH_POSTS), dryRun: flag }),
  end: object({ account: accountId })
} as const

/** Lines of an exported file, `records/exported.ts`. */
export const LINE_SCHEMAS = {
  account: accountWith(exportedFile, {}, { id: ownId }),
  post: postWith(mediumWith({ file: exportedFile }, { poster: exportedFile }), {
    enum: ['public', 'hidden']
  }),
  end: object({ accounts: whole, posts: whole })
} as const
