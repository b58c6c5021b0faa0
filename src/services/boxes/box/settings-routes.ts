import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type Json } from '../../../kernel/json.ts'
import type { BoxContext } from '../context.ts'
import { BodyEmpty, SchemaNotFound, schemaInvalid, settingInvalid } from '../contract.ts'
import { readBody } from '../http/body.ts'
import { readBoxId, readCollection } from '../http/box-path.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { findKey } from '../http/credentials.ts'
import { sendJson, sendMessage } from '../http/response.ts'
import { checkTtl } from '../list/parse-list-query.ts'
import { WHOLE_BOX } from '../schema/check.ts'
import { compileSchema, digestSchema, SchemaRejected } from '../schema/compile.ts'
import type { Access } from '../store/indexes.ts'
import { decodeText } from '../text/decode.ts'
import { readJson } from '../text/read-json.ts'
import { checkJson } from '../text/scan.ts'
import { sendMeta } from './meta.ts'

/** Maximum of `cap`: every create in such a box reads as many index entries. */
const MAX_CAP = 10_000
export const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_DEPTH = 100

export function readAccess(
  context: BoxContext,
  request: FastifyRequest,
  { segments }: BoxTarget
): Access {
  return { box: readBoxId(segments[1], context.options), key: findKey(request.headers) }
}

/** The JSON body of a management request, as text and as a value. */
export async function readRequest(request: FastifyRequest): Promise<{ text: string; value: Json }> {
  const bytes = await readBody(request.raw, MAX_SCHEMA_BYTES)
  return parseSetting((bytes && decodeText(bytes)) ?? '')
}

export function parseSetting(sent: string): { text: string; value: Json } {
  const text = sent.trim()
  if (text === '') throw new BodyEmpty()
  if (checkJson(text).depth > MAX_DEPTH) {
    throw settingInvalid(`nested deeper than ${MAX_DEPTH} levels`)
  }
  return { text, value: readJson(text) }
}

/** `{"ttl":3600,"cap":1000}`: a limit that is missing or null is removed. */
export async function putLimits(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const access = readAccess(context, request, target)
  const { value } = await readRequest(request)
  if (!isObject(value)) throw settingInvalid('the body must be an object with "ttl" and "cap"')
  const { ttl = null, cap = null, ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw settingInvalid(`unknown setting "${unknown}"`)
  const limits = {
    ttl: ttl === null ? undefined : checkTtl(ttl),
    cap: cap === null ? undefined : checkCap(cap)
  }
  await context.store.saveLimits(access, limits)
  if (limits.cap !== undefined) await context.store.evictAll(access)
  await sendMeta(context, request, reply, target)
}

function checkCap(cap: Json): number {
  const isFine = Number.isSafeInteger(cap) && Number(cap) >= 1 && Number(cap) <= MAX_CAP
  if (!isFine) throw settingInvalid(`"cap" must be a whole number from 1 to ${MAX_CAP}`)
  return Number(cap)
}

function schemaName(context: BoxContext, { segments }: BoxTarget): string {
  return readCollection(segments[2], context.options) ?? WHOLE_BOX
}

export async function getSchema(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const text = await context.store.readSchema(
    readAccess(context, request, target),
    schemaName(context, target)
  )
  if (text === undefined) throw new SchemaNotFound()
  sendJson(reply, text)
}

export async function putSchema(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const access = readAccess(context, request, target)
  const { text, value } = await readRequest(request)
  const digest = validateSchema(text, value)
  await context.store.saveSchema(access, schemaName(context, target), text, digest)
  sendJson(reply, text)
}

/** The digest of a valid schema; throws if it is not one. */
export function validateSchema(text: string, value: Json): string {
  const digest = digestSchema(text)
  try {
    compileSchema(digest, () => value)
  } catch (error) {
    throw error instanceof SchemaRejected ? schemaInvalid(error.message) : error
  }
  return digest
}

export async function deleteSchema(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const access = readAccess(context, request, target)
  const found = await context.store.removeSchema(access, schemaName(context, target))
  if (!found) throw new SchemaNotFound()
  sendMessage(reply, 'Schema removed.')
}
