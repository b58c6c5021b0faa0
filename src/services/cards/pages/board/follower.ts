import type { ServerResponse } from 'node:http'

/** Who follows a board. */
export interface Follower {
  readonly board: string
  /** Members see every revision, others those of the published part. */
  readonly isMember: boolean
  /** Whether the credential is still valid. */
  readonly isValid: () => Promise<boolean>
  /** The revision that the client has; undefined if it has none. */
  readonly since: string | undefined
}

export interface BoardStreams {
  /** Throws if there are too many; to be called before the response begins. */
  requireSpace: (follower: Follower) => void
  open: (follower: Follower, reply: ServerResponse) => Promise<void>
  end: () => void
}
