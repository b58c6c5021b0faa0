import type { Socket } from 'node:net'
import type { MailboxContext } from '../../../context.ts'
import type { SandboxAccount } from '../../mail-store.ts'
import type { SignIn } from '../../sign-in.ts'
import type { NotifySettings } from '../notify/settings.ts'
import type { ByteReader } from '../wire/byte-reader.ts'
import type { MessageLiteral } from '../wire/message-literal.ts'
import type { Output } from '../wire/output.ts'
import type { Scanner } from '../wire/scanner.ts'
import type { Snapshot, Snapshots } from './snapshot.ts'

/** What all connections share. */
export interface ImapServer {
  readonly context: MailboxContext
  readonly signIn: SignIn
  readonly snapshots: Snapshots
  /** Names of the extensions that are offered. */
  readonly extensions: ReadonlySet<string>
}

/** The mailbox that a session has selected, as its client knows it. */
export interface SelectedMailbox {
  readonly snapshot: Snapshot
  readonly id: number
  readonly isReadOnly: boolean
  /** UIDs in the order of the sequence numbers. */
  uids: number[]
  /** All messages up to this UID were announced. */
  lastUid: number
  /** All changes up to this one were told. */
  modseq: number
  /** Later changes that were told already: modseq by UID. */
  readonly told: Map<number, number>
  /** Number of keywords in the last FLAGS response. */
  keywords: number
}

/** The state of one connection. */
export interface Session {
  readonly server: ImapServer
  socket: Socket
  reader: ByteReader
  output: Output
  isEncrypted: boolean
  account: SandboxAccount | undefined
  selected: SelectedMailbox | undefined
  /** CONDSTORE and QRESYNC. */
  readonly enabled: Set<string>
  notify: NotifySettings | undefined
  /** Tag of the IDLE command that runs. */
  idleTag: string | undefined
  /** Tells changes as soon as no command runs. */
  readonly requestPush: () => void
  /** Stops listening to changes of the account. */
  unwatch: (() => void) | undefined
  /** Called with the socket that replaces the first one after STARTTLS. */
  readonly onSocket: (socket: Socket) => void
  /** Set by LOGOUT and by errors: the connection is closed after the response. */
  isOver: boolean
}

/** The tagged response of a command. */
export interface Completion {
  readonly text: string
  readonly code?: string | undefined
  readonly status?: 'OK' | 'NO'
  /** The command has told the changes of the selected mailbox itself. */
  readonly isSynced?: boolean
}

/** For messages that another client has removed, which this one was not told yet. */
export const EXPUNGED: Completion = {
  status: 'NO',
  code: 'EXPUNGEISSUED',
  text: 'Some of the requested messages no longer exist.'
}

/** For changes of a mailbox that was opened by EXAMINE. */
export const READ_ONLY: Completion = { status: 'NO', text: 'Mailbox is read-only.' }

export interface Invocation {
  readonly tag: string
  /** With the prefix UID. */
  readonly isUid: boolean
  readonly scanner: Scanner
  readonly message: MessageLiteral | undefined
}

export type RunCommand = (
  session: Session,
  invocation: Invocation
) => Promise<Completion | undefined>

export interface Command {
  readonly run: RunCommand
  readonly state: 'any' | 'notAuthenticated' | 'authenticated' | 'selected'
  /** One of these extensions must be offered. */
  readonly extensions?: readonly string[]
  readonly hasUidForm?: boolean
  /** Whether changes of the selected mailbox are told with it; those of the state `selected` do. */
  readonly tellsChanges?: boolean
  /** EXPUNGE responses must not be sent with it (RFC 3501 7.4.1), except in its UID form. */
  readonly keepsNumbers?: boolean
}

export function selectedOf(session: Session): SelectedMailbox {
  if (session.selected === undefined) throw new Error('no mailbox is selected')
  return session.selected
}

export function accountOf(session: Session): SandboxAccount {
  if (session.account === undefined) throw new Error('not signed in')
  return session.account
}

export function unselect(session: Session): void {
  session.selected?.snapshot.release()
  session.selected = undefined
}
