import { mayUse } from '../api/access.ts'
import type { StateChanged } from '../store/state-topics.ts'
import type { SelectAccounts } from './choose-events.ts'
import type { EventFeed } from './feed.ts'
import { stateFrame } from './state-frames.ts'
import type { StreamReader } from './stream-reader.ts'

/** Changes that wait to be sent; a client that reads too slowly misses some. */
const MAX_WAITING = 1000

/** Sends the changes of states to a client until it is gone. */
export async function sendStates(
  feed: EventFeed,
  reader: StreamReader,
  select: SelectAccounts
): Promise<void> {
  const waiting: StateChanged[] = []
  // Before the head is sent: from then on the client relies on it.
  const unsubscribe = feed.onState((change) => {
    const isSent = mayUse({ accounts: select(reader.accounts()) }, change.account)
    if (!isSent || waiting.length >= MAX_WAITING) return
    waiting.push(change)
    reader.wake()
  })
  try {
    await reader.run(async (stream) => {
      while (reader.isOpen()) {
        for (const change of waiting.splice(0)) {
          await stream.send({ event: 'message', data: JSON.stringify(stateFrame(change)) })
        }
        await reader.wait()
      }
    })
  } finally {
    unsubscribe()
  }
}
