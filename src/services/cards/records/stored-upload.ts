/** A file that is stored as it was sent, and the public image that was made of it. */
export interface StoredUpload {
  readonly fileName: string
  readonly hash: string
  readonly size: number
  /** Without metadata; undefined if the file is no image, or a damaged one. */
  readonly image: StoredImage | undefined
}

export interface StoredImage {
  readonly hash: string
  readonly size: number
  readonly mediaType: string
  readonly width: number
  readonly height: number
  /** Mean colour, such as `#242424`. */
  readonly color: string | undefined
}
