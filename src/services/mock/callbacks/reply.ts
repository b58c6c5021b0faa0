import type { Diagnostic } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { checkResponse } from '../response/check-response.ts'
import { readBody } from '../response/read-body.ts'
import type { ServedApi } from '../served-api.ts'

export interface Reply {
  status: number
  headers: Record<string, string>
  text: string
  diagnostics: Diagnostic[]
}

/** Reads the reply to a callback or webhook and validates it against the documented responses. */
export async function readReply(
  served: ServedApi,
  operation: Operation,
  response: Response
): Promise<Reply> {
  const { status } = response
  const type = response.headers.get('content-type') ?? undefined
  const text = await response.text()
  const headers = Object.fromEntries(response.headers)
  const prepared = { status, headers, type }
  if (type === undefined || text === '') {
    const diagnostics = checkResponse(served, operation, { ...prepared, body: undefined })
    return { status, headers, text, diagnostics }
  }
  const { body, diagnostics } = readBody(text, type)
  const found = checkResponse(served, operation, { ...prepared, body })
  return { status, headers, text, diagnostics: [...found, ...diagnostics] }
}
