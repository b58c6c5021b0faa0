import type { IncomingMessage } from 'node:http'
import { isObject, type Json } from '../../../kernel/json.ts'
import { FieldInvalid, TypeNotSupported } from '../contract.ts'
import type { PostChange } from '../posting/posting.ts'
import { bodyType, booleanIn, checkNames, readObject, stringIn, visibilityIn } from './read-json.ts'

const MAX_BYTES = 256 * 1024
const NAMES = ['visibility', 'media', 'sensitive', 'lang']
const MEDIUM_NAMES = ['id', 'alt']
/** More than any post has. */
const MAX_MEDIA = 100

/** The body of PATCH. */
export async function readChange(request: IncomingMessage): Promise<PostChange> {
  const type = bodyType(request)
  if (type !== 'application/json' && type !== 'application/merge-patch+json') {
    throw new TypeNotSupported('application/json')
  }
  const body = await readObject(request, MAX_BYTES)
  checkNames(Object.keys(body), NAMES)
  return {
    visibility: visibilityIn(body),
    media: body.media === undefined ? undefined : readMedia(body.media),
    sensitive: booleanIn(body, 'sensitive'),
    lang: body.lang === null ? null : stringIn(body, 'lang')
  }
}

function readMedia(value: Json): NonNullable<PostChange['media']> {
  if (!Array.isArray(value) || value.length > MAX_MEDIA) throw invalidMedia()
  return value.map((medium) => {
    if (!isObject(medium)) throw invalidMedia()
    checkNames(Object.keys(medium), MEDIUM_NAMES)
    const { id, alt } = medium
    if (typeof id !== 'string' || (typeof alt !== 'string' && alt !== null)) throw invalidMedia()
    return { id, alt }
  })
}

function invalidMedia(): Error {
  return new FieldInvalid('media', 'an array of objects with id and alt, a string or null')
}
