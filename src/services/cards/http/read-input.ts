import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { StorageFull } from '../../../kernel/database/errors.ts'
import { isDiskFull } from '../../../kernel/database/sqlite-errors.ts'
import { hasMoreFieldsThan } from '../../../kernel/form-fields.ts'
import { isDeeperThan, isObject } from '../../../kernel/json.ts'
import { essenceOf, isJson } from '../../../kernel/media-type.ts'
import { isAnnouncedOver, readRequestBody } from '../../../kernel/request-body.ts'
import type { Upload, UploadErrors } from '../../../kernel/upload.ts'
import { BodyTooLarge, RequestInvalid } from '../contract.ts'
import { CREDENTIAL_NAMES, type Input, type InputFile, TOKEN_NAMES } from './input.ts'
import { nestFields } from './nested-fields.ts'

/**
 * Without the files of a form. Enough for the longest texts with every character escaped; an
 * object of twice the size blocked the process for 260 ms.
 */
const MAX_BODY_BYTES = 512 * 1024
const MAX_PARAMETERS = 1000
const MAX_DEPTH = 8
const MAX_FILES = 4
/** Of a multipart form, whose fields are in memory before their total size is known. */
const MAX_FORM_FIELDS = 200
/** 16,384 characters of a description take at most four times as many bytes. */
const MAX_FIELD_BYTES = 128 * 1024
const FORM_TYPE = 'application/x-www-form-urlencoded'
const decoder = new TextDecoder('utf-8', { fatal: true })

export interface InputOptions {
  query: URLSearchParams
  /** For temporary files. */
  folder: string
  maxFileBytes: number
  /**
   * Of a form whose handler checks the size of each file: only the whole body is limited here, so
   * that the other fields of a form with a large file are read.
   */
  maxFiles?: number | undefined
}

/** What a request carries; the tokens of its query are in `queryTokens`. */
export interface BodyInput {
  readonly input: Input
  /** Tokens of the body, as they were sent. */
  readonly tokens: readonly unknown[]
  readonly hasFiles: boolean
}

type Values = ReadonlyMap<string, unknown>

/** Reads query and body, whatever the method; files of the body are removed when `use` ends. */
export async function withInput<T>(
  request: IncomingMessage,
  options: InputOptions,
  use: (body: BodyInput) => Promise<T>
): Promise<T> {
  const query = readFields(options.query)
  if (!hasBody(request)) return use(inputOf(query, new Map()))
  const { headers } = request
  if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RequestInvalid('The body must not be compressed')
  }
  const type = essenceOf(headers['content-type'] ?? '')
  if (type !== 'multipart/form-data') {
    return use(inputOf(query, parse(await readText(request), type)))
  }
  return withForm(request, options, ({ fields, files }) => {
    const size = fields.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0)
    if (size > MAX_BODY_BYTES) throw new BodyTooLarge(MAX_BODY_BYTES)
    const body = readFields(fields.map(({ name = '', value }) => [name, value] as const))
    return use(inputOf(query, body, files.flatMap(fileOf)))
  })
}

