import type { FastifyReply, FastifyRequest } from 'fastify'
import { isoTime } from '../../../kernel/iso-time.ts'
import { decodeSegment } from '../../../kernel/request-target.ts'
import type { BoxContext } from '../context.ts'
import { BoxIdInvalid } from '../contract.ts'
import type { BoxTarget } from '../http/box-target.ts'
import { findKey } from '../http/credentials.ts'
import { sendJson } from '../http/response.ts'
import { countRecords } from '../list/row-batches.ts'
import { createScanBudget } from '../list/scan-budget.ts'
import { rulesOf } from '../store/rules.ts'
import { viewBox } from './resolve-box.ts'

/** The rules for box ids are not checked here, as in jsonbox.io. */
export async function sendMeta(
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  { segments }: BoxTarget
): Promise<void> {
  const box = decodeSegment(segments[1] ?? '')
  if (box === undefined) throw new BoxIdInvalid()
  const { options, store } = context
  const budget = createScanBudget(options.scanBudgetMs)
  const { scope, state } = await viewBox(context, box, undefined, findKey(request.headers))
  const { created, updated } = await store.span(scope)
  const { ttl, cap } = rulesOf(state?.settings ?? null)
  const meta = {
    _count: await countRecords(store.scan, scope, budget),
    _sizeLimit: Math.floor(options.maxRecordBytes / 1024),
    _createdOn: created === null ? undefined : isoTime(created),
    _updatedOn: updated === null ? undefined : isoTime(updated),
    _ttl: ttl,
    _cap: cap
  }
  sendJson(reply, JSON.stringify(meta))
}
