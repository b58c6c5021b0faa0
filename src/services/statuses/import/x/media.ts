import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import type { Archive } from '../archive/open-archive.ts'
import type { JsonObject } from '../json/read-items.ts'
import { integerOf, objectOf, objectsOf, stringOf } from '../json/values.ts'
import type { AltTexts, ParsedMedium } from '../parsed.ts'

const FOLDERS = ['tweets_media/', 'tweet_media/', 'community_tweet_media/']
const VIDEO_FILE = /\.(?:mp4|m4v|mov|webm)$/i

/** The media files of an archive by the id of their post. */
export class MediaFiles {
  readonly #byPost = new Map<string, string[]>()
  readonly #archive: Archive

  constructor(archive: Archive) {
    this.#archive = archive
    for (const name of archive.names) {
      const folder = FOLDERS.find((candidate) => name.startsWith(candidate))
      const post = folder && /^(\d+)-[^/]+$/.exec(name.slice(folder.length))?.[1]
      if (!post) continue
      const others = this.#byPost.get(post)
      if (others === undefined) this.#byPost.set(post, [name])
      else others.push(name)
    }
  }

  /** Files of the post that are not used for another of its media yet. */
  of(post: string): PostFiles {
    return new PostFiles(this.#byPost.get(post) ?? [], (name) => this.#archive.find(name)[0])
  }
}

class PostFiles {
  #names: readonly string[]
  readonly #find: (name: string) => ArchiveEntry | undefined

  constructor(names: readonly string[], find: (name: string) => ArchiveEntry | undefined) {
    this.#names = names
    this.#find = find
  }

  takeExact(post: string, file: string): ArchiveEntry | undefined {
    return this.#take(this.#names.find((name) => name.endsWith(`/${post}-${file}`)))
  }

  takeAny(isVideo: boolean): ArchiveEntry | undefined {
    return this.#take(this.#names.find((name) => VIDEO_FILE.test(name) === isVideo))
  }

  #take(name: string | undefined): ArchiveEntry | undefined {
    if (name === undefined) return undefined
    this.#names = this.#names.filter((other) => other !== name)
    return this.#find(name)
  }
}

export interface FoundMedia {
  media: ParsedMedium[]
  missing: string[]
}

/** Exact names are taken first, so that a medium without its file gets no file of another. */
export function mediaOf(
  tweet: JsonObject,
  id: string,
  files: MediaFiles,
  altTexts: AltTexts
): FoundMedia {
  const extended = objectsOf(objectOf(tweet.extended_entities).media)
  const items = extended.length > 0 ? extended : objectsOf(objectOf(tweet.entities).media)
  const available = files.of(id)
  const exact = items.map((item) => ({ item, found: takeExact(item, id, available) }))
  const media: ParsedMedium[] = []
  const missing: string[] = []
  for (const { item, found } of exact) {
    const entry = found.entry ?? available.takeAny(isVideo(item))
    if (entry === undefined) missing.push(`${id}-${found.wanted}`)
    else media.push(describe(item, id, entry, found, altTexts))
  }
  return { media, missing }
}

interface ExactFile {
  entry: ArchiveEntry | undefined
  poster: ArchiveEntry | undefined
  bitrate: number | undefined
  wanted: string
}

function isVideo(item: JsonObject): boolean {
  return item.type === 'video' || item.type === 'animated_gif'
}

function takeExact(item: JsonObject, id: string, files: PostFiles): ExactFile {
  const image = lastSegment(stringOf(item.media_url_https) ?? stringOf(item.media_url)) ?? 'file'
  if (!isVideo(item)) {
    const entry = files.takeExact(id, image)
    return { entry, poster: undefined, bitrate: undefined, wanted: image }
  }
  const poster = files.takeExact(id, image)
  const variants = variantsOf(item)
  for (const { file, bitrate } of variants) {
    const entry = files.takeExact(id, file)
    if (entry !== undefined) return { entry, poster, bitrate, wanted: file }
  }
  return { entry: undefined, poster, bitrate: undefined, wanted: variants[0]?.file ?? image }
}

/** Files of the video, the best first. */
function variantsOf(item: JsonObject): { file: string; bitrate: number | undefined }[] {
  return objectsOf(objectOf(item.video_info).variants)
    .map((variant) => ({
      type: variant.content_type,
      file: lastSegment(stringOf(variant.url)),
      bitrate: integerOf(variant.bitrate)
    }))
    .filter((variant) => variant.type === 'video/mp4')
    .sort((one, other) => (other.bitrate ?? 0) - (one.bitrate ?? 0))
    .flatMap(({ file, bitrate }) => (file === undefined ? [] : [{ file, bitrate }]))
}

function lastSegment(url: string | undefined): string | undefined {
  const path = url === undefined ? undefined : URL.parse(url)?.pathname
  return path?.slice(path.lastIndexOf('/') + 1) || undefined
}

function describe(
  item: JsonObject,
  id: string,
  entry: ArchiveEntry,
  { poster, bitrate }: ExactFile,
  altTexts: AltTexts
): ParsedMedium {
  const { w, h } = objectOf(objectOf(item.sizes).large)
  const url = stringOf(item.media_url_https) ?? stringOf(item.media_url)
  const own = stringOf(item.ext_alt_text) ?? stringOf(item.alt_text)
  const alt = altTexts.find(id, { url, id: stringOf(item.id_str) ?? stringOf(item.id) }) ?? own
  const durationMs = integerOf(objectOf(item.video_info).duration_millis)
  return {
    type: item.type === 'video' || item.type === 'animated_gif' ? item.type : 'photo',
    ...{ entry, poster, width: integerOf(w) ?? 0, height: integerOf(h) ?? 0 },
    ...(alt !== undefined && { alt }),
    ...(durationMs !== undefined && { durationMs }),
    ...(bitrate !== undefined && { bitrate })
  }
}
