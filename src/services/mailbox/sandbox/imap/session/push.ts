import { fetchMessages } from '../commands/fetch.ts'
import type { SelectedEvents } from '../notify/settings.ts'
import { tellMailboxes } from '../notify/tell-mailboxes.ts'
import { accountOf, type Session } from './session.ts'
import { FULL_SYNC, type SyncOptions, syncSelected } from './sync.ts'

/** Tells changes while no command runs, as IDLE and NOTIFY allow it. */
export async function pushChanges(session: Session): Promise<void> {
  if (session.output.isBehind()) {
    session.socket.once('drain', session.requestPush)
    return
  }
  const options = optionsOf(session)
  if (options !== undefined) {
    const { added } = await syncSelected(session, options)
    const items = session.notify?.selected?.items ?? []
    if (added.length > 0 && items.length > 0) await fetchMessages(session, added, items)
  }
  if (session.notify !== undefined && session.notify.groups.length > 0) {
    await tellMailboxes(session, session.notify)
  }
}

/** Undefined if nothing of the selected mailbox may be told. */
function optionsOf({ idleTag, notify, selected }: Session): SyncOptions | undefined {
  if (selected === undefined) return undefined
  if (idleTag !== undefined) return FULL_SYNC
  return notify?.selected === undefined ? undefined : optionsFor(notify.selected)
}

function optionsFor({ events, isDelayed }: SelectedEvents): SyncOptions {
  return {
    expunges: events.has('MessageExpunge') && !isDelayed,
    withUid: true,
    flags: events.has('FlagChange'),
    news: events.has('MessageNew')
  }
}

/** Listens to the account exactly as long as changes may be pushed. */
export function updateWatch(session: Session): void {
  const isWanted = session.idleTag !== undefined || session.notify !== undefined
  if (!isWanted) {
    session.unwatch?.()
    session.unwatch = undefined
  } else if (session.unwatch === undefined) {
    const { store } = session.server.context
    session.unwatch = store.watch(accountOf(session).id, session.requestPush)
    // Changes between the last command and this moment.
    session.requestPush()
  }
}
