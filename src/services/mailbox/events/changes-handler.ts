import { lastEventId } from '../../../kernel/event-stream.ts'
import { mayUse } from '../api/access.ts'
import { type Handler, SENT } from '../api/route.ts'
import { accountsToRead, namesToRead, type SelectAccounts } from './choose-events.ts'
import { TooManyStreams } from './contract.ts'
import { findPosition, sendEvents } from './send-events.ts'
import { sendStates } from './send-states.ts'
import { openReader } from './stream-reader.ts'
import { wantEventsOf } from './want-events.ts'

export interface ChangesQuery {
  readonly events?: readonly string[]
  readonly account?: string
  readonly lastEventId?: string
}

/** `GET /v1/changes`: states of accounts, or with `events` what webhooks tell. */
export const changes: Handler<ChangesQuery> = async (
  context,
  { caller, request, response, query: { account, events, lastEventId: sentId } }
) => {
  const { kernel } = context
  const { database } = kernel
  accountsToRead(caller, account)
  const names = namesToRead('events', events)
  const select: SelectAccounts = (accounts) => {
    if (account === undefined) return accounts
    return mayUse({ accounts }, account) ? [account] : []
  }
  const { events: feed } = await context.daemon()
  const release = kernel.held.hold(kernel.clientIp(request))
  if (release === undefined) throw new TooManyStreams()
  try {
    if (events === undefined) {
      const reader = openReader(context, { response, caller, renew: async () => {} })
      await sendStates(feed, reader, select)
    } else {
      const id = lastEventId(request.headers) ?? sentId
      const position = await findPosition(database, id, select(caller.accounts))
      const renew = (accounts: readonly string[] | undefined) =>
        wantEventsOf(context, select(accounts))
      const reader = openReader(context, { response, caller, renew })
      await sendEvents({ database, feed }, reader, { select, names, position })
    }
  } finally {
    release()
  }
  return SENT
}
