/** Completed requests of a service since the start. */
export interface Activity {
  requests: number
  /** Requests whose status is 5xx. */
  failed: number
  /** Requests of each of the last minutes, the current one last. */
  minutes: number[]
}

/** What the start page shows about the process besides its services. */
export interface ProcessFacts {
  startedAt: Date
  folder: string
  /** Whether the folder is deleted on exit. */
  isTemporary: boolean
  /** PostgreSQL database of the tables, without its password; undefined if they are in the folder. */
  database: string | undefined
  /** Size of the folder in bytes. */
  dataBytes: () => Promise<number>
  activityOf: (service: string) => Activity
  /** Why requests cannot be handled at the moment, by service. */
  problems: () => Promise<ReadonlyMap<string, string>>
  /** Services that exist but were not started. */
  notStarted: readonly string[]
  network: Network
}

export interface Network {
  /** Whether other machines may reach the process, as far as the settings tell. */
  isReachable: boolean
  /** URLs for other machines and the token that they need; undefined without `--lan`. */
  lan: { urlsOf: (name: string) => readonly string[]; token: string } | undefined
}
