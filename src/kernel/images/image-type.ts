export interface ImageType {
  /** The name in error messages. */
  readonly name: string
  readonly mediaType: string
}

export const JPEG: ImageType = { name: 'JPEG', mediaType: 'image/jpeg' }
export const PNG: ImageType = { name: 'PNG', mediaType: 'image/png' }
export const WEBP: ImageType = { name: 'WebP', mediaType: 'image/webp' }
export const GIF: ImageType = { name: 'GIF', mediaType: 'image/gif' }
/** Only with `ImagesOptions.svg`; found by `isSvg`, never stored. */
export const SVG: ImageType = { name: 'SVG', mediaType: 'image/svg+xml' }
export const AVIF: ImageType = { name: 'AVIF', mediaType: 'image/avif' }

const SIGNATURES: readonly (readonly [ImageType, RegExp])[] = [
  [JPEG, /^\xff\xd8\xff/],
  [PNG, /^\x89PNG\r\n.\n/],
  [WEBP, /^RIFF.{4}WEBP/s],
  [GIF, /^GIF8[79]a/],
  [AVIF, /^.{4}ftyp(?:.{4})*?avif/s]
]
/** Enough for the list of brands of an AVIF image. */
const SIGNATURE_BYTES = 40

/** The type by the first bytes, among the types that browsers show; undefined for others. */
export function findImageType(bytes: Buffer): ImageType | undefined {
  const start = bytes.toString('latin1', 0, SIGNATURE_BYTES)
  return SIGNATURES.find(([, signature]) => signature.test(start))?.[0]
}
