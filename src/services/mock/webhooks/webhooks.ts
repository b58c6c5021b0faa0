import { OutboundError } from '../../../kernel/outbound.ts'
import { InvalidWebhookCall, WebhookNotDelivered, WebhookNotFound } from '../admin/errors.ts'
import { readReply } from '../callbacks/reply.ts'
import { makeRequestTo, type OutgoingCall } from '../callbacks/request-to.ts'
import { Problem } from '../contract.ts'
import type { Documents } from '../documents.ts'
import type { Diagnostic } from '../message.ts'
import type { Operation } from '../model/api.ts'
import { createRequestCheck } from '../request/check.ts'
import { parseQuery } from '../request/query-string.ts'
import { onSide } from '../response/report.ts'
import type { ServedApi } from '../served-api.ts'
import type { WebhookCall } from './call.ts'

export interface Webhook {
  served: ServedApi
  operation: Operation
}

/** The request that was sent, and the reply. */
export interface WebhookOutcome {
  sent: OutgoingCall
  reply: { status: number; headers: Record<string, string>; body: string }
  /** As in `sl-violations`: each location starts with `request` or `response`. */
  violations: readonly Diagnostic[]
  milliseconds: number
}

const TIMEOUT_MS = 10_000
const MAX_REPLY_BYTES = 1024 * 1024

export function listWebhooks(documents: Documents): Webhook[] {
  return documents
    .apis()
    .flatMap((served) => served.api.webhooks.map((operation) => ({ served, operation })))
}

/**
 * Sends a webhook of the documents through the outbound guard; `forwarded` if a request that came
 * through a proxy asks for it.
 */
export async function sendWebhook(
  documents: Documents,
  name: string,
  call: WebhookCall,
  forwarded: boolean
): Promise<WebhookOutcome> {
  const { served, operation } = find(documents, name, call)
  const sent = await make(documents, served, operation, call)
  const faults = await check(served, operation, sent)
  if (call.validate && faults.some(({ severity }) => severity === 'Error')) {
    throw rejection(
      'The request violates the document; use validate: false to send it anyway',
      faults
    )
  }
  const started = performance.now()
  const { status, headers, text, diagnostics } = await deliver(
    documents,
    { served, operation },
    sent,
    forwarded
  )
  return {
    sent,
    reply: { status, headers, body: text },
    violations: [...onSide('request', faults), ...onSide('response', diagnostics)],
    milliseconds: Math.round((performance.now() - started) * 1000) / 1000
  }
}

function find(documents: Documents, name: string, { method, document }: WebhookCall): Webhook {
  const all = listWebhooks(documents)
  const named = all.filter(({ operation }) => operation.path === name)
  if (named.length === 0) {
    const known = [...new Set(all.map(({ operation }) => operation.path))].join(', ')
    throw new WebhookNotFound(name, known || 'none')
  }
  const fitting = named.filter(
    ({ served, operation }) =>
      (method === undefined || operation.method === method) &&
      (document === undefined || [served.label, served.name].includes(document))
  )
  const [first] = fitting
  if (first === undefined) {
    throw new InvalidWebhookCall(`${name} does not exist with this method or in this document`)
  }
  if (fitting.length > 1) {
    throw new InvalidWebhookCall(`${name} is ambiguous: set method or document`)
  }
  return first
}

async function make(
  documents: Documents,
  served: ServedApi,
  operation: Operation,
  { url, body, example, headers }: WebhookCall
): Promise<OutgoingCall> {
  try {
    const { options } = documents.engine()
    const wish = { body, example, type: headers['content-type'] }
    const made = await makeRequestTo(url, served, operation, options, wish)
    return { ...made, headers: { ...made.headers, ...headers } }
  } catch (error) {
    if (error instanceof Problem) throw new InvalidWebhookCall(error.message)
    throw error
  }
}

/** Validates the request as if the mock had received it. */
async function check(
  served: ServedApi,
  operation: Operation,
  { url, method, headers, body }: OutgoingCall
): Promise<readonly Diagnostic[]> {
  const { pathname, search } = new URL(url)
  const query = search.slice(1)
  const bytes = body === undefined ? undefined : Buffer.from(body)
  const { diagnostics, malformed } = await createRequestCheck(operation, served.schemas).check(
    { method, path: pathname, query, headers, body: bytes },
    new Map(),
    { query: parseQuery(query), security: false }
  )
  if (malformed === undefined) return diagnostics
  return [...diagnostics, { location: ['body'], severity: 'Error', message: malformed.message }]
}

async function deliver(
  documents: Documents,
  { served, operation }: Webhook,
  { url, method, headers, body }: OutgoingCall,
  forwarded: boolean
) {
  try {
    const response = await documents.outbound.fetch(url, {
      method,
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_REPLY_BYTES,
      forwarded
    })
    return await readReply(served, operation, response)
  } catch (error) {
    if (error instanceof OutboundError) throw new WebhookNotDelivered(reasonOf(error.code))
    throw error
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ADDRESS_REFUSED:
    'the IP address is private, or loopback and asked for through a proxy; see --allow-callbacks (ADDRESS_REFUSED)',
  TIMEOUT: `no response within ${TIMEOUT_MS / 1000} seconds (TIMEOUT)`,
  TOO_LARGE: `the response exceeds ${MAX_REPLY_BYTES} bytes (TOO_LARGE)`,
  ECONNREFUSED: 'connection refused (ECONNREFUSED)',
  ENOTFOUND: 'host not found (ENOTFOUND)'
}

function reasonOf(code: string): string {
  return REASONS[code] ?? code
}

function rejection(message: string, faults: readonly Diagnostic[]): Error {
  return Object.assign(new InvalidWebhookCall(message), { validation: faults })
}
