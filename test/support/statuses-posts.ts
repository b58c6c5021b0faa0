import { createRandom, type Random } from './random.ts'
import { mp4, png } from './statuses-media.ts'
import { ArchiveText } from './statuses-text.ts'

export const OWNER = { id: '4217', name: 'Wren Example', userName: 'wren_now', former: 'wren_old' }
const OTHERS = ['harbourcat', 'Ola_K', 'tinbox'] as const

/** Parts of a hundred posts of each kind; the rest has words, hashtags and links only. */
export const SHARES = {
  thread: 10,
  /** Posts of a thread in the same second. */
  quickThread: 6,
  reply: 14,
  /** A reply to a deleted post has no id of it. */
  replyToDeleted: 3,
  repost: 9,
  quote: 5,
  ownLink: 3,
  note: 5,
  photo: 10,
  video: 3,
  edited: 2,
  missingMedia: 1
} as const
type Kind = keyof typeof SHARES | 'plain'

/** One post of an archive with everything that belongs to it, and what it has to become. */
export interface MadePost {
  id: string
  kind: Kind
  tweet: Record<string, unknown>
  note?: object
  /** Media by the name of their file. */
  files: readonly { name: string; data: Buffer }[]
  expected: {
    kind: 'post' | 'reply' | 'repost'
    hidden: boolean
    text: string
    marked: readonly string[]
    media: number
    createdAt: string
    replyTo?: { id?: string; userName?: string }
    quotedId?: string
  }
}

const EPOCH = 1_288_834_974_657n
const START = Date.UTC(2019, 2, 4, 9, 30, 0)
const CLASSIC_DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')

export function classicTime(time: number): string {
  const date = new Date(time)
  const iso = date.toISOString()
  const day = CLASSIC_DAYS[date.getUTCDay()]
  const month = MONTHS[date.getUTCMonth()]
  return `${day} ${month} ${iso.slice(8, 10)} ${iso.slice(11, 19)} +0000 ${iso.slice(0, 4)}`
}

function kindOf(random: Random): Kind {
  let left = random.below(100)
  for (const [kind, share] of Object.entries(SHARES)) {
    left -= share
    if (left < 0) return kind as Kind
  }
  return 'plain'
}

export interface PostsToMake {
  seed: number
  count: number
  /** Between two posts, at most. Ids end in the year 2080. */
  minutes?: number
}

/** The same posts for the same seed, one after the other. */
export function* makePosts({ seed, count, minutes = 900 }: PostsToMake): Generator<MadePost> {
  const random = createRandom(seed)
  let time = START
  let previous: { id: string; time: number } | undefined
  for (let index = 0; index < count; index++) {
    // The first posts have one of each kind, so that small archives have all.
    const kind = (Object.keys(SHARES)[index] as Kind | undefined) ?? kindOf(random)
    const inSameSecond = kind === 'quickThread' && previous !== undefined
    time = inSameSecond ? time + 20 : time + 60_000 * (1 + random.below(minutes))
    if (!inSameSecond) time -= time % 1000
    const id = String(((BigInt(time) - EPOCH) << 22n) + BigInt(random.below(4096)))
    yield makePost({ random, index, kind, id, time, previous })
    previous = { id, time }
  }
}

interface Making {
  random: Random
  index: number
  kind: Kind
  id: string
  time: number
  previous: { id: string; time: number } | undefined
}

function makePost(making: Making): MadePost {
  const { random, index, kind, id, time, previous } = making
  const text = new ArchiveText()
  const createdAt = new Date(time - (time % 1000)).toISOString()
  const tweet: Record<string, unknown> = {
    edit_info: { initial: { editTweetIds: [id], editsRemaining: '5', isEditEligible: true } },
    retweeted: false,
    source: '<a href="https://example.org" rel="nofollow">Example</a>',
    id_str: id,
    id,
    favorite_count: String(random.below(50)),
    retweet_count: String(random.below(9)),
    created_at: classicTime(time),
    lang: 'en',
    truncated: false,
    favorited: false
  }
  const expected: MadePost['expected'] = {
    ...{ kind: 'post', hidden: false, text: '', marked: text.marked, media: 0, createdAt }
  }
  const files: { name: string; data: Buffer }[] = []
  let shownFrom = 0
  let note: object | undefined
  const other = random.pick(OTHERS)

  if (kind === 'repost') {
    text.word('RT')
    text.mention(other, '77')
    text.escaped += ':'
    text.plain += ':'
    Object.assign(expected, { kind: 'repost', hidden: true })
  }
  if ((kind === 'thread' || kind === 'quickThread') && previous !== undefined) {
    reply(tweet, { id: previous.id, user: OWNER.id, name: OWNER.userName })
    Object.assign(expected, {
      kind: 'reply',
      replyTo: { id: previous.id, userName: OWNER.userName }
    })
  }
  if (kind === 'reply' || kind === 'replyToDeleted') {
    text.mention(other, '77', false)
    shownFrom = text.length + 1
    const target = kind === 'reply' ? String(5_000 + index) : undefined
    reply(tweet, { id: target, user: '77', name: other })
    const replyTo = { ...(target !== undefined && { id: target }), userName: other }
    Object.assign(expected, { kind: 'reply', replyTo })
  }
  text.words(random, 4 + random.below(12))
  if (random.below(3) === 0) text.hashtag(random.pick(['nonet', '漢字', 'Été_26']))
  if (random.below(9) === 0) text.symbol('NNT')
  if (random.below(4) === 0) {
    text.url(`https://example.org/${index}?a=1&b=%20x`, `u${index}`)
    text.words(random, 2)
  }
  if (kind === 'ownLink' && previous !== undefined) {
    text.url(`https://twitter.com/${OWNER.former}/status/${previous.id}`, `o${index}`)
    text.word('there')
  }
  if (kind === 'quote') {
    text.url(`https://twitter.com/${other}/status/${9_000 + index}`, `q${index}`, false)
    expected.quotedId = String(9_000 + index)
  }
  if (kind === 'edited') {
    const versions = { editTweetIds: [String(BigInt(id) - 1n), id] }
    tweet.edit_info = {
      edit: { initialTweetId: versions.editTweetIds[0], editControlInitial: versions }
    }
  }
  if (kind === 'photo' || kind === 'video' || kind === 'missingMedia') {
    const count = kind === 'photo' ? 1 + random.below(4) : 1
    const link = text.mediaLink(`m${index}`)
    const media = Array.from({ length: count }, (_, position) =>
      makeMedium(kind, id, index * 10 + position, link, files)
    )
    text.entities.media.push(media[0] as object)
    tweet.extended_entities = { media }
    expected.media = kind === 'missingMedia' ? 0 : count
  }
  expected.text = text.plain
  tweet.full_text = text.escaped
  tweet.display_text_range = [String(shownFrom), String(text.length)]
  tweet.entities = text.entities
  if (kind === 'note') note = makeNote(making, tweet, text, expected)
  return { id, kind, tweet, files, expected, ...(note !== undefined && { note }) }
}

