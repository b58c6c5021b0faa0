import { createHash } from 'node:crypto'

/** A smaller image of an attachment. */
export interface PreviewSize {
  readonly id: string
  /** False if parts are cut off. */
  readonly scaled: boolean
  readonly width: number
  readonly height: number
  /** Sides of the rendition that it is; undefined for the image in its own size. */
  readonly target: { readonly width: number; readonly height?: number } | undefined
}

interface Size {
  readonly width: number
  readonly height: number
}

const CROPS: readonly Size[] = [
  { width: 70, height: 50 },
  { width: 250, height: 150 }
]
const WIDTHS: readonly number[] = [150, 300, 600, 1200]

/** Sides that previews have besides those of `RENDITION_WIDTHS`. */
export const PREVIEW_SIDES: readonly number[] = [
  ...CROPS.flatMap(({ width, height }) => [width, height]),
  ...WIDTHS
]

/** In the order of Trello; none is larger than the image. The ids stay the same. */
export function previewSizes(attachment: string, image: Size): PreviewSize[] {
  const id = (size: string) =>
    createHash('sha256').update(`preview ${attachment} ${size}`).digest('hex').slice(0, 24)
  const crops = CROPS.map((target) => ({
    id: id(`${target.width}x${target.height}`),
    scaled: false,
    width: Math.min(target.width, image.width),
    height: Math.min(target.height, image.height),
    target
  }))
  const fits = WIDTHS.filter((width) => width < image.width).map((width) => ({
    id: id(String(width)),
    scaled: true,
    width,
    height: Math.max(1, Math.round((image.height * width) / image.width)),
    target: { width }
  }))
  return [...crops, ...fits, { id: id('full'), scaled: true, ...sizeOf(image), target: undefined }]
}

function sizeOf({ width, height }: Size): Size {
  return { width, height }
}
