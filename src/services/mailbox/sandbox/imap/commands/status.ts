import { scanMailbox } from '../mailbox-names.ts'
import { accountOf, type Command } from '../session/session.ts'
import { mailboxMissing } from '../wire/errors.ts'
import { scanStatusItems, statusLine } from './status-items.ts'

export const status: Command = {
  state: 'authenticated',
  async run(session, { scanner }) {
    scanner.space()
    const name = scanMailbox(scanner)
    scanner.space()
    const items = scanStatusItems(session, scanner)
    scanner.end()
    const { store } = session.server.context
    const mailbox = await store.findMailbox(accountOf(session).id, name)
    const found = mailbox === undefined ? undefined : await store.status(mailbox.id)
    if (found === undefined) throw mailboxMissing(name)
    session.output.line(statusLine(found, items))
    return { text: 'Status completed.' }
  }
}
