import { StorageFull, StorageUnavailable } from '../../../../kernel/database/errors.ts'
import { MailboxLimitReached } from '../mail-store.ts'
import { COMMANDS } from './commands/table.ts'
import {
  accountOf,
  type Command,
  type Completion,
  type Invocation,
  type Session
} from './session/session.ts'
import { highestModseq, syncSelected } from './session/sync.ts'
import { CommandError, ConnectionError, syntaxError } from './wire/errors.ts'
import type { CommandText } from './wire/read-command.ts'

/** Runs a command and writes its responses; resolves to whether the client made no mistake. */
export async function runCommand(session: Session, text: CommandText): Promise<boolean> {
  try {
    const { command, isUid } = commandFrom(session, text)
    if (command.state === 'authenticated') await checkAccount(session)
    const { tag, scanner, message } = text
    const completion = await complete(session, command, { tag, isUid, scanner, message })
    if (completion !== undefined) writeTagged(session, tag, completion)
    return true
  } catch (error) {
    if (error instanceof ConnectionError) throw error
    const known = commandError(error)
    if (known === undefined && !session.isOver) {
      session.server.context.kernel.warn(`mailbox: IMAP ${text.name} failed: ${nameOf(error)}`)
    }
    const response = known ?? new CommandError('NO', 'Internal error.', 'SERVERBUG')
    await text.message?.finish()
    writeTagged(session, text.tag, response)
    return response.status !== 'BAD'
  }
}

async function complete(
  session: Session,
  command: Command,
  invocation: Invocation
): Promise<Completion | undefined> {
  const completion = await command.run(session, invocation)
  const tellsChanges = command.tellsChanges ?? command.state === 'selected'
  if (completion === undefined || completion.isSynced === true || !tellsChanges) return completion
  const { isUid } = invocation
  const expunges = command.keepsNumbers !== true || isUid
  const told = await syncSelected(session, { expunges, withUid: isUid })
  if (!told.hasExpunged || completion.code !== undefined) return completion
  return { ...completion, code: highestModseq(session) }
}

function commandFrom(
  session: Session,
  { name, scanner }: CommandText
): { command: Command; isUid: boolean } {
  const isUid = name === 'UID'
  if (isUid) scanner.space()
  const command = COMMANDS.get(isUid ? scanner.keyword() : name)
  const isOffered = command?.extensions?.some((one) => session.server.extensions.has(one)) ?? true
  if (command === undefined || !isOffered || (isUid && command.hasUidForm !== true)) {
    throw syntaxError('Unknown command.')
  }
  checkState(session, command)
  return { command, isUid }
}

function checkState({ account, selected }: Session, { state }: Command): void {
  if (state === 'any') return
  if (state === 'notAuthenticated') {
    if (account !== undefined) throw syntaxError('Already logged in.')
    return
  }
  if (account === undefined) throw syntaxError('Please login first.')
  if (state === 'selected' && selected === undefined) throw syntaxError('No mailbox selected.')
}

/** An account may be removed, and one with its id be created again, while a client is connected. */
async function checkAccount(session: Session): Promise<void> {
  const { id, createdAt } = accountOf(session)
  const account = await session.server.context.store.findAccount(id)
  if (account?.createdAt !== createdAt) throw new ConnectionError('The account was deleted.')
}

export function writeTagged(
  { output }: Session,
  tag: string,
  response: Completion | CommandError
): void {
  const { status = 'OK', code } = response
  const text = response instanceof CommandError ? response.message : response.text
  output.line(`${tag} ${status} ${code === undefined ? '' : `[${code}] `}${text}`)
}

function commandError(error: unknown): CommandError | undefined {
  if (error instanceof CommandError) return error
  if (error instanceof MailboxLimitReached) {
    return new CommandError('NO', 'The account has too many mailboxes.', 'LIMIT')
  }
  if (error instanceof StorageFull) {
    return new CommandError('NO', 'No disk space left.', 'OVERQUOTA')
  }
  if (error instanceof StorageUnavailable) {
    return new CommandError('NO', 'The storage is unavailable; try again.', 'UNAVAILABLE')
  }
  return undefined
}

/** Without its message, which may contain mail. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error
}
