import type { FastifyReply, FastifyRequest } from 'fastify'
import { isObject, type Json } from '../../kernel/json.ts'
import { readBoxId, readCollection } from './address.ts'
import { sendJson, sendMessage } from './answer.ts'
import { readBody } from './body.ts'
import { BodyEmpty, SchemaNotFound, schemaInvalid, settingInvalid } from './contract.ts'
import { findKey } from './credentials.ts'
import { sendMeta } from './meta.ts'
import { checkTtl } from './question.ts'
import type { BoxRoom } from './room.ts'
import { WHOLE_BOX } from './schema/check.ts'
import { compileSchema, digestSchema, SchemaRefused } from './schema/compile.ts'
import type { Access } from './store/indexes.ts'
import { decodeText } from './text/decode.ts'
import { readJson } from './text/read-json.ts'
import { checkJson } from './text/scan.ts'
import type { Visit } from './visit.ts'

/** Records of a box whose oldest have to go: every create looks at as many entries. */
const MAX_CAP = 10_000
const MAX_SCHEMA_BYTES = 64 * 1024
const MAX_DEPTH = 100

export function readAccess(room: BoxRoom, request: FastifyRequest, { segments }: Visit): Access {
  return { box: readBoxId(segments[1], room.options), key: findKey(request.headers) }
}

/** The body of a management request, as text and as what it says. */
export async function readRequest(request: FastifyRequest): Promise<{ text: string; value: Json }> {
  const bytes = await readBody(request.raw, MAX_SCHEMA_BYTES)
  const text = bytes && decodeText(bytes)?.trim()
  if (text === undefined || text === '') throw new BodyEmpty()
  if (checkJson(text).depth > MAX_DEPTH) {
    throw settingInvalid(`nested deeper than ${MAX_DEPTH} levels`)
  }
  return { text, value: readJson(text) }
}

/** `{"ttl":3600,"cap":1000}`: what is left out or null is no longer laid down. */
export async function putLimits(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const access = readAccess(room, request, visit)
  const { value } = await readRequest(request)
  if (!isObject(value)) throw settingInvalid('the body must be an object with "ttl" and "cap"')
  const { ttl = null, cap = null, ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) throw settingInvalid(`unknown setting "${unknown}"`)
  const limits = {
    ttl: ttl === null ? undefined : checkTtl(ttl),
    cap: cap === null ? undefined : checkCap(cap)
  }
  await room.store.saveLimits(access, limits)
  if (limits.cap !== undefined) await room.store.evictAll(access)
  await sendMeta(room, request, reply, visit)
}

function checkCap(cap: Json): number {
  const isFine = Number.isSafeInteger(cap) && Number(cap) >= 1 && Number(cap) <= MAX_CAP
  if (!isFine) throw settingInvalid(`"cap" must be a whole number from 1 to ${MAX_CAP}`)
  return Number(cap)
}

function schemaName(room: BoxRoom, { segments }: Visit): string {
  return readCollection(segments[2], room.options) ?? WHOLE_BOX
}

export async function getSchema(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const text = await room.store.readSchema(
    readAccess(room, request, visit),
    schemaName(room, visit)
  )
  if (text === undefined) throw new SchemaNotFound()
  sendJson(reply, text)
}

export async function putSchema(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const access = readAccess(room, request, visit)
  const { text, value } = await readRequest(request)
  const digest = digestSchema(text)
  try {
    compileSchema(digest, () => value)
  } catch (error) {
    throw error instanceof SchemaRefused ? schemaInvalid(error.message) : error
  }
  await room.store.saveSchema(access, schemaName(room, visit), text, digest)
  sendJson(reply, text)
}

export async function deleteSchema(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit
): Promise<void> {
  const access = readAccess(room, request, visit)
  const found = await room.store.removeSchema(access, schemaName(room, visit))
  if (!found) throw new SchemaNotFound()
  sendMessage(reply, 'Schema removed.')
}
