import { html, type Markup } from '../../../kernel/html.ts'
import type { Medium, Post } from '../records/record.ts'
import { type Links, mediaPath } from './links.ts'
import { countText } from './text.ts'

const NO_DESCRIPTION = { photo: 'Image without description', video: 'Video without description' }

/** Media of a post; those that are sensitive are shown after a click. */
export function renderMedia(post: Post, links: Links, isMain: boolean): Markup | false {
  if (post.media.length === 0) return false
  const grid = html`<div class="media ${post.media.length > 1 ? 'several' : ''}">
${post.media.map((medium, index) => renderFigure(medium, links, isMain ? index + 1 : undefined))}
</div>`
  if (!post.sensitive) return grid
  return html`<details class="cover"><summary>Sensitive media: ${mediaText(post.media)}</summary>
${grid}
</details>`
}

/** `2 images and 1 video`. */
export function mediaText(media: readonly Medium[]): string {
  const videos = media.filter(isVideo).length
  const images = media.length - videos
  return [images > 0 && countText(images, 'image'), videos > 0 && countText(videos, 'video')]
    .filter((text) => text !== false)
    .join(' and ')
}

export function isVideo({ mediaType }: Medium): boolean {
  return mediaType.startsWith('video/')
}

/** `number` is the one of the addresses `/photo/<number>`, which lead to this element. */
function renderFigure(medium: Medium, links: Links, number: number | undefined): Markup {
  return html`<figure${number !== undefined && html` id="media-${number}"`}>${
    isVideo(medium) ? renderVideo(medium, links) : renderImage(medium, links)
  }</figure>
`
}

/** The larger side of a picture that pages show as it is, and of `medium`. */
const MEDIUM_PIXELS = 1200

/** The link leads to the whole picture. */
function renderImage(medium: Medium, links: Links): Markup {
  const source = links.file(mediaPath(medium.hash, medium.mediaType))
  const isLarge = Math.max(medium.width, medium.height) > MEDIUM_PIXELS
  const isResized = isLarge && !links.isStatic && medium.mediaType !== 'image/gif'
  const shown = isResized ? `${source}?name=medium` : source
  return html`<a href="${source}"><img class="u-photo" src="${shown}"${sizeOf(medium)} alt="${altOf(medium)}" loading="lazy" decoding="async"></a>`
}

function renderVideo(medium: Medium, links: Links): Markup {
  const source = links.file(mediaPath(medium.hash, medium.mediaType))
  const poster =
    medium.posterHash !== undefined &&
    html` poster="${links.file(mediaPath(medium.posterHash, medium.posterMediaType))}"`
  const repeated = medium.type === 'animated_gif' && html` loop muted`
  return html`<video class="u-video" src="${source}"${poster}${sizeOf(medium)} aria-label="${altOf(medium)}" controls playsinline preload="none"${repeated}></video>`
}

/** Reserves the area before the file arrives. */
function sizeOf({ width, height }: Medium): Markup | false {
  return width > 0 && height > 0 && html` width="${width}" height="${height}"`
}

export function altOf(medium: Medium): string {
  if (medium.alt !== undefined && medium.alt.trim() !== '') return medium.alt
  return isVideo(medium) ? NO_DESCRIPTION.video : NO_DESCRIPTION.photo
}
