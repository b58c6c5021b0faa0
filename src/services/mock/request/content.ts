import { isJson, isLineType, isXml, type MediaRange } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import type { Diagnostic } from '../message.ts'
import type { MediaType } from '../model/api.ts'
import { RECORD_SEPARATOR } from '../response/sequence.ts'
import type { Compiled, Schemas, Violation } from '../schema/schemas.ts'
import { type BodyOutcome, reject } from './body-outcome.ts'
import { decodeText } from './charset.ts'
import { fault, report } from './diagnose.ts'
import { createFormReader } from './form.ts'
import { isTooDeep } from './json-depth.ts'
import { createMultipartReader } from './multipart.ts'
import { createNameReadOnly, type NameReadOnly } from './read-only.ts'
import { referenceTo, type SchemaSummary, type Shapes } from './schema-summary.ts'
import { kindOf, Malformed } from './text-value.ts'

/** Reads a body as the media type that was sent, and validates it against one described content. */
export type ContentCheck = (
  bytes: Uint8Array,
  sent: MediaRange,
  diagnostics: Diagnostic[]
) => BodyOutcome | Promise<BodyOutcome>

interface Checks {
  validate: (value: unknown) => readonly Violation[]
  coerce: (value: unknown) => { value: unknown; violations: readonly Violation[] }
}

export function createContentCheck(
  content: MediaType,
  schemas: Schemas,
  shapes: Shapes
): ContentCheck {
  const reference = content.schema === undefined ? undefined : referenceTo(content.schema)
  const found = reference === undefined ? undefined : schemas.find(reference, 'request')
  const nameReadOnly = createNameReadOnly(reference, schemas, shapes)
  const compiled = found?.ok ? withReadOnly(found.compiled, nameReadOnly) : undefined
  const shape = shapes.at(reference)
  const readForm = createFormReader(content, shape)
  const readMultipart = createMultipartReader(content, shape)

  return function checkContent(bytes, sent, diagnostics) {
    const name = `${sent.type}/${sent.subtype}`
    if (name === 'multipart/form-data') {
      if (!sent.parameters.get('boundary')) {
        diagnostics.push(reject('A multipart body requires a boundary in its content type'))
        return { value: undefined }
      }
      return readMultipart(bytes, sent, diagnostics).then((value) =>
        finishForm(value, compiled, diagnostics)
      )
    }
    const isLines = isLineType(name) && shape.types?.has('array') === true
    if (isBinary(sent) && !isLines)
      return finishText(toBytes(bytes).toString('latin1'), compiled, diagnostics)
    const text = decodeText(bytes, sent.parameters.get('charset'))
    if (text === undefined) {
      const charset = sent.parameters.get('charset')
      diagnostics.push(reject(`A body cannot be read in the character set ${charset}`))
      return { value: undefined }
    }
    if (isLines && typeof text === 'string')
      return checkLines(text, separatorOf(name), compiled, diagnostics)
    if (isJson(sent)) return checkJson(text, compiled, diagnostics)
    if (text instanceof Malformed) return complain(text, 'charset', diagnostics)
    if (name === 'application/x-www-form-urlencoded') {
      const value = readForm(text, diagnostics)
      if (!(value instanceof Promise)) return finishForm(value, compiled, diagnostics)
      return value.then((members) => finishForm(members, compiled, diagnostics))
    }
    if (isXml(sent) && isStructured(shape)) return checkXml(text, shape, compiled, diagnostics)
    return finishText(text, compiled, diagnostics)
  }
}

/** The validator, which calls a sent readOnly property by that name. */
function withReadOnly(compiled: Compiled, nameReadOnly: NameReadOnly): Checks {
  return {
    validate: (value) => nameReadOnly(compiled.validate(value)),
    coerce(value) {
      const coerced = compiled.coerce(value)
      return { value: coerced.value, violations: nameReadOnly(coerced.violations) }
    }
  }
}

function isBinary(sent: MediaRange): boolean {
  if (sent.type === 'text' || sent.parameters.has('charset')) return false
  return !isJson(sent) && !isXml(sent) && sent.subtype !== 'x-www-form-urlencoded'
}

/** Whether XML is parsed; XML that is described as a string is not. */
function isStructured(shape: SchemaSummary): boolean {
  return shape.types === undefined || !shape.types.has('string') || kindOf(shape) !== 'scalar'
}

function toBytes(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

function checkJson(
  text: string | Malformed,
  compiled: Checks | undefined,
  diagnostics: Diagnostic[]
): BodyOutcome {
  if (typeof text === 'string' && isTooDeep(text)) {
    return complain(new Malformed('is nested too deeply'), 'depth', diagnostics)
  }
  const value = text instanceof Malformed ? text : parseJson(text)
  if (value instanceof Malformed) {
    diagnostics.push(fault('Request', 'body', [], 'json', 'is not valid JSON'))
    const detail = `The request body cannot be read as JSON: ${value.reason}.`
    return { value: undefined, malformed: new Problem('INVALID_JSON', detail) }
  }
  return finishText(value, compiled, diagnostics)
}

/** Reads one JSON value per line; empty lines are ignored. JSON text sequences have a separator. */
function checkLines(
  text: string,
  separator: string,
  compiled: Checks | undefined,
  diagnostics: Diagnostic[]
): BodyOutcome {
  const values: unknown[] = []
  for (const [index, line] of text.split(separator).entries()) {
    if (line.trim() === '') continue
    const value = isTooDeep(line) ? new Malformed('is nested too deeply') : parseJson(line)
    if (value instanceof Malformed) {
      const reason = new Malformed(`has an invalid line ${index + 1}: ${value.reason}`)
      return complain(reason, 'json', diagnostics)
    }
    values.push(value)
  }
  return finishText(values, compiled, diagnostics)
}

function separatorOf(type: string): string {
  return type === 'application/json-seq' ? RECORD_SEPARATOR : '\n'
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return new Malformed(error.message)
    throw error
  }
}

/** Validates a value as it is. */
function finishText(
  value: unknown,
  compiled: Checks | undefined,
  diagnostics: Diagnostic[]
): BodyOutcome {
  if (compiled !== undefined) report(compiled.validate(value), diagnostics, 'body')
  return { value }
}

/** Validates a value made of strings, which the schema converts to numbers and other types. */
function finishForm(
  value: unknown,
  compiled: Checks | undefined,
  diagnostics: Diagnostic[]
): BodyOutcome {
  if (value instanceof Malformed) return complain(value, 'form', diagnostics)
  if (compiled === undefined) return { value }
  const coerced = compiled.coerce(value)
  report(coerced.violations, diagnostics, 'body')
  return { value: coerced.value }
}

function complain(malformed: Malformed, code: string, diagnostics: Diagnostic[]): BodyOutcome {
  diagnostics.push(fault('Request', 'body', [], code, malformed.reason))
  return { value: undefined }
}

/** The parser is loaded with the first XML body, because most documents have no XML. */
async function checkXml(
  text: string,
  shape: SchemaSummary,
  compiled: Checks | undefined,
  diagnostics: Diagnostic[]
): Promise<BodyOutcome> {
  const { readXml } = await import('./xml.ts')
  const value = await readXml(text, shape)
  if (value instanceof Malformed) return complain(value, 'xml', diagnostics)
  return finishForm(value, compiled, diagnostics)
}
