/** The public file of an attachment. */
export interface PublicImage {
  readonly hash: string
  readonly mediaType: string
}

export interface RenditionSize {
  readonly width: number
  /** Without it, as high as the ratio of the image tells. */
  readonly height?: number
  /** `inside` by default: nothing is cut off. */
  readonly fit?: 'inside' | 'cover'
  /** `auto`: what the client accepts. By default JPEG stays JPEG and other types become WebP. */
  readonly format?: 'auto' | 'webp' | 'jpeg' | 'png'
}

/** Widths for `srcset`. */
export const RENDITION_WIDTHS: readonly number[] = [150, 320, 640, 960, 1280, 1920]

const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif'
}

/** With its dot; empty for a type that is no image. */
export function imageExtension(mediaType: string): string {
  const extension = EXTENSIONS[mediaType]
  return extension === undefined ? '' : `.${extension}`
}

/** Changes with every byte of the image, so it can be cached for ever. */
export function imagePath({ hash, mediaType }: PublicImage): string {
  return `/images/${hash}${imageExtension(mediaType)}`
}

export function imageUrl(baseUrl: string, image: PublicImage): string {
  return baseUrl + imagePath(image)
}

/** Never larger than the image. A long list of cards has thousands of these. */
export function renditionUrl(baseUrl: string, image: PublicImage, size: RenditionSize): string {
  const { width, height, fit, format } = size
  const more = [
    height === undefined ? '' : `&h=${height}`,
    fit === undefined ? '' : `&fit=${fit}`,
    format === undefined ? '' : `&format=${format}`
  ]
  return `${imageUrl(baseUrl, image)}?w=${width}${more.join('')}`
}
