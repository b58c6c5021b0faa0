/** A signed-in browser, or a one-time link that can become one. */
export type SessionKind = 'session' | 'link'

export interface StoredSession {
  readonly kind: SessionKind
  /** Of the secret in the cookie or the link, which is not stored. */
  readonly digest: string
  readonly account: string
  readonly createdAt: number
  readonly usedAt: number
}

/** What is removed before a session is added. */
export interface SessionBounds {
  readonly createdBefore: number
  readonly usedBefore: number
  /** Above this number, those that were not used for the longest time are removed. */
  readonly maximum: number
}

/** Sessions of one service. */
export interface SessionStore {
  add: (session: StoredSession, bounds: SessionBounds) => Promise<void>
  find: (digest: string) => Promise<StoredSession | undefined>
  use: (digest: string, usedAt: number) => Promise<void>
  /** Removes it; of several calls at the same time only one gets it. */
  take: (digest: string) => Promise<StoredSession | undefined>
}

/** For services without a database: a restart ends all sessions. */
export function createMemorySessions(): SessionStore {
  const sessions = new Map<string, StoredSession>()

  function makeSpace(kind: SessionKind, bounds: SessionBounds): void {
    const { createdBefore, usedBefore, maximum } = bounds
    const left: StoredSession[] = []
    for (const session of sessions.values()) {
      if (session.kind !== kind) continue
      const isExpired = session.createdAt <= createdBefore || session.usedAt <= usedBefore
      if (isExpired) sessions.delete(session.digest)
      else left.push(session)
    }
    left.sort((a, b) => a.usedAt - b.usedAt)
    for (const { digest } of left.slice(0, Math.max(0, left.length - maximum + 1))) {
      sessions.delete(digest)
    }
  }

  return {
    async add(session, bounds) {
      makeSpace(session.kind, bounds)
      sessions.set(session.digest, session)
    },
    find: async (digest) => sessions.get(digest),
    async use(digest, usedAt) {
      const session = sessions.get(digest)
      if (session !== undefined) sessions.set(digest, { ...session, usedAt })
    },
    async take(digest) {
      const session = sessions.get(digest)
      sessions.delete(digest)
      return session
    }
  }
}
