import type { Diagnostic } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { checkResponse } from '../response/check-response.ts'
import { readBody } from '../response/read-body.ts'
import type { ServedApi } from '../served-api.ts'

/** Holds the reply to a callback against the callback's own responses. */
export async function judgeReply(
  served: ServedApi,
  operation: Operation,
  reply: Response
): Promise<Diagnostic[]> {
  const type = reply.headers.get('content-type') ?? undefined
  const text = await reply.text()
  const answer = { status: reply.status, headers: Object.fromEntries(reply.headers), type }
  if (type === undefined || text === '') {
    return checkResponse(served, operation, { ...answer, body: undefined })
  }
  const { body, diagnostics } = readBody(text, type)
  return [...checkResponse(served, operation, { ...answer, body }), ...diagnostics]
}
