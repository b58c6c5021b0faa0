export interface ImageFacts {
  readonly mediaType: string
  /** As shown: the orientation is applied. */
  readonly width: number
  readonly height: number
}

export interface CleanImage extends ImageFacts {
  readonly bytes: Buffer
  /** Mean colour as `#rrggbb`; undefined without sharp and if all pixels are transparent. */
  readonly color?: string
}

/** The image cannot be used. The message is one sentence for the user. */
export class ImageRefused extends Error {
  override name = 'ImageRefused'
}

export function damagedImage(type: string, detail: string, options?: ErrorOptions): ImageRefused {
  return new ImageRefused(
    `The ${type} image is damaged: ${detail}; export or download it again.`,
    options
  )
}
