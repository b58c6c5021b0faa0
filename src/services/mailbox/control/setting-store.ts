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
