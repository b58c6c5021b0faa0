import { bytesOf, type Diagnostic, type SentBody } from '../message.ts'
import type { FaultName } from '../serve/faults.ts'
import type { JournalEntry } from './journal.ts'
import type { Mask } from './mask.ts'

/** A journal entry as JSON. */
export interface DescribedEntry {
  id: number
  at: string
  method: string
  path: string
  query: string
  operation: DescribedOperation | null
  status: number
  example: string | null
  problem: string | null
  /** Simulated fault; the response is then the one that would have been sent. */
  fault: FaultName | null
  forwarded: boolean
  milliseconds: number
  violations: readonly Diagnostic[]
  request: DescribedMessage
  response: DescribedMessage
}

export interface DescribedOperation {
  method: string
  path: string
  operationId: string | null
  document: string
}

export interface DescribedMessage {
  headers: Record<string, string | string[]>
  /** Null if there was no body, or if it was streamed without being recorded. */
  body: DescribedBody | null
}

/** `text` if the body is UTF-8, otherwise `base64`. */
export interface DescribedBody {
  bytes: number
  /** Whether only the beginning of the body is kept. */
  cut: boolean
  text?: string
  base64?: string
}

export function describeEntry(entry: JournalEntry, mask: Mask): DescribedEntry {
  const { id, method, path, status, example, problem, fault, forwarded, diagnostics } = entry
  return {
    id,
    at: new Date(entry.at).toISOString(),
    method,
    path,
    query: mask.query(entry.query),
    operation: describeOperation(entry),
    status,
    example: example ?? null,
    problem: problem ?? null,
    fault: fault ?? null,
    forwarded,
    milliseconds: Math.round(entry.milliseconds * 1000) / 1000,
    violations: diagnostics,
    request: {
      headers: mask.headers(entry.requestHeaders),
      body: describeBody(entry.requestBody, entry.requestBytes, mask)
    },
    response: {
      headers: mask.headers(entry.responseHeaders),
      // A problem of the mock repeats no values of the request, and its `code` is no secret.
      body: describeBody(
        entry.responseBody,
        entry.responseBytes ?? 0,
        problem === undefined ? mask : undefined
      )
    }
  }
}

function describeOperation(entry: JournalEntry): DescribedOperation | null {
  const { method, template, operationId, document } = entry
  if (template === undefined) return null
  return { method, path: template, operationId: operationId ?? null, document: document ?? '' }
}

function describeBody(
  held: SentBody | undefined,
  bytes: number,
  mask: Mask | undefined
): DescribedBody | null {
  if (held === undefined || held.length === 0) return null
  const kept = bytesOf(held)
  const cut = kept.length < bytes
  const text = textOf(kept, cut)
  if (text !== undefined) return { bytes, cut, text: mask?.body(text, true) ?? text }
  const masked = mask && Buffer.from(mask.body(kept.toString('latin1'), false), 'latin1')
  return { bytes, cut, base64: (masked ?? kept).toString('base64') }
}

/** With `stream`, an incomplete character at the cut is left out instead of being an error. */
function textOf(bytes: Uint8Array, cut: boolean): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, { stream: cut })
  } catch {
    return undefined
  }
}
