import { type MediaRange, matchContent, parseMediaType } from '../../../kernel/media-type.ts'
import type { Diagnostic, Incoming } from '../message.ts'
import type { MediaType, RequestBody } from '../model/api.ts'
import type { Schemas } from '../schema/schemas.ts'
import { type BodyOutcome, reject } from './body-outcome.ts'
import { type ContentCheck, createContentCheck } from './content.ts'
import { CODINGS, codingsOf } from './decode-body.ts'
import type { Shapes } from './schema-summary.ts'

export type BodyCheck = (
  incoming: Incoming,
  diagnostics: Diagnostic[]
) => BodyOutcome | Promise<BodyOutcome>

const NO_BODY: BodyOutcome = { value: undefined }
const UNKNOWN_BYTES = parseMediaType('application/octet-stream') as MediaRange

export function createBodyCheck(
  body: RequestBody | undefined,
  schemas: Schemas,
  shapes: Shapes
): BodyCheck {
  const contents = body?.contents ?? []
  const checks = new Map<MediaType, ContentCheck>()

  function checkOf(content: MediaType): ContentCheck {
    const check = checks.get(content) ?? createContentCheck(content, schemas, shapes)
    checks.set(content, check)
    return check
  }

  return function checkBody({ body: bytes, headers, isDecoded }, diagnostics) {
    if (bytes === undefined || bytes.length === 0) {
      if (body?.required === true) diagnostics.push(MISSING)
      return NO_BODY
    }
    if (body === undefined) {
      diagnostics.push(reject('No supported content types, but request included a non-empty body'))
      return NO_BODY
    }
    const encoding = headers['content-encoding']
    if (encoding !== undefined && isDecoded !== true && codingsOf(encoding).length > 0) {
      diagnostics.push(rejectEncoding(encoding))
      return NO_BODY
    }
    const [first] = contents
    // A body without a described content is not checked.
    if (first === undefined) return NO_BODY
    const header = headers['content-type']
    if (header === undefined || header.trim() === '') {
      return checkOf(first)(bytes, ownType(first), diagnostics)
    }
    const sent = parseMediaType(header)
    const content = sent === undefined ? undefined : matchContent(contents, sent)
    if (sent === undefined || content === undefined) {
      const types = contents.map(({ type }) => type).join(',')
      diagnostics.push(reject(`Supported content types: ${types}`))
      return NO_BODY
    }
    return checkOf(content)(bytes, sent, diagnostics)
  }
}

const MISSING: Diagnostic = {
  location: [],
  severity: 'Error',
  code: 'required',
  message: 'Body parameter is required'
}

function rejectEncoding(encoding: string): Diagnostic {
  const message = `Supported content encodings: ${CODINGS}; the body is encoded as ${encoding}`
  return { ...reject(message), location: ['header', 'content-encoding'] }
}

/** A body without a `Content-Type` has the first media type of the document. */
function ownType({ type }: MediaType): MediaRange {
  const own = parseMediaType(type)
  return own === undefined || own.type === '*' || own.subtype.startsWith('*') ? UNKNOWN_BYTES : own
}
