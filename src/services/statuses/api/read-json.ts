import type { IncomingMessage } from 'node:http'
import { isObject, type JsonObject } from '../../../kernel/json.ts'
import { essenceOf } from '../../../kernel/media-type.ts'
import { readRequestBody } from '../../../kernel/request-body.ts'
import { BodyInvalid, BodyTooLarge, FieldInvalid, FieldUnknown } from '../contract.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
const MAX_SHOWN = 100

/** The content type in lower case; empty if it is missing or the body is compressed. */
export function bodyType({ headers }: IncomingMessage): string {
  const coding = headers['content-encoding'] ?? 'identity'
  return coding === 'identity' ? essenceOf(headers['content-type'] ?? '') : ''
}

export function aborted(): Error {
  return new BodyInvalid('The request body is incomplete')
}

export async function readText(request: IncomingMessage, maxBytes: number): Promise<string> {
  const tooLarge = () => new BodyTooLarge(maxBytes)
  const body = await readRequestBody(request, maxBytes, { tooLarge, aborted })
  try {
    return decoder.decode(body)
  } catch {
    throw new BodyInvalid('The body is not valid UTF-8')
  }
}

export async function readObject(request: IncomingMessage, maxBytes: number): Promise<JsonObject> {
  const text = await readText(request, maxBytes)
  const value = parse(text)
  if (!isObject(value)) throw new BodyInvalid('The body is not a JSON object')
  return value
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new BodyInvalid('The body is not JSON')
  }
}

/** Throws if there are others. */
export function checkNames(names: Iterable<string>, known: readonly string[]): void {
  for (const name of names) {
    if (!known.includes(name)) throw new FieldUnknown(shortened(name), known.join(', '))
  }
}

function shortened(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN).toWellFormed())
}

/** Null is the same as a field that is not sent. */
export function stringIn(object: JsonObject, name: string): string | undefined {
  const value = object[name] ?? undefined
  if (value === undefined || typeof value === 'string') return value
  throw new FieldInvalid(name, 'a string')
}

export function booleanIn(object: JsonObject, name: string): boolean | undefined {
  const value = object[name] ?? undefined
  if (value === undefined || typeof value === 'boolean') return value
  throw new FieldInvalid(name, 'true or false')
}

export function visibilityIn(object: JsonObject): 'public' | 'hidden' | undefined {
  const value = stringIn(object, 'visibility')
  if (value === undefined || value === 'public' || value === 'hidden') return value
  throw new FieldInvalid('visibility', 'public or hidden')
}
