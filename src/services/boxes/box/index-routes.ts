import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Json } from '../../../kernel/json.ts'
import { decodeSegment } from '../../../kernel/request-target.ts'
import type { BoxContext } from '../context.ts'
import { IndexNotFound, settingInvalid } from '../contract.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { sendJson, sendMessage } from '../http/response.ts'
import type { Path } from '../query/filter.ts'
import { isSamePath } from '../query/index-ranges.ts'
import { systemFieldOf } from '../query/leaf.ts'
import { rejectPath } from '../query/limits.ts'
import { isComplete, parseDottedPath } from '../query/quoting.ts'
import { MAX_INDEXES } from '../store/indexes.ts'
import type { BoxIndex } from '../store/rules.ts'
import { readAccess, readRequest } from './settings-routes.ts'

export async function getIndexes(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  sendIndexes(reply, await context.store.seeIndexes(readAccess(context, request, target)))
}

/** An array of paths in the body replaces all indexes; a path in the URL adds one. */
export async function putIndexes(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const access = readAccess(context, request, target)
  const named = target.segments[2]
  const wanted = named === undefined ? readList((await readRequest(request)).value) : [read(named)]
  const known = await context.store.readIndexes(access)
  if (named === undefined) {
    const gone = known.filter(({ path }) => !wanted.some((one) => isSamePath(one, path)))
    for (const { path } of gone) await context.store.dropIndex(access, path)
  }
  for (const path of wanted) await context.store.addIndex(access, path)
  sendIndexes(reply, await context.store.readIndexes(access))
}

export async function deleteIndexes(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
): Promise<void> {
  const access = readAccess(context, request, target)
  const named = target.segments[2]
  const known = await context.store.readIndexes(access)
  const paths = named === undefined ? known.map(({ path }) => path) : [read(named)]
  let dropped = 0
  for (const path of paths) if (await context.store.dropIndex(access, path)) dropped += 1
  if (named !== undefined && dropped === 0) throw new IndexNotFound()
  sendMessage(reply, `${dropped} Indexes removed.`)
}

function sendIndexes(reply: FastifyReply, indexes: readonly BoxIndex[]): void {
  const list = indexes.map(({ path, ready }) => {
    return { path: writePath(path), state: ready ? 'ready' : 'building' }
  })
  sendJson(reply, JSON.stringify(list))
}

/** Names are escaped as `q` and `sort` require it. */
export function writePath(path: Path): string {
  return path.map((name) => name.replaceAll(/[\\.,:*<>=]/g, '\\$&')).join('.')
}

function readList(value: Json): Path[] {
  if (!Array.isArray(value) || !value.every((path) => typeof path === 'string')) {
    throw settingInvalid('the body must be an array of paths')
  }
  if (value.length > MAX_INDEXES) throw settingInvalid(`more than ${MAX_INDEXES} indexes`)
  return value.map(readPath)
}

function read(segment: string): Path {
  const text = decodeSegment(segment)
  if (text === undefined) throw settingInvalid('the path is not UTF-8')
  return readPath(text)
}

export function readPath(text: string): Path {
  if (text === '' || !isComplete(text)) throw settingInvalid(`"${text}" is not a valid path`)
  const path = parseDottedPath(text)
  const rejection = rejectPath(path)
  if (rejection !== undefined) throw settingInvalid(rejection)
  if (systemFieldOf(path) !== undefined) throw settingInvalid(`${text} needs no index`)
  return path
}
