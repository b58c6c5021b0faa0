import type { FastifyReply, FastifyRequest } from 'fastify'
import { readAddress } from '../address.ts'
import { sendJson } from '../answer.ts'
import { LinesRefused } from '../contract.ts'
import { checkKeyForm, findKey } from '../credentials.ts'
import { readFilter } from '../question.ts'
import type { BoxRoom } from '../room.ts'
import { viewBox } from '../view.ts'
import type { Visit } from '../visit.ts'
import { exportLines, sendLines } from './export.ts'
import { importLines } from './import.ts'

/** `GET /_export/<box>`, `GET /_export/<box>/<collection>`. */
export async function answerExport(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments, parameters }: Visit
): Promise<void> {
  const { store, options } = room
  const { box, collection } = readAddress(segments.slice(1), options)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const filter = readFilter(parameters)
  const { scope } = await viewBox(room, box, collection, key)
  await sendLines(request, reply, exportLines(store.scan, scope, filter))
}

/** `POST /_import/<box>`: what could be stored stays, also when other lines are refused. */
export async function answerImport(
  room: BoxRoom,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments }: Visit
): Promise<void> {
  const { store, options, kernel } = room
  const { box } = readAddress(segments.slice(1), options)
  const key = findKey(request.headers)
  checkKeyForm(key)
  const headers = room.countRequest(request.raw)
  // Whoever may not write learns it before the lines are read.
  await store.checkAccess(box, key)
  const desk = { store, options, now: kernel.now }
  const done = await importLines(desk, { box, key, operator: false }, request.raw)
  if (done.refused === 0) return sendJson(reply, JSON.stringify(done), headers)
  const refused = new LinesRefused(done.refused, countOf(done))
  throw Object.assign(refused, { details: done })
}

function countOf(done: { created: number; replaced: number; unchanged: number; refused: number }) {
  return done.created + done.replaced + done.unchanged + done.refused
}
