import { matchContent, parseMediaType } from '../../../kernel/media-type.ts'
import type { Exchange } from '../engine/exchange.ts'
import type { MediaType, Operation } from '../model/api.ts'
import { findResponse } from '../response/choose-response.ts'
import { declaredExamples } from '../response/content-value.ts'
import { isSilent } from '../serve/faults.ts'
import type { ServedApi } from '../served-api.ts'

/** How often each part of one operation was used; 0 for documented parts that were never used. */
export interface Counts {
  calls: number
  /** Keys are status keys of the document. */
  statuses: Map<string, number>
  /** Statuses that were sent but are not documented. */
  undocumented: Map<number, number>
  /** Keys are status key and example name, such as `200 growing`. */
  examples: Map<string, number>
  /** Keys are location and name, such as `query limit`. */
  parameters: Map<string, number>
  /** Keys are media types of request bodies. */
  requestTypes: Map<string, number>
}

export function openCounts(served: ServedApi, operation: Operation): Counts {
  const { responses, parameters, requestBody } = operation
  const examples = responses.flatMap(({ code, contents }) =>
    contents.flatMap((media) => declaredExamples(served, media).map(({ key }) => `${code} ${key}`))
  )
  return {
    calls: 0,
    statuses: zeros(responses.map(({ code }) => code)),
    undocumented: new Map(),
    examples: zeros(examples),
    parameters: zeros(parameters.map((parameter) => `${parameter.in} ${parameter.name}`)),
    requestTypes: zeros((requestBody?.contents ?? []).map(({ type }) => type))
  }
}

/** Copies the counts of parts that still exist in a later version of the document. */
export function carryOver(from: Counts, to: Counts): void {
  to.calls = from.calls
  for (const [status, count] of from.undocumented) to.undocumented.set(status, count)
  for (const part of ['statuses', 'examples', 'parameters', 'requestTypes'] as const) {
    for (const [key, count] of from[part]) if (to[part].has(key)) to[part].set(key, count)
  }
}

export function count(counts: Counts, operation: Operation, exchange: Exchange): void {
  counts.calls++
  // The client receives no status if the connection ends before it is sent.
  if (!isSilent(exchange.fault)) countResponse(counts, operation, exchange)
  countSent(counts, operation, exchange)
}

function countResponse(counts: Counts, operation: Operation, exchange: Exchange): void {
  const code = statusKey(operation, exchange)
  if (code === undefined) {
    add(counts.undocumented, exchange.outgoing.status)
    return
  }
  add(counts.statuses, code)
  if (exchange.example !== undefined) add(counts.examples, `${code} ${exchange.example}`)
}

/** The status that was sent decides, not the response that was selected first. */
function statusKey(operation: Operation, exchange: Exchange): string | undefined {
  const { response, problem, outgoing } = exchange
  if (problem !== undefined) return undefined
  if (response !== undefined && response.code === String(outgoing.status)) return response.code
  return findResponse(operation.responses, outgoing.status)?.code
}

function countSent(counts: Counts, operation: Operation, { values, incoming }: Exchange): void {
  if (values !== undefined && counts.parameters.size > 0) {
    for (const { name, in: location } of operation.parameters) {
      if (values[location][name.toLowerCase()] !== undefined)
        add(counts.parameters, `${location} ${name}`)
    }
  }
  const { body, headers } = incoming
  if (body !== undefined && body.length > 0 && counts.requestTypes.size > 0) {
    const media = sentType(operation.requestBody?.contents ?? [], headers['content-type'])
    if (media !== undefined) add(counts.requestTypes, media.type)
  }
}

/** A body without a content type counts as the first documented media type. */
function sentType(
  contents: readonly MediaType[],
  header: string | undefined
): MediaType | undefined {
  if (header === undefined || header.trim() === '') return contents[0]
  const sent = parseMediaType(header)
  return sent && matchContent(contents, sent)
}

function zeros(keys: readonly string[]): Map<string, number> {
  return new Map(keys.map((key) => [key, 0]))
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
