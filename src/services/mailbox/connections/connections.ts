import type { ImapFlow } from 'imapflow'
import type { Account } from '../accounts/account.ts'
import type { Connect } from './connect.ts'

export interface CommandOptions {
  /** Of the request: a waiting command is removed, a running one is not interrupted. */
  readonly signal: AbortSignal
  /**
   * For waiting, connecting and running together; then the connection is closed. A download may
   * take longer while bytes arrive, also after the signal of the request has timed out.
   */
  readonly timeoutMs: number
  /** For responses that are sent as they arrive, on another connection than short commands. */
  readonly isDownload?: boolean
}

/** Connections to the IMAP servers of accounts; each is opened when it is needed, and shared. */
export interface Connections {
  /**
   * Runs a command on the connection of an account, after the earlier ones. Errors are those of the
   * contract: unknown account, not usable now, timeout, lost connection, `NO` of the server. The
   * mailbox that the command before has selected may still be selected, and its number of messages
   * is as old as that command: send `NOOP` before relying on it.
   */
  run: <T>(
    account: string,
    options: CommandOptions,
    command: (client: ImapFlow) => Promise<T>
  ) => Promise<T>
  /** Counts the sign-ins to each host, with those of all accounts. */
  readonly connect: Connect
  /**
   * Opens a connection that waits for changes; `onLine` is called with the beginning of each line.
   * It shares the errors of the commands: none is opened while `waitMs` is not 0. Rejects with a
   * `ConnectError` if the server is the reason, or with an error of the contract.
   */
  watch: (
    account: Account,
    signal: AbortSignal,
    onLine: (line: string) => void
  ) => Promise<ImapFlow>
  /** Milliseconds until a connection of the account may be opened. */
  waitMs: (account: Account) => number
  /**
   * Closes the connections of an account and forgets its errors: the next command opens one with
   * the stored settings, without waiting.
   */
  reset: (account: string) => void
  /** Stores the lines that were logged so far. */
  flushLogs: () => Promise<void>
  /** Open connections. */
  count: (account?: string) => number
  stop: () => Promise<void>
}
