import type { FastifyReply, FastifyRequest } from 'fastify'
import type { BoxContext } from '../context.ts'
import { BodyEmpty, NothingToWrite, RecordNotFound, TargetMissing } from '../contract.ts'
import { readBody } from '../http/body.ts'
import { parseBoxPath } from '../http/box-path.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { findKey } from '../http/credentials.ts'
import { readCondition } from '../http/preconditions.ts'
import { sendJson } from '../http/response.ts'
import { readFields } from '../list/parse-list-query.ts'
import type { Content } from '../store/record.ts'
import { decodeText } from '../text/decode.ts'
import { jsonPatch } from '../text/json-patch.ts'
import { mergePatch } from '../text/merge-patch.ts'
import { patchFailed, patchInvalid } from '../text/patch-errors.ts'
import { checkJson } from '../text/scan.ts'
import { checkSize, renderRecord, requireRecord } from './records.ts'

/** Makes the new content of a record from its JSON text. */
export type Patch = (raw: string) => Content

/** Maximum number of levels of a patch, and so of the values it adds. */
const MAX_DEPTH = 64
const JSON_PATCH = /^application\/json-patch\+json\b/i

interface Limits {
  readonly maxRecordBytes: number
}

/** Throws if the patch is invalid; whether it can be applied depends on the record. */
export function readPatch(text: string, isJsonPatch: boolean, limits: Limits): Patch {
  checkSize(text, limits.maxRecordBytes)
  if (checkJson(text).depth > MAX_DEPTH)
    throw patchInvalid(`nested deeper than ${MAX_DEPTH} levels`)
  if (isJsonPatch) return (raw) => requirePatched(jsonPatch(raw, text), limits)
  if (!text.trimStart().startsWith('{')) {
    throw patchInvalid(
      'a merge patch must be an object; the media type of JSON Patch is application/json-patch+json'
    )
  }
  const { raw: patch } = requireRecord(text, limits)
  return (raw) => requirePatched(mergePatch(raw, patch), limits)
}

function requirePatched(text: string, limits: Limits): Content {
  if (!text.startsWith('{')) throw patchFailed('a record must be an object')
  return requireRecord(text, limits)
}

export async function patchRecord(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
): Promise<void> {
  const { options, store } = context
  const bytes = await readBody(request.raw, options.maxRequestBytes)
  const { box, collection, id } = parseBoxPath(segments, options)
  if (id === undefined) throw new TargetMissing()
  const text = bytes && decodeText(bytes)
  if (text === undefined) throw new BodyEmpty()
  const isJsonPatch = JSON_PATCH.test(request.headers['content-type'] ?? '')
  const patch = readPatch(text, isJsonPatch, options)
  const fields = readFields(parameters)
  const target = {
    box,
    id,
    key: findKey(request.headers),
    condition: readCondition(request.headers)
  }
  const record = await store.change(patch, target).catch((error) => {
    throw error instanceof NothingToWrite ? new RecordNotFound() : error
  })
  const headers = ['etag', `"${record.rev}"`]
  sendJson(reply, renderRecord(record, collection === undefined, fields), headers)
}
