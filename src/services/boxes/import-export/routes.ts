import type { FastifyReply, FastifyRequest } from 'fastify'
import { viewBox } from '../box/resolve-box.ts'
import type { BoxContext } from '../context.ts'
import { LinesRejected } from '../contract.ts'
import { parseBoxPath } from '../http/box-path.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { checkKeyForm, findKey } from '../http/credentials.ts'
import { sendJson } from '../http/response.ts'
import { readFilter } from '../list/parse-list-query.ts'
import { exportLines, sendLines } from './export.ts'
import { importLines } from './import.ts'

/** `GET /_export/<box>` and `GET /_export/<box>/<collection>`. */
export async function handleExport(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: BoxTarget
): Promise<void> {
  const { store, options } = context
  const { box, collection } = parseBoxPath(segments.slice(1), options)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const filter = readFilter(parameters)
  const { scope } = await viewBox(context, box, collection, key)
  await sendLines(request, reply, exportLines(store.scan, scope, filter))
}

/** `POST /_import/<box>`: valid lines are stored, even if other lines are rejected. */
export async function handleImport(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments }: BoxTarget
): Promise<void> {
  const { store, options, kernel } = context
  const { box } = parseBoxPath(segments.slice(1), options)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const headers = context.countRequest(request.raw)
  // A client that may not write is rejected before the lines are read.
  await store.checkAccess(box, key)
  const dependencies = { store, options, now: kernel.now }
  const done = await importLines(dependencies, { box, key, operator: false }, request.raw)
  if (done.refused === 0) return sendJson(reply, JSON.stringify(done), headers)
  const rejected = new LinesRejected(done.refused, countOf(done))
  throw Object.assign(rejected, { details: done })
}

function countOf(done: { created: number; replaced: number; unchanged: number; refused: number }) {
  return done.created + done.replaced + done.unchanged + done.refused
}
