import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream/promises'
import { StorageFull } from '../../../kernel/database/errors.ts'
import { isDiskFull } from '../../../kernel/database/sqlite-errors.ts'
import { hasMoreFieldsThan } from '../../../kernel/form-fields.ts'
import { IMAGE_LIMITS } from '../../../kernel/images/limits.ts'
import type { JsonObject } from '../../../kernel/json.ts'
import { isAnnouncedOver } from '../../../kernel/request-body.ts'
import { type Upload, type UploadErrors, withUpload } from '../../../kernel/upload.ts'
import { BodyInvalid, BodyTooLarge, FieldInvalid, TypeNotSupported } from '../contract.ts'
import { MAX_ALT_LENGTH } from '../posting/check-post.ts'
import type { NewPost } from '../posting/posting.ts'
import {
  aborted,
  bodyType,
  booleanIn,
  checkNames,
  readObject,
  readText,
  stringIn,
  visibilityIn
} from './read-json.ts'

export const MAX_IMAGES = 4
const MAX_FIELDS = 20
const TYPES = 'application/json, multipart/form-data or application/x-www-form-urlencoded'
const NAMES = ['text', 'in_reply_to', 'visibility', 'lang', 'sensitive']
/** A character takes up to 12 bytes in JSON or in a URL-encoded form. */
const CHARACTER_BYTES = 12
/** Of everything that is neither text nor an image. */
const OTHER_BYTES = 64 * 1024

export interface PostForm {
  post: Omit<NewPost, 'media'>
  images: readonly { path: string; sha256: string; alt: string | undefined }[]
}

export interface PostFormOptions {
  /** For temporary files. */
  folder: string
  maxTextLength: number
}

/** Reads the body of a new post; the images are removed when `use` ends. */
export async function withPostForm<T>(
  request: IncomingMessage,
  { folder, maxTextLength }: PostFormOptions,
  use: (form: PostForm) => Promise<T>
): Promise<T> {
  const type = bodyType(request)
  const maxBytes = CHARACTER_BYTES * maxTextLength + OTHER_BYTES
  if (type === 'application/json') {
    return use({ post: readFields(await readObject(request, maxBytes)), images: [] })
  }
  if (type === 'application/x-www-form-urlencoded') {
    const fields = fieldsOf(await readText(request, maxBytes))
    return use({ post: readFields(objectOf(fields)), images: [] })
  }
  if (type !== 'multipart/form-data') throw new TypeNotSupported(TYPES)
  const bodyBytes = MAX_IMAGES * IMAGE_LIMITS.bytes + maxBytes
  const limits = {
    files: MAX_IMAGES,
    fields: MAX_FIELDS,
    fieldBytes: Math.max(4 * maxTextLength, 4 * MAX_ALT_LENGTH),
    fileBytes: IMAGE_LIMITS.bytes,
    bodyBytes
  }
  try {
    const options = { folder, limits, errors: ERRORS, sync: false }
    return await withUpload(request, options, (upload) => use(readUpload(upload)))
  } catch (error) {
    await drain(request, bodyBytes)
    throw isDiskFull(error) ? new StorageFull({ cause: error }) : error
  }
}

const ERRORS: UploadErrors = {
  invalidType: () => new TypeNotSupported(`${TYPES}; a form needs its boundary`),
  invalid: () => new BodyInvalid('The body is not a valid form'),
  tooLarge: () => new BodyTooLarge(IMAGE_LIMITS.bytes),
  tooManyParts: () =>
    new BodyInvalid(`The form has more than ${MAX_IMAGES} images or ${MAX_FIELDS} fields`),
  aborted
}

/** The client reads the response after it has sent all, so the rest is read if its length is known. */
async function drain(request: IncomingMessage, maxBytes: number): Promise<void> {
  const isShort = request.headers['content-length'] !== undefined
  if (!isShort || isAnnouncedOver(request, maxBytes)) return
  await finished(request.resume(), { writable: false }).catch(() => undefined)
}

function fieldsOf(body: string): [string, string][] {
  if (hasMoreFieldsThan(MAX_FIELDS, body)) throw ERRORS.tooManyParts()
  return [...new URLSearchParams(body)]
}

/** The fields of a form as the members of JSON. */
function objectOf(fields: readonly (readonly [string, string])[]): JsonObject {
  const object = new Map<string, string | boolean>()
  for (const [name, value] of fields) {
    if (object.has(name)) throw new FieldInvalid(JSON.stringify(name.slice(0, 100)), 'sent once')
    object.set(name, name === 'sensitive' ? flagOf(value) : value)
  }
  // Browsers send the fields of a form that were left empty.
  for (const name of ['in_reply_to', 'lang', 'visibility']) {
    if (object.get(name) === '') object.delete(name)
  }
  return Object.fromEntries(object)
}

function flagOf(value: string): boolean {
  if (/^(?:true|1|on)$/.test(value)) return true
  if (/^(?:false|0|)$/.test(value)) return false
  throw new FieldInvalid('sensitive', 'true or false')
}

function readFields(object: JsonObject): PostForm['post'] {
  checkNames(Object.keys(object), NAMES)
  return {
    text: stringIn(object, 'text') ?? '',
    inReplyTo: stringIn(object, 'in_reply_to'),
    visibility: visibilityIn(object),
    lang: stringIn(object, 'lang'),
    sensitive: booleanIn(object, 'sensitive')
  }
}

/** The first `alt` belongs to the first file, and so on. */
function readUpload({ fields, files }: Upload): PostForm {
  checkNames(
    files.map(({ name = '' }) => name),
    ['media']
  )
  checkNames(
    fields.map(({ name = '' }) => name),
    [...NAMES, 'alt']
  )
  const alts = fields.flatMap(({ name, value }) => (name === 'alt' ? [value] : []))
  if (alts.length > files.length) throw new FieldInvalid('alt', 'sent once for each image')
  const others = fields.flatMap(({ name = '', value }) =>
    name === 'alt' ? [] : [[name, value] as const]
  )
  const images = files.map(({ path, sha256 }, index) => ({ path, sha256, alt: alts[index] }))
  return {
    post: readFields(objectOf(others)),
    // Browsers send an empty file if none was chosen.
    images: images.filter((_, index) => (files[index]?.size ?? 0) > 0)
  }
}
