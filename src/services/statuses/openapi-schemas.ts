import { type OpenapiPart, ref } from '../../kernel/openapi.ts'

const TEXT: OpenapiPart = { type: 'string' }
const NULLABLE_TEXT: OpenapiPart = { type: ['string', 'null'] }
const COUNT: OpenapiPart = { type: ['integer', 'null'] }
const WHOLE: OpenapiPart = { type: 'integer' }
const YES_OR_NO: OpenapiPart = { type: 'boolean' }

function object(properties: OpenapiPart, ...optional: string[]): OpenapiPart {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', required, properties }
}

function list(items: OpenapiPart): OpenapiPart {
  return { type: 'array', items }
}

const ENTITY = object({
  type: { enum: ['url', 'mention', 'hashtag', 'symbol'] },
  start: { ...WHOLE, description: 'Code points of the text' },
  end: WHOLE,
  href: NULLABLE_TEXT,
  display: TEXT
})

const MEDIUM = object({
  id: TEXT,
  type: { enum: ['photo', 'video', 'animated_gif'] },
  url: TEXT,
  width: WHOLE,
  height: WHOLE,
  alt: NULLABLE_TEXT,
  poster_url: NULLABLE_TEXT,
  duration_ms: COUNT,
  variants: list(object({ url: TEXT, content_type: TEXT, bitrate: COUNT }))
})

const POST = object(
  {
    id: TEXT,
    url: TEXT,
    author: object({ id: TEXT, user_name: TEXT, name: TEXT, avatar_url: NULLABLE_TEXT }),
    text: TEXT,
    summary: { ...NULLABLE_TEXT, description: 'Content warning' },
    entities: list(ENTITY),
    lang: NULLABLE_TEXT,
    created_at: TEXT,
    edited_at: NULLABLE_TEXT,
    media: list(MEDIUM),
    in_reply_to: {
      oneOf: [
        object({
          id: NULLABLE_TEXT,
          user_name: NULLABLE_TEXT,
          url: NULLABLE_TEXT,
          known: YES_OR_NO
        }),
        { type: 'null' }
      ]
    },
    counts: object({ likes: COUNT, reposts: COUNT, replies: COUNT, quotes: COUNT }),
    sensitive: YES_OR_NO,
    source: object({
      kind: { enum: ['x_archive', 'mastodon', 'local', 'sample'] },
      original_url: NULLABLE_TEXT
    }),
    quoted: {
      anyOf: [ref('Post'), object({ id: TEXT, url: NULLABLE_TEXT }), { type: 'null' }]
    },
    thread: object({ previous: list(TEXT), next: list(TEXT) })
  },
  'thread'
)

const TWEET = {
  ...object({
    __typename: { const: 'Tweet' },
    id_str: TEXT,
    text: { ...TEXT, description: 'HTML: & < > are escaped' },
    created_at: TEXT,
    display_text_range: { ...list(WHOLE), minItems: 2, maxItems: 2 },
    entities: { type: 'object' },
    user: object({ id_str: TEXT, name: TEXT, screen_name: TEXT, profile_image_url_https: TEXT }),
    favorite_count: WHOLE,
    conversation_count: WHOLE
  }),
  description: 'All members that react-tweet reads; see its type Tweet'
}

/** The record without the posts around it. */
const OWN_POST = {
  allOf: [
    POST,
    object({
      visibility: { enum: ['public', 'hidden', 'deleted'] },
      restorable_until: { ...NULLABLE_TEXT, description: 'Of a deleted post' }
    })
  ]
}

export const SCHEMAS: OpenapiPart = {
  Post: POST,
  OwnPost: OWN_POST,
  Tweet: TWEET,
  TweetData: object({ data: ref('Tweet') }),
  NoTweetData: object({ data: { type: 'null' } }),
  Oembed: object({
    version: { const: '1.0' },
    type: { const: 'rich' },
    url: TEXT,
    author_name: TEXT,
    author_url: TEXT,
    provider_name: TEXT,
    provider_url: TEXT,
    cache_age: WHOLE,
    width: WHOLE,
    height: { type: 'null' },
    html: TEXT
  }),
  Error: object({ error: { ...TEXT, description: 'One sentence' }, code: TEXT })
}
