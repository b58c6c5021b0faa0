import { createPageSessions, type PageSession } from '../../../../kernel/page-session.ts'
import { createSessionStreams } from '../../../../kernel/session-access.ts'
import { createStoredSessions } from '../../../../kernel/session-table.ts'
import type { CardContext } from '../../context.ts'
import { mayRead, viewerOf } from '../../http/credentials.ts'
import { ensureMember, readMember } from '../../store/members.ts'
import type { MemberViewer, PageAccess, SignedIn } from './signed-in.ts'

/** Accounts of sessions: a token that was pasted, or the operator as a member. */
const TOKEN_ACCOUNT = 'token:'
const OPERATOR_ACCOUNT = 'operator:'

export function tokenAccount(tokenId: string): string {
  return TOKEN_ACCOUNT + tokenId
}

export function operatorAccount(member: string): string {
  return OPERATOR_ACCOUNT + member
}

/** Sessions are stored, so that they outlive the process and all processes know them. */
export function createPageAccess({ kernel, store, nextId }: CardContext): PageAccess {
  const sessions = createPageSessions({
    service: 'cards',
    store: createStoredSessions(kernel.database),
    verify: () => undefined,
    now: kernel.now
  })

  async function viewerFor(account: string): Promise<MemberViewer | undefined> {
    if (account.startsWith(OPERATOR_ACCOUNT)) {
      return operatorViewer(account.slice(OPERATOR_ACCOUNT.length))
    }
    if (!account.startsWith(TOKEN_ACCOUNT)) return undefined
    const principal = await kernel.credentials.find(account.slice(TOKEN_ACCOUNT.length))
    const viewer = principal && viewerOf(principal)
    if (viewer?.kind !== 'member') return undefined
    return mayRead({ viewer, principal, token: undefined }) ? viewer : undefined
  }

  async function open(session: PageSession): Promise<SignedIn | undefined> {
    const viewer = await viewerFor(session.account)
    const member = viewer && (await store.read(() => readMember(viewer.member)))
    if (viewer === undefined || member === undefined) return undefined
    const isOperator = session.account.startsWith(OPERATOR_ACCOUNT)
    return { session, viewer, userName: member.user_name, isOperator }
  }

  const streams = createSessionStreams(() => kernel.now().getTime())
  return {
    sessions,
    streams,
    async find(raw) {
      const session = await sessions.find(kernel.sessionCookies(raw))
      if (session === undefined) return undefined
      const signedIn = await open(session)
      if (signedIn === undefined) {
        await sessions.end(session)
        streams.end(session)
      }
      return signedIn
    },
    async isValid({ session }) {
      const found = await sessions.find([session.secret])
      return found !== undefined && (await open(found)) !== undefined
    },
    async createLink(url) {
      const member = await store.change((time) => ensureMember(nextId(), time))
      return sessions.createLink(url, operatorAccount(member.id))
    }
  }
}

function operatorViewer(member: string): MemberViewer {
  const tokenId = 'operator'
  return { kind: 'member', member, boards: undefined, canWrite: true, canAdminister: true, tokenId }
}
