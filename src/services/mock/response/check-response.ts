import {
  hasParametersOf,
  isSequenceType,
  isXml,
  matchContent,
  parseMediaType
} from '../../../kernel/media-type.ts'
import type { Diagnostic } from '../message.ts'
import type { MediaType, Operation, ResponseModel } from '../model/api.ts'
import { diagnose } from '../request/diagnose.ts'
import type { Found } from '../schema/schemas.ts'
import type { ServedApi } from '../served-api.ts'
import { checkHeaders } from './check-headers.ts'
import { findResponse } from './choose-response.ts'
import type { Judged } from './judged.ts'

export function checkResponse(
  served: ServedApi,
  { method, responses }: Operation,
  prepared: Judged
): Diagnostic[] {
  const response = findResponse(responses, prepared.status)
  if (response === undefined) return [unknownStatus(responses, prepared.status)]
  const headers = checkHeaders(served, response, prepared.headers)
  if (method === 'HEAD') return headers
  const content = checkContent(served, response, prepared)
  return headers.length === 0 ? content : [...content, ...headers]
}

function unknownStatus(responses: readonly ResponseModel[], status: number): Diagnostic {
  const known = responses.map(({ code }) => code).join(', ')
  return {
    location: [],
    severity: status >= 200 && status < 300 ? 'Error' : 'Warning',
    message: `Status ${status} is not documented; documented statuses: ${known || 'none'}`
  }
}

function checkContent(served: ServedApi, response: ResponseModel, prepared: Judged): Diagnostic[] {
  const { contents } = response
  const { type = '' } = prepared
  if (contents.length === 0 || prepared.status === 204 || prepared.status === 304) return []
  const media = findMedia(contents, type)
  if (media === undefined) {
    const list = contents.map((each) => each.type).join(', ')
    const found =
      type === '' ? 'The response has no media type' : `Media type ${type} is not documented`
    return [
      {
        location: ['body'],
        severity: 'Error',
        message: `${found}; documented media types: ${list}`
      }
    ]
  }
  return prepared.body === undefined ? [] : checkValue(served, media, prepared.body.value)
}

/** Nearly all responses have the media type as written in the document, which needs no matching. */
function findMedia(contents: readonly MediaType[], type: string): MediaType | undefined {
  const sent = parseMediaType(type)
  const [first] = contents
  const isOnly = contents.length === 1 && first?.type === type && !type.includes('*')
  if (isOnly && sent !== undefined) return first
  const candidates = contents.filter((media) => hasParametersOf(media.type, type))
  return sent && matchContent(candidates, sent)
}

/** A media type belongs to one document, so its validator never changes. */
const known = new WeakMap<MediaType, Found>()

export function checkValue({ schemas }: ServedApi, media: MediaType, value: unknown): Diagnostic[] {
  const { schema } = media
  if (schema === undefined) return []
  // XML is not read, neither of the upstream nor of an example; the author has written a sequence as
  // it is sent.
  const isVerbatim = isXml(media.type) || isSequenceType(media.type)
  if (typeof value === 'string' && isVerbatim) return []
  let found = known.get(media)
  if (found === undefined) {
    found = schemas.find(`#${schema}`, 'response')
    known.set(media, found)
  }
  if (!found.ok) return []
  return found.compiled.validate(value).map((each) => diagnose(each, 'Response', 'body'))
}