function reply(
  tweet: Record<string, unknown>,
  { id, user, name }: { id: string | undefined; user: string; name: string }
): void {
  if (id !== undefined)
    Object.assign(tweet, { in_reply_to_status_id: id, in_reply_to_status_id_str: id })
  Object.assign(tweet, {
    in_reply_to_user_id: user,
    in_reply_to_user_id_str: user,
    in_reply_to_screen_name: name
  })
}

function makeMedium(
  kind: 'photo' | 'video' | 'missingMedia',
  id: string,
  number: number,
  link: { url: string; indices: [string, string] },
  files: { name: string; data: Buffer }[]
): object {
  const base = `Img${number}.png`
  const medium = {
    ...link,
    id: String(3_000_000 + number),
    id_str: String(3_000_000 + number),
    media_url: `http://pbs.example.org/media/${base}`,
    media_url_https: `https://pbs.example.org/media/${base}`,
    display_url: `pic.twitter.com/m${number}`,
    expanded_url: `https://twitter.com/${OWNER.userName}/status/${id}/photo/1`,
    sizes: { large: { w: '8', h: '6', resize: 'fit' }, thumb: { w: '8', h: '6', resize: 'crop' } }
  }
  if (kind === 'missingMedia') return { ...medium, type: 'photo' }
  files.push({ name: `${id}-${base}`, data: png(number) })
  if (kind === 'photo')
    return {
      ...medium,
      type: 'photo',
      ...(number % 2 === 0 && { ext_alt_text: `Image ${number} & more` })
    }
  files.push({ name: `${id}-v${number}.mp4`, data: mp4(number) })
  const variant = (file: string, bitrate: string) => ({
    ...{ bitrate, content_type: 'video/mp4' },
    url: `https://video.example.org/vid/1280x720/${file}?tag=12`
  })
  return {
    ...medium,
    type: number % 20 === 0 ? 'animated_gif' : 'video',
    video_info: {
      aspect_ratio: ['16', '9'],
      duration_millis: '12345',
      variants: [
        { content_type: 'application/x-mpegURL', url: 'https://video.example.org/pl/x.m3u8' },
        variant(`low${number}.mp4`, '256000'),
        variant(`v${number}.mp4`, '2176000')
      ]
    }
  }
}

/** The post has the beginning of the text, and the note has all of it. */
function makeNote(
  { random, index, time }: Making,
  tweet: Record<string, unknown>,
  text: ArchiveText,
  expected: MadePost['expected']
): object {
  const rest = new ArchiveText()
  rest.words(random, 60)
  const tag = `long${index}`
  const whole = `${expected.text} ${rest.plain} #${tag}`
  tweet.full_text = `${text.escaped}… https://t.co/${`n${index}`.padStart(10, '0')}`
  expected.text = whole
  expected.marked = [...text.marked, `#${tag}`]
  const start = Array.from(whole).length - tag.length - 1
  return {
    noteTweetId: String(7_000 + index),
    createdAt: new Date(time + 111).toISOString(),
    updatedAt: new Date(time + 111).toISOString(),
    core: {
      text: whole,
      styletags: [],
      urls: text.entities.urls.map((entity) => noteUrl(entity as Record<string, unknown>)),
      mentions: [],
      cashtags: text.entities.symbols,
      hashtags: [
        ...text.entities.hashtags,
        { text: tag, fromIndex: String(start), toIndex: String(start + tag.length + 1) }
      ]
    }
  }
}

function noteUrl({ url, expanded_url, display_url }: Record<string, unknown>): object {
  return { shortUrl: url, expandedUrl: expanded_url, displayUrl: display_url }
}
