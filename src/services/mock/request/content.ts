import { isJson, isXml, type MediaRange } from '../../../kernel/media-type.ts'
import { Problem } from '../contract.ts'
import type { Diagnostic } from '../message.ts'
import type { MediaType } from '../model/api.ts'
import type { Compiled, Schemas } from '../schema/schemas.ts'
import { type BodyOutcome, reject } from './body-outcome.ts'
import { decodeText } from './charset.ts'
import { fault, report } from './diagnose.ts'
import { createFormReader } from './form.ts'
import { isTooDeep } from './json-depth.ts'
import { createMultipartReader } from './multipart.ts'
import { referenceTo, type SchemaSummary, type Shapes } from './schema-summary.ts'
import { kindOf, Malformed } from './text-value.ts'

/** Reads a body as the media type that was sent, and validates it against one described content. */
export type ContentCheck = (
  bytes: Uint8Array,
  sent: MediaRange,
  diagnostics: Diagnostic[]
) => BodyOutcome | Promise<BodyOutcome>

export function createContentCheck(
  content: MediaType,
  schemas: Schemas,
  shapes: Shapes
): ContentCheck {
  const reference = content.schema === undefined ? undefined : referenceTo(content.schema)
  const found = reference === undefined ? undefined : schemas.find(reference, 'request')
  const compiled = found?.ok ? found.compiled : undefined
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
    if (isBinary(sent)) return finishText(toBytes(bytes).toString('latin1'), compiled, diagnostics)
    const text = decodeText(bytes, sent.parameters.get('charset'))
    if (text === undefined) {
      const charset = sent.parameters.get('charset')
      diagnostics.push(reject(`A body cannot be read in the character set ${charset}`))
      return { value: undefined }
    }
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
  compiled: Compiled | undefined,
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
  compiled: Compiled | undefined,
  diagnostics: Diagnostic[]
): BodyOutcome {
  if (compiled !== undefined) report(compiled.validate(value), diagnostics, 'body')
  return { value }
}

/** Validates a value made of strings, which the schema converts to numbers and other types. */
function finishForm(
  value: unknown,
  compiled: Compiled | undefined,
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
  compiled: Compiled | undefined,
  diagnostics: Diagnostic[]
): Promise<BodyOutcome> {
  const { readXml } = await import('./xml.ts')
  const value = await readXml(text, shape)
  if (value instanceof Malformed) return complain(value, 'xml', diagnostics)
  return finishForm(value, compiled, diagnostics)
}
