import type { ImapIndexer } from '../accounts/account.ts'
import type { CustomHeader } from '../webhooks/custom-headers.ts'

/** Settings of `/v1/settings`; those that need no restart. */
export interface SettingValues {
  readonly deliveryAttempts: number
  readonly queueKeep: number
  readonly smtpEhloName: string | undefined
  readonly ignoreMailCertErrors: boolean
  readonly logs: { readonly all: boolean; readonly maxLogLines: number }
  readonly locale: string | undefined
  readonly timezone: string | undefined
  readonly serviceUrl: string | undefined
  readonly serviceSecret: string
  /** Undefined: only accounts with a receiver of their own have webhooks. False: no account has. */
  readonly webhooksEnabled: boolean | undefined
  /** URL of the receiver of accounts without one of their own; may have a user and a password. */
  readonly webhooks: string | undefined
  readonly webhooksCustomHeaders: readonly CustomHeader[]
  /** Names of events, or `*`. */
  readonly webhookEvents: readonly string[]
  readonly inboxNewOnly: boolean
  readonly notifyHeaders: readonly string[]
  readonly notifyText: boolean
  readonly notifyTextSize: number
  readonly notifyWebSafeHtml: boolean
  readonly notifyAttachments: boolean
  readonly notifyAttachmentSize: number
  readonly notifyCalendarEvents: boolean
  readonly imapIndexer: ImapIndexer
  readonly tokenAuditLog: boolean
  /** Undefined: local clients need no token, others do. True: no client does. False: all do. */
  readonly disableTokens: boolean | undefined
  /** Queues that are paused. */
  readonly pausedQueues: readonly string[]
}

export interface SettingStore {
  /** Reads the tables again with the next `read`. */
  forget: () => void
  /** All settings with their defaults; may be a second old. */
  read: () => Promise<SettingValues>
  /** Undefined restores the default. */
  change: (values: Partial<SettingValues>) => Promise<void>
  /** Pauses or resumes a queue. */
  changeQueue: (queue: string, isPaused: boolean) => Promise<void>
}
