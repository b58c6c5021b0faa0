import type { FastifyRequest } from 'fastify'
import type { Caller } from '../api/access.ts'
import type { MailboxContext } from '../context.ts'
import type { MailList } from './mail-list.ts'
import type { MailServers } from './snippets.ts'

/** What the routes of the pages work with. */
export interface PageContext {
  readonly context: MailboxContext
  readonly callerOf: (request: FastifyRequest) => Promise<Caller>
  /** Undefined until the ports are open. */
  readonly serversFor: (request: FastifyRequest) => MailServers | undefined
  readonly listFor: (request: FastifyRequest, caller: Caller) => Promise<MailList>
}
