import type { TargetSize } from '../../../kernel/images/images.ts'
import { RequestInvalid } from '../contract.ts'
import { RENDITION_WIDTHS, type RenditionSize } from '../present/image-url.ts'
import { PREVIEW_SIDES } from '../present/preview-sizes.ts'

/** Few, so that a client cannot let us compute any number of them. */
const SIDES: readonly number[] = [...new Set([...RENDITION_WIDTHS, ...PREVIEW_SIDES])].sort(
  (a, b) => a - b
)
const FITS = ['inside', 'cover'] as const
const FORMATS = ['auto', 'webp', 'jpeg', 'png'] as const

type RenditionQuery = Partial<RenditionSize>

/** Undefined for the image as it is; other parameters, such as tokens, are ignored. */
export function readRendition(query: URLSearchParams): RenditionQuery | undefined {
  const width = readSide(query, 'w')
  const height = readSide(query, 'h')
  const fit = readChoice(query, 'fit', FITS)
  const format = readChoice(query, 'format', FORMATS)
  if (fit === 'cover' && (width === undefined || height === undefined)) {
    throw new RequestInvalid('fit=cover needs both w and h')
  }
  if (width === undefined && height === undefined && format === undefined) return undefined
  return {
    ...(width !== undefined && { width }),
    ...(height !== undefined && { height }),
    ...(fit !== undefined && { fit }),
    ...(format !== undefined && { format })
  }
}

function readSide(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const side = SIDES.find((known) => String(known) === text)
  if (side !== undefined) return side
  throw new RequestInvalid(`${name} must be one of ${SIDES.join(', ')}`)
}

function readChoice<const Choice extends string>(
  query: URLSearchParams,
  name: string,
  choices: readonly Choice[]
): Choice | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const choice = choices.find((known) => known === text)
  if (choice !== undefined) return choice
  throw new RequestInvalid(`${name} must be one of ${choices.join(', ')}`)
}

interface Size {
  readonly width: number
  readonly height: number
}

/** `accept` is the header of the request; clients that accept WebP name it. */
export function targetOf(
  { width, height, fit = 'inside', format }: RenditionQuery,
  image: Size & { readonly mediaType: string },
  accept: string | undefined
): TargetSize {
  const size = { width: width ?? image.width, height: height ?? image.height, fit }
  if (format === undefined) return size
  return { ...size, format: format === 'auto' ? chooseFormat(image.mediaType, accept) : format }
}

function chooseFormat(mediaType: string, accept = ''): 'webp' | 'jpeg' | 'png' {
  const acceptsWebp = /\bimage\/webp\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/i.test(accept)
  if (acceptsWebp) return 'webp'
  return mediaType === 'image/jpeg' ? 'jpeg' : 'png'
}
