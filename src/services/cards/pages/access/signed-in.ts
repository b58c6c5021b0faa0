import type { IncomingMessage } from 'node:http'
import type { PageSession, PageSessions } from '../../../../kernel/page-session.ts'
import type { SessionStreams } from '../../../../kernel/session-access.ts'
import type { Viewer } from '../../records/viewer.ts'

export type MemberViewer = Viewer & { kind: 'member' }

/** A browser that signed in. */
export interface SignedIn {
  readonly session: PageSession
  readonly viewer: MemberViewer
  readonly userName: string
  /** Whether it came from the console, and so may be any member. */
  readonly isOperator: boolean
}

export interface PageAccess {
  readonly sessions: PageSessions
  /** End with their session, and when the process stops. */
  readonly streams: SessionStreams
  /** Ends the session if its token is no longer valid. */
  find: (raw: IncomingMessage) => Promise<SignedIn | undefined>
  /** Whether the session, its token and its member still exist; for streams. */
  isValid: (signedIn: SignedIn) => Promise<boolean>
  /** A link that signs in as the first member, once. */
  createLink: (url: string) => Promise<string>
}
