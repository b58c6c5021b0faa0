import { selectUids } from '../session/message-set.ts'
import { type Command, READ_ONLY, selectedOf } from '../session/session.ts'
import { FULL_SYNC, highestModseq, syncSelected } from '../session/sync.ts'
import { syntaxError } from '../wire/errors.ts'

export const expunge: Command = {
  state: 'selected',
  hasUidForm: true,
  async run(session, { scanner, isUid }) {
    const selected = selectedOf(session)
    const { extensions, context } = session.server
    // Messages that the client was not told of stay.
    let uids: readonly number[] = selected.uids
    if (isUid) {
      if (!extensions.has('UIDPLUS')) throw syntaxError('Unknown command.')
      scanner.space()
      uids = selectUids(selected, scanner.sequenceSet(), true)
    }
    scanner.end()
    if (selected.isReadOnly) {
      const isDeleted = (uid: number) =>
        selected.snapshot.messages.get(uid)?.flags.includes('\\Deleted')
      if (uids.some(isDeleted)) return READ_ONLY
      return { text: 'Expunge completed.' }
    }
    await context.store.expunge(selected.id, uids)
    await syncSelected(session, FULL_SYNC)
    return { text: 'Expunge completed.', code: highestModseq(session), isSynced: true }
  }
}