/** Tokens of a query, without empty ones. */
export function queryTokens(query: URLSearchParams): string[] {
  return TOKEN_NAMES.flatMap((name) => query.getAll(name)).filter((token) => token !== '')
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

function inputOf(
  query: Values,
  body: Values,
  files: readonly (readonly [string, InputFile])[] = []
): BodyInput {
  const values = [...query, ...body].filter(([name]) => !CREDENTIAL_NAMES.has(name))
  const tokens = TOKEN_NAMES.flatMap((name) => body.get(name) ?? [])
  return {
    input: {
      values: new Map(values),
      files: new Map(files),
      allFiles: files.map(([, file]) => file)
    },
    tokens: tokens.filter((token) => token !== ''),
    hasFiles: files.length > 0
  }
}

/** Browsers send an empty file without a name if none was chosen. */
function fileOf({
  name,
  filename,
  contentType,
  path,
  size,
  sha256
}: Upload['files'][number]): [string, InputFile][] {
  if (name === undefined || (!filename && size === 0)) return []
  return [[name, { path, size, sha256, name: filename ?? '', mediaType: contentType }]]
}

function readFields(fields: Iterable<readonly [string, string]>): Values {
  const list = [...fields]
  if (list.length > MAX_PARAMETERS) throw tooManyParameters()
  const values = nestFields(list)
  if (values === undefined) throw new RequestInvalid('The parameters are nested too deeply')
  return values
}

async function readText(request: IncomingMessage): Promise<string> {
  const tooLarge = () => new BodyTooLarge(MAX_BODY_BYTES)
  const body = await readRequestBody(request, MAX_BODY_BYTES, { tooLarge, aborted })
  try {
    return decoder.decode(body)
  } catch {
    throw new RequestInvalid('The body is not valid UTF-8')
  }
}

/** Clients announce a type although they send no body; some send JSON without its type. */
function parse(text: string, type: string): Values {
  if (text.trim() === '') return new Map()
  if (isJson(type)) return parseObject(text)
  if (type === FORM_TYPE) return parseForm(text)
  if (type !== '' && type !== 'text/plain') {
    throw new RequestInvalid(
      `The body must be application/json, ${FORM_TYPE} or multipart/form-data`
    )
  }
  return text.trimStart().startsWith('{') ? parseObject(text) : parseForm(text)
}

function parseForm(text: string): Values {
  if (hasMoreFieldsThan(MAX_PARAMETERS, text)) throw tooManyParameters()
  return readFields(new URLSearchParams(text))
}

function parseObject(text: string): Values {
  const value = parseJson(text)
  if (!isObject(value)) throw new RequestInvalid('The body is not a JSON object')
  // Counted first: each look at the members of an object with 50,000 takes a turn of 30 ms.
  if (Object.keys(value).length > MAX_PARAMETERS) throw tooManyParameters()
  if (isDeeperThan(value, MAX_DEPTH)) throw new RequestInvalid('The body is nested too deeply')
  return new Map(Object.entries(value))
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new RequestInvalid('The body is not valid JSON')
  }
}

async function withForm<T>(
  request: IncomingMessage,
  { folder, maxFileBytes, maxFiles }: InputOptions,
  use: (upload: Upload) => Promise<T>
): Promise<T> {
  const { withUpload } = await import('../../../kernel/upload.ts')
  const files = maxFiles ?? MAX_FILES
  const fileBytes = maxFileBytes * (maxFiles ?? 1)
  const bodyBytes = fileBytes + 2 * MAX_BODY_BYTES
  const limits = {
    files,
    fields: MAX_FORM_FIELDS,
    fieldBytes: MAX_FIELD_BYTES,
    fileBytes,
    bodyBytes
  }
  try {
    const errors = formErrors(fileBytes, files)
    return await withUpload(request, { folder, limits, errors, sync: false }, use)
  } catch (error) {
    await drain(request, bodyBytes)
    throw isDiskFull(error) ? new StorageFull({ cause: error }) : error
  }
}

function formErrors(maxFileBytes: number, maxFiles: number): UploadErrors {
  return {
    invalidType: () => new RequestInvalid('A multipart body needs its boundary'),
    invalid: () => new RequestInvalid('The body is not a valid form'),
    tooLarge: () => new BodyTooLarge(maxFileBytes),
    tooManyParts: () =>
      new RequestInvalid(`The form has more than ${maxFiles} files or ${MAX_FORM_FIELDS} fields`),
    aborted
  }
}

/** The client reads the response after it has sent all, so the rest is read if its length is known. */
async function drain(request: IncomingMessage, maxBytes: number): Promise<void> {
  const isShort = request.headers['content-length'] !== undefined
  if (!isShort || isAnnouncedOver(request, maxBytes)) return
  await finished(request.resume(), { writable: false }).catch(() => undefined)
}

function aborted(): Error {
  return new RequestInvalid('The request body is incomplete')
}

function tooManyParameters(): Error {
  return new RequestInvalid(`The request has more than ${MAX_PARAMETERS} parameters`)
}
