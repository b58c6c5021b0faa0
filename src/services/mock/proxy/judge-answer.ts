import type { EngineOptions } from '../engine/options.ts'
import type { Diagnostic } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { checkResponse, type Judged } from '../response/check-response.ts'
import { findResponse } from '../response/choose-response.ts'
import { essenceOf, isJson, isText } from '../response/media-type.ts'
import { isBodiless } from '../response/mocker.ts'
import { readBody, unreadable } from '../response/read-body.ts'
import type { ServedApi } from '../served-api.ts'
import { decode } from './decode.ts'
import type { Returned } from './forward.ts'
import { type Held, hold } from './hold.ts'

/** A client waits no longer than this for an answer that is held back to be judged. */
const MAX_HOLD_MS = 5000

interface JudgedAnswer {
  held: Held
  diagnostics: Diagnostic[]
}

/** Holds the answer of the upstream against the document; the bytes stay as they are. */
export async function judgeAnswer(
  served: ServedApi,
  operation: Operation,
  { status, headers, body }: Returned,
  { maxBodyBytes }: EngineOptions
): Promise<JudgedAnswer> {
  const type = textOf(headers['content-type'])
  const answer: Judged = { status, headers, type, body: undefined }
  if (!isJudged(operation, status, type)) {
    return { held: { stream: body }, diagnostics: checkResponse(served, operation, answer) }
  }
  const held = await hold(body, maxBodyBytes, MAX_HOLD_MS)
  if (held.bytes === undefined) {
    return { held, diagnostics: [...checkResponse(served, operation, answer), unjudged()] }
  }
  const decoded = await decode(held.bytes, textOf(headers['content-encoding']) ?? '', maxBodyBytes)
  const parsed =
    decoded === undefined ? unreadable('unpacked') : readBody(decoded.toString(), type ?? '')
  const diagnostics = checkResponse(served, operation, { ...answer, body: parsed.body })
  return { held, diagnostics: [...diagnostics, ...parsed.diagnostics] }
}

/** Streams are passed on at once, and so is what no schema speaks of. */
function isJudged(
  { method, responses }: Operation,
  status: number,
  type: string | undefined
): boolean {
  if (method === 'HEAD' || isBodiless(status)) return false
  if (type === undefined || essenceOf(type) === 'text/event-stream') return false
  const contents = findResponse(responses, status)?.contents ?? []
  return (isJson(type) || isText(type)) && contents.some(({ schema }) => schema !== undefined)
}

function unjudged(): Diagnostic {
  const message = 'Response body was too large or too slow to be validated'
  return { location: ['body'], severity: 'Warning', message }
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}
