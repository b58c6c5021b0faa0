import type { Principal } from '../../../kernel/credentials/rules.ts'

/** What a request may see and do; its credential alone decides. */
export type Viewer =
  /** An owner's token: all boards of the member, or only `boards`. */
  | {
      kind: 'member'
      member: string
      /** Undefined if the token is not limited to boards. */
      boards: readonly string[] | undefined
      canWrite: boolean
      canAdminister: boolean
      tokenId: string
    }
  /** A publishable key: the published part of one board. */
  | { kind: 'publishable'; board: string }
  /** A preview token: one board, or one card of it, with drafts; never changes anything. */
  | { kind: 'preview'; board: string; card: string | undefined }
  /** No credential: the published part of public boards. */
  | { kind: 'anonymous' }

export const ANONYMOUS: Viewer = { kind: 'anonymous' }

/** Whether drafts, archived cards and closed lists are left out. */
export function seesPublishedOnly({ kind }: Viewer): boolean {
  return kind === 'publishable' || kind === 'anonymous'
}

/** Who sent a request. */
export interface Identity {
  readonly viewer: Viewer
  /** Undefined without a token, and for preview tokens. */
  readonly principal: Principal | undefined
  /** As it was sent. */
  readonly token: string | undefined
}
