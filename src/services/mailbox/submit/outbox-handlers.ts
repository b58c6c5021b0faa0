import { mayUse } from '../api/access.ts'
import type { ApiRequest } from '../api/route.ts'
import type { PageQuery } from '../api/schemas/parts.ts'
import type { MailboxContext } from '../context.ts'
import { findSubmission, listSubmissions, removeSubmission } from '../store/submissions.ts'
import { QueueEntryNotFound } from './contract.ts'
import { presentSubmission } from './present.ts'
import { isQueueId } from './queue-id.ts'
import type { Submission } from './submission.ts'

export async function listOutbox(
  { kernel }: MailboxContext,
  { caller, query }: ApiRequest<PageQuery>
): Promise<object> {
  const { page, pageSize } = query
  const range = { limit: pageSize, offset: page * pageSize, time: kernel.now().getTime() }
  const { total, submissions } = await kernel.database.read(() =>
    listSubmissions(caller.accounts, range)
  )
  return {
    total,
    page,
    pages: Math.ceil(total / pageSize),
    messages: submissions.map(presentSubmission)
  }
}

export async function showQueued(context: MailboxContext, request: ApiRequest): Promise<object> {
  return presentSubmission(await requireOwn(context, request))
}

export async function removeQueued(context: MailboxContext, request: ApiRequest): Promise<object> {
  const { id } = await requireOwn(context, request)
  const deleted = await context.kernel.database.write(() => removeSubmission(id), { frees: true })
  return { deleted }
}

/** Entries of other accounts look like unknown ones. */
async function requireOwn(
  { kernel }: MailboxContext,
  { caller, params: { queueId = '' } }: ApiRequest
): Promise<Submission> {
  const found = isQueueId(queueId)
    ? await kernel.database.read(() => findSubmission(queueId))
    : undefined
  if (found === undefined || !mayUse(caller, found.account)) throw new QueueEntryNotFound()
  return found
}
