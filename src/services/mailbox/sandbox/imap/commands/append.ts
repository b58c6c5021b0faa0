import { FileTooLarge } from '../../../../../kernel/files/files.ts'
import type { Mailbox } from '../../mail-store.ts'
import { type ReceivedMessage, receiveMessage } from '../../message/receive.ts'
import { scanDateTime } from '../dates.ts'
import { scanMailbox } from '../mailbox-names.ts'
import { scanFlags, withKnownSpelling } from '../session/flags.ts'
import { accountOf, type Command, type Session } from '../session/session.ts'
import { CommandError, mailboxMissing, syntaxError } from '../wire/errors.ts'
import type { MessageLiteral } from '../wire/message-literal.ts'
import type { Scanner } from '../wire/scanner.ts'

interface AppendArguments {
  readonly name: string
  readonly flags: readonly string[]
  readonly internalDate: number | undefined
}

export const append: Command = {
  state: 'authenticated',
  tellsChanges: true,
  async run(session, { scanner, message }) {
    const { name, flags, internalDate } = scanArguments(scanner)
    if (message === undefined) throw syntaxError('Missing message.')
    const mailbox = await checkAppend(session, name, message)
    const spelled = withKnownSpelling(flags, keywordsOf(session, mailbox))
    const received = await receive(session, message)
    if ((await message.finish()) !== '') throw syntaxError('Unexpected arguments.')
    const appended = await session.server.context.store.append(
      mailbox.id,
      { ...received, envelopeFrom: '', envelopeTo: [] },
      { flags: spelled, internalDate }
    )
    if (appended === undefined) throw mailboxMissing(name, 'TRYCREATE')
    const hasUids = session.server.extensions.has('UIDPLUS')
    const code = hasUids ? `APPENDUID ${appended.uidValidity} ${appended.uid}` : undefined
    return { text: 'Append completed.', code }
  }
}

/** What comes before the message. */
function scanArguments(scanner: Scanner): AppendArguments {
  scanner.space()
  const name = scanMailbox(scanner)
  scanner.space()
  let flags: string[] = []
  if (scanner.isNext('(')) {
    flags = scanFlags(scanner)
    scanner.space()
  }
  let internalDate: number | undefined
  if (scanner.isNext('"')) {
    internalDate = scanDateTime(scanner)
    scanner.space()
  }
  if (!scanner.isNext('{') && !scanner.isNext('~{')) throw syntaxError('Missing message.')
  return { name, flags, internalDate }
}

/** Before the client sends a message that would be rejected. */
async function checkAppend(
  session: Session,
  name: string,
  { size }: MessageLiteral
): Promise<Mailbox> {
  const { store, options } = session.server.context
  const maxBytes = options.sandboxMessageBytes
  if (size > maxBytes) throw messageTooLarge(maxBytes)
  if (size === 0) throw new CommandError('NO', "Can't save a zero byte message.")
  const mailbox = await store.findMailbox(accountOf(session).id, name)
  if (mailbox === undefined) throw mailboxMissing(name, 'TRYCREATE')
  return mailbox
}

function keywordsOf({ selected }: Session, { id }: Mailbox): ReadonlyMap<string, string> {
  return selected?.id === id ? selected.snapshot.keywords : new Map()
}

async function receive(session: Session, message: MessageLiteral): Promise<ReceivedMessage> {
  const { kernel, options } = session.server.context
  const maxBytes = options.sandboxMessageBytes
  try {
    return await receiveMessage(kernel.files, message.read(), { maxBytes })
  } catch (error) {
    // Line ends that were completed may have made it larger.
    if (error instanceof FileTooLarge) throw messageTooLarge(maxBytes)
    throw error
  }
}

function messageTooLarge(maxBytes: number): CommandError {
  return new CommandError('NO', `A message can have ${maxBytes} bytes.`, 'TOOBIG')
}
