import { UserError } from '../../../kernel/errors.ts'
import { isDeeperThan, isObject, type Json, type JsonObject } from '../../../kernel/json.ts'

import { fromBigInts, mayHaveLargeIntegers, replaceLargeIntegers } from './large-integers.ts'

/** Maximum nesting of a document; deeper ones are an attack or a mistake. */
export const MAX_DEPTH = 500

/** JSON or YAML, detected by the content and not by the name of the file. */
export async function parseDocument(text: string, location: string): Promise<JsonObject> {
  const value = await parseValue(text, location)
  if (!isObject(value)) throw new UserError(`${location} must contain an object`)
  return value
}

export async function parseValue(text: string, location: string): Promise<Json> {
  const value = await parseText(text.replace(/^\uFEFF/, ''), location)
  rejectDepth(value, location)
  return value
}

/** Undefined if the text is not valid JSON. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(mayHaveLargeIntegers(text) ? replaceLargeIntegers(text) : text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

async function parseText(text: string, location: string): Promise<Json> {
  // The flow style of YAML looks like JSON; the YAML parser also names line and column.
  const json = /^\s*[{[]/.test(text) ? parseJson(text) : undefined
  if (json !== undefined) return json
  // Loaded on demand: half of the documents are JSON, and this module is the slowest of the start.
  const { parse, YAMLParseError } = await import('yaml')
  try {
    const options = { merge: true, logLevel: 'error' } as const
    if (!mayHaveLargeIntegers(text)) return parse(text, options)
    return fromBigInts(parse(text, { ...options, intAsBigInt: true }))
  } catch (cause) {
    if (!(cause instanceof YAMLParseError) && !(cause instanceof ReferenceError)) throw cause
    const [line = ''] = cause.message.split('\n')
    throw new UserError(`${location} cannot be read: ${line.replace(/:$/, '')}`, { cause })
  }
}

function rejectDepth(root: Json, location: string): void {
  if (isDeeperThan(root, MAX_DEPTH + 1)) {
    throw new UserError(`${location} is nested deeper than ${MAX_DEPTH} levels`)
  }
}
