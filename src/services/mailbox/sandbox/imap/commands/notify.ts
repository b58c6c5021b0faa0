import { scanNotify } from '../notify/parse.ts'
import { readMailboxes, tellAllStatus } from '../notify/tell-mailboxes.ts'
import type { Command } from '../session/session.ts'

export const notify: Command = {
  state: 'authenticated',
  extensions: ['NOTIFY'],
  async run(session, { scanner }) {
    const wanted = scanNotify(scanner, session.server.extensions)
    if (wanted === undefined) {
      session.notify = undefined
      return { text: 'NOTIFY completed.' }
    }
    const { selected, groups } = wanted
    const known = groups.length === 0 ? new Map() : await readMailboxes(session)
    session.notify = { selected, groups, known }
    if (wanted.tellsStatus) await tellAllStatus(session, session.notify)
    return { text: 'NOTIFY completed.' }
  }
}
