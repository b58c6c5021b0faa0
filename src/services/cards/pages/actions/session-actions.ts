import { endedSessionCookie } from '../../../../kernel/page-session.ts'
import type { Action } from './action.ts'

export const sessionActions: readonly Action[] = [
  {
    path: '/sign-out',
    needs: 'read',
    async handle({ pageAccess }, { signedIn }) {
      const { sessions, streams } = await pageAccess()
      await sessions.end(signedIn.session)
      streams.end(signedIn.session)
      return { redirect: '/', cookie: endedSessionCookie(sessions.service) }
    }
  }
]
