import { DROPPED } from '../http/response.ts'
import { countCall } from '../pipeline/request-context.ts'
import { defineScenario, readNothing, readWhole } from './definition.ts'

export const reset = defineScenario({
  name: 'reset',
  usage: 'reset',
  about: 'the connection is dropped before the response; the request is not processed',
  example: 'GET /api/users?scenario=reset',
  read: readNothing,
  async before(call) {
    call.applied.add('reset')
    return DROPPED
  }
})

export const offlineThenOnline = defineScenario<number>({
  name: 'offline-then-online',
  usage: 'offline-then-online[:n]',
  about: 'the connection is dropped for the first n requests (default 3); later requests succeed',
  example: 'GET /api/users?scenario=offline-then-online:2',
  read: readWhole(3, 1, 1_000_000),
  async before(call, n) {
    if ((await countCall(call, 'offline-then-online')) > n) return undefined
    call.applied.add('offline-then-online')
    return DROPPED
  }
})

export const truncate = defineScenario({
  name: 'truncate',
  usage: 'truncate',
  about: 'the connection is dropped after half of the response body; the request is processed',
  example: 'GET /api/users?scenario=truncate',
  read: readNothing,
  after(call, response) {
    call.applied.add('truncate')
    return { ...response, truncated: true }
  }
})
