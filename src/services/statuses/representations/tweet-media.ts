import { mediaPath, postPath } from '../pages/links.ts'
import type { Medium, Post } from '../records/record.ts'
import { shownUrl } from './tweet-text.ts'

/** Of media whose size is not known; clients divide by it. */
const UNKNOWN_SIZE = { width: 1280, height: 720 }
const DARK = { red: 20, green: 23, blue: 26 }
const MP4 = 'video/mp4'
/** A picture of the media route, for videos without a poster. */
export const DEFAULT_PICTURE = '/media/default.svg'

const SIZES = [
  ['large', 2048],
  ['medium', 1200],
  ['small', 680]
] as const
const THUMB = { w: 150, h: 150, resize: 'crop' }

/** Media in the form that embedding clients expect; videos must be MP4 there. */
export function tweetMediaOf(post: Post, baseUrl: string): object[] {
  return post.media.flatMap((medium) => detailsOf(medium, post, baseUrl) ?? [])
}

function detailsOf(medium: Medium, post: Post, baseUrl: string): object | undefined {
  const isVideo = medium.type !== 'photo'
  if (isVideo && medium.mediaType !== MP4) return undefined
  const url = baseUrl + postPath(post.account.userName, post.id)
  const { width, height } = medium.width > 0 && medium.height > 0 ? medium : UNKNOWN_SIZE
  return {
    display_url: shownUrl(url.replace(/^https?:\/\//, '')),
    expanded_url: url,
    url,
    indices: [0, 0],
    ext_media_availability: { status: 'Available' },
    ext_media_color: { palette: [{ percentage: 100, rgb: DARK }] },
    media_url_https: baseUrl + pictureOf(medium),
    original_info: { width, height, focus_rects: [] },
    sizes: sizesOf(width, height),
    type: medium.type,
    ...(medium.alt !== undefined && { ext_alt_text: medium.alt }),
    ...(isVideo && { video_info: videoInfo(medium, width, height, baseUrl) })
  }
}

/** Clients replace the extension by `?format=` and `&name=`. */
function pictureOf({ type, hash, mediaType, posterHash, posterMediaType }: Medium): string {
  if (type === 'photo') return mediaPath(hash, mediaType)
  return posterHash === undefined ? DEFAULT_PICTURE : mediaPath(posterHash, posterMediaType)
}

function sizesOf(width: number, height: number): object {
  const fitted = SIZES.map(([name, most]) => {
    const scale = Math.min(1, most / Math.max(width, height))
    const size = { w: Math.round(width * scale), h: Math.round(height * scale), resize: 'fit' }
    return [name, size] as const
  })
  return { ...Object.fromEntries(fitted), thumb: THUMB }
}

function videoInfo(medium: Medium, width: number, height: number, baseUrl: string): object {
  const { bitrate, mediaType, hash, durationMs } = medium
  return {
    aspect_ratio: [width, height],
    ...(durationMs !== undefined && { duration_millis: durationMs }),
    variants: [
      {
        ...(bitrate !== undefined && { bitrate }),
        content_type: mediaType,
        url: baseUrl + mediaPath(hash, mediaType)
      }
    ]
  }
}

/** The summary of the photos of a post. */
export function photosOf(post: Post, baseUrl: string): object[] {
  const expandedUrl = baseUrl + postPath(post.account.userName, post.id)
  return post.media
    .filter(({ type }) => type === 'photo')
    .map(({ hash, mediaType, width, height }) => ({
      backgroundColor: DARK,
      cropCandidates: [],
      expandedUrl,
      url: baseUrl + mediaPath(hash, mediaType),
      width,
      height
    }))
}

/** The summary of the first video of a post. */
export function videoOf(post: Post, baseUrl: string): object | undefined {
  const video = post.media.find(({ type, mediaType }) => type !== 'photo' && mediaType === MP4)
  if (video === undefined) return undefined
  const { width, height } = video.width > 0 && video.height > 0 ? video : UNKNOWN_SIZE
  return {
    aspectRatio: [width, height],
    contentType: video.type === 'animated_gif' ? 'gif' : 'media_entity',
    durationMs: video.durationMs ?? 0,
    mediaAvailability: { status: 'available' },
    poster: baseUrl + pictureOf(video),
    variants: [{ type: MP4, src: baseUrl + mediaPath(video.hash, MP4) }],
    videoId: { type: 'tweet', id: post.id },
    viewCount: 0
  }
}
