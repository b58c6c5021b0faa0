import type { Readable } from 'node:stream'
import { essenceOf, isJson, isText } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import type { Diagnostic, Outgoing } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { checkResponse } from '../response/check-response.ts'
import { findResponse } from '../response/choose-response.ts'
import type { Judged } from '../response/judged.ts'
import { isBodiless } from '../response/mocker.ts'
import { readBody, unreadable } from '../response/read-body.ts'
import type { ServedApi } from '../served-api.ts'
import { type BufferedBody, bufferBody } from './buffer-body.ts'
import { decode } from './decode.ts'
import type { Returned } from './forward.ts'

interface Limits {
  maxBytes: number
  maxMs: number
}

interface JudgedResponse {
  held: BufferedBody
  diagnostics: Diagnostic[]
}

/** Validates the response of the upstream against the document; its bytes stay unchanged. */
export async function judgeResponse(
  served: ServedApi,
  operation: Operation,
  { status, headers, body }: Returned,
  limits: Limits
): Promise<JudgedResponse> {
  const type = textOf(headers['content-type'])
  const response: Judged = { status, headers, type, body: undefined }
  if (!isJudged(operation, status, type)) {
    return { held: { stream: body }, diagnostics: checkResponse(served, operation, response) }
  }
  const held = await holdResponse(body, limits)
  const diagnostics =
    held.bytes === undefined
      ? [...checkResponse(served, operation, response), unjudged()]
      : await judgeBytes(served, operation, { status, headers }, held.bytes, limits.maxBytes)
  return { held, diagnostics }
}

/** Validates a response whose body is complete. */
export async function judgeBytes(
  served: ServedApi,
  operation: Operation,
  { status, headers }: Pick<Outgoing, 'status' | 'headers'>,
  bytes: Buffer,
  maxBytes: number
): Promise<Diagnostic[]> {
  const type = textOf(headers['content-type'])
  const response: Judged = { status, headers, type, body: undefined }
  if (!isJudged(operation, status, type)) return checkResponse(served, operation, response)
  const decoded = await decode(bytes, textOf(headers['content-encoding']) ?? '', maxBytes)
  const parsed =
    decoded === undefined ? unreadable('unpacked') : readBody(decoded.toString(), type ?? '')
  const diagnostics = checkResponse(served, operation, { ...response, body: parsed.body })
  return [...diagnostics, ...parsed.diagnostics]
}

export async function holdResponse(
  body: Readable,
  { maxBytes, maxMs }: Limits
): Promise<BufferedBody> {
  try {
    return await bufferBody(body, maxBytes, maxMs)
  } catch (error) {
    throw new Problem('UPSTREAM_UNREACHABLE', `The upstream aborted its response (${error}).`)
  }
}

/**
 * Whether the body is validated; event streams and bodies without a schema are passed on at once.
 */
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

function textOf(value: string | readonly string[] | undefined): string | undefined {
  return value === undefined || typeof value === 'string' ? value : value[0]
}
