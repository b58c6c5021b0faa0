import Negotiator from 'negotiator'
import { covers, essenceOf, isJson, isRange, isXml } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import type { MediaType, ResponseModel } from '../model/api.ts'

/** The chosen content and the media type that is sent. */
export interface Content {
  media: MediaType
  /** Undefined if the document has a range and the client accepts any type. */
  type: string | undefined
}

const UNASKED = 'application/json, */*'

/** RFC 9110 12.5.1; undefined if the response has no body. */
export function negotiate(
  { contents }: ResponseModel,
  status: number,
  accept: string | undefined
): Content | undefined {
  if (contents.length === 0) return undefined
  const anything = contents.find(({ type }) => essenceOf(type) === '*/*')
  if (accept === undefined && anything !== undefined) return { media: anything, type: undefined }
  const found = findAcceptable(contents, accept ?? UNASKED)
  if (found !== undefined) return found
  if (status === 204 || accept?.includes('*/*')) return undefined
  throw new Problem(
    'NOT_ACCEPTABLE',
    `The response is available as ${contents.map(({ type }) => type).join(', ')}, not ${accept}.`
  )
}

/** An error is sent even if it is not acceptable, because a client needs its details. */
export function negotiateRejection(
  { contents }: ResponseModel,
  accept: string | undefined
): Content | undefined {
  const wanted = accept === undefined ? undefined : findAcceptable(contents, accept)
  if (wanted !== undefined && accept !== '*/*') return wanted
  const media =
    contents.find(({ examples }) => examples.length > 0) ??
    contents.find(({ schema }) => schema !== undefined)
  return media && { media, type: isRange(media.type) ? undefined : media.type }
}

function findAcceptable(contents: readonly MediaType[], accept: string): Content | undefined {
  return findExact(contents, accept) ?? findExact(contents, withoutParameters(accept))
}

function findExact(contents: readonly MediaType[], accept: string): Content | undefined {
  const client = new Negotiator({ headers: { accept } })
  const concrete = contents.filter(({ type }) => !isRange(type))
  const best = client.mediaTypes(concrete.map(({ type }) => type))[0]
  const media = concrete.find(({ type }) => type === best)
  if (media !== undefined) return { media, type: media.type }
  return findRange(contents, client.mediaTypes())
}

/** A range of the document takes the first media type of the client that can be written. */
function findRange(contents: readonly MediaType[], wanted: readonly string[]): Content | undefined {
  for (const type of wanted) {
    const media = contents.find((each) => isRange(each.type) && meets(each.type, type))
    if (media !== undefined) return { media, type: isRange(type) ? undefined : type }
  }
  return undefined
}

function meets(documented: string, wanted: string): boolean {
  if (isRange(wanted)) return covers(documented, wanted) || covers(wanted, documented)
  const isWritable = isJson(wanted) || isXml(wanted) || wanted === 'text/plain'
  return covers(documented, wanted) && (isWritable || essenceOf(documented) !== '*/*')
}

/** Removes all parameters except the quality, for the second attempt. */
function withoutParameters(accept: string): string {
  return accept
    .split(',')
    .map((range) => {
      const [type = '', ...parameters] = range.split(';')
      const quality = parameters.find((parameter) => /^\s*q\s*=/i.test(parameter))
      return quality === undefined ? type : `${type};${quality}`
    })
    .join(',')
}
