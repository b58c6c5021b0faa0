import { type ApiResponse, json, simpleError } from '../http/response.ts'
import type { RequestContext } from '../pipeline/request-context.ts'
import { defineScenario, readNothing } from './definition.ts'

const WITH_BODY = ['POST', 'PUT', 'PATCH']
const CHANGING = ['PUT', 'PATCH', 'DELETE']

/** Logins and registrations are excluded, because their errors have their own status. */
function isRecordWrite({ route, method }: RequestContext): boolean {
  return route.isResource === true && WITH_BODY.includes(method)
}

export const SHOWN_ERRORS = [
  { field: 'email', code: 'invalid_format', message: 'This is not a valid email address' },
  { field: 'first_name', code: 'required', message: 'This field is required' }
]

function instead(
  call: RequestContext,
  name: string,
  applies: boolean,
  response: () => ApiResponse
): Promise<ApiResponse | undefined> {
  if (!applies) return Promise.resolve(undefined)
  call.applied.add(name)
  return Promise.resolve(response())
}

export const validation = defineScenario({
  name: 'validation',
  usage: 'validation',
  about: 'responds with 422 to a write, with one entry per field',
  example: 'POST /api/users?scenario=validation {}',
  read: readNothing,
  before: (call) =>
    instead(call, 'validation', isRecordWrite(call), () =>
      json({ error: 'Validation failed', errors: SHOWN_ERRORS }, 422)
    )
})

export const conflict = defineScenario({
  name: 'conflict',
  usage: 'conflict',
  about: 'responds with 409 to a write: the email address is taken',
  example: 'POST /api/users?scenario=conflict {}',
  read: readNothing,
  before: (call) =>
    instead(call, 'conflict', isRecordWrite(call), () =>
      json({ error: 'Conflict', field: 'email' }, 409)
    )
})

export const stale = defineScenario({
  name: 'stale',
  usage: 'stale',
  about: 'responds with 412 to any If-Match, as if another client had changed the record',
  example: 'PUT /api/users/2?scenario=stale {}',
  read: readNothing,
  before: (call) =>
    instead(call, 'stale', call.request.headers['if-match'] !== undefined, () =>
      json({ error: 'Precondition failed' }, 412)
    )
})

export const ifMatchRequired = defineScenario({
  name: 'if-match-required',
  usage: 'if-match-required',
  about: 'responds with 428 to PUT, PATCH and DELETE without If-Match',
  example: 'PUT /api/users/2?scenario=if-match-required {}',
  read: readNothing,
  before: (call) =>
    instead(
      call,
      'if-match-required',
      CHANGING.includes(call.method) && call.request.headers['if-match'] === undefined,
      () => simpleError(428)
    )
})

export const tooLarge = defineScenario({
  name: 'too-large',
  usage: 'too-large',
  about: 'responds with 413 to a request with a body',
  example: 'POST /api/users?scenario=too-large {}',
  read: readNothing,
  before: (call) =>
    instead(call, 'too-large', WITH_BODY.includes(call.method), () => simpleError(413))
})
