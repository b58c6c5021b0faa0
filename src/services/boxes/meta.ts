import type { FastifyReply, FastifyRequest } from 'fastify'
import { decodeSegment } from '../../kernel/request-target.ts'
import { sendJson } from './answer.ts'
import { BoxIdInvalid } from './contract.ts'
import { findKey } from './credentials.ts'
import { createScanBudget } from './pace.ts'
import { timestamp } from './records.ts'
import type { BoxContext } from './room.ts'
import { countRecords } from './slices.ts'
import { rulesOf } from './store/rules.ts'
import { viewBox } from './view.ts'
import type { BoxTarget } from './visit.ts'

/** The original looks at no rule for ids here. */
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
    _createdOn: created === null ? undefined : timestamp(created),
    _updatedOn: updated === null ? undefined : timestamp(updated),
    _ttl: ttl,
    _cap: cap
  }
  sendJson(reply, JSON.stringify(meta))
}
