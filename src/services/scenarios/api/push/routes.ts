import type { Route } from '../../pipeline/request-context.ts'
import { handlePoll } from './poll.ts'
import { handleSocket } from './socket.ts'
import { handleStream } from './stream.ts'

const STREAM: Route = { pattern: '/api/events', endpoint: handleStream }
const POLL: Route = { pattern: '/api/events/poll', endpoint: handlePoll }
const SOCKET: Route = { pattern: '/api/ws', endpoint: handleSocket }

export function eventRoute(method: string, rest: readonly string[]): Route | undefined {
  if (method !== 'GET') return undefined
  if (rest.length === 0) return STREAM
  return rest.length === 1 && rest[0] === 'poll' ? POLL : undefined
}

export function socketRoute(method: string, rest: readonly string[]): Route | undefined {
  return method === 'GET' && rest.length === 0 ? SOCKET : undefined
}
