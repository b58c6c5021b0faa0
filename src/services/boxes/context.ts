import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kernel } from '../../kernel/service.ts'
import type { Followers } from './changes/followers.ts'
import type { BoxTarget } from './http/box-target.ts'
import type { CountRequest } from './http/rate-limit.ts'
import type { BoxOptions } from './settings.ts'
import type { BoxStore } from './store/store.ts'

/** Dependencies of the request handlers. */
export interface BoxContext {
  readonly kernel: Kernel
  readonly options: BoxOptions
  readonly store: BoxStore
  readonly countRequest: CountRequest
  readonly followers: Followers
}

export type Handler = (
  context: BoxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  target: BoxTarget
) => Promise<void>
