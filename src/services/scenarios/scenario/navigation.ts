import type { RequestContext } from '../pipeline/request-context.ts'
import { defineScenario, readNothing, readWhole } from './definition.ts'
import { parseSpec, writeSpec } from './grammar.ts'

/**
 * URL of the request with one entry of its `scenario` parameter changed. Slashes at its start are
 * merged, because two of them would name another host.
 */
function urlWith({ target }: RequestContext, name: string, args: readonly string[]): string {
  const parameters = new URLSearchParams(target.query)
  const written = (parseSpec(parameters.get('scenario') ?? '') ?? []).filter(
    (entry) => entry.name !== name
  )
  parameters.set('scenario', writeSpec([...written, { name, args }]))
  return `${target.path.replace(/^\/+/, '/')}?${parameters}`
}

export const redirect = defineScenario<number>({
  name: 'redirect',
  usage: 'redirect[:n]',
  about: 'redirects n times with 302 (default 1) before the response',
  example: 'GET /api/users?scenario=redirect:3',
  read: readWhole(1, 0, 100),
  async before(call, hops) {
    if (hops === 0) return undefined
    call.applied.add('redirect')
    const location = urlWith(call, 'redirect', [String(hops - 1)])
    return { status: 302, headers: { location }, body: '' }
  }
})

export const redirectLoop = defineScenario({
  name: 'redirect-loop',
  usage: 'redirect-loop',
  about: 'redirects to itself with 302 in an endless loop',
  example: 'GET /api/users?scenario=redirect-loop',
  read: readNothing,
  async before(call) {
    call.applied.add('redirect-loop')
    const location = urlWith(call, 'redirect-loop', [])
    return { status: 302, headers: { location }, body: '' }
  }
})

export const notModified = defineScenario({
  name: 'not-modified',
  usage: 'not-modified',
  about: 'responds with 304 to a GET with any If-None-Match',
  example: 'GET /api/users?scenario=not-modified',
  read: readNothing,
  after(call, response) {
    if (call.method !== 'GET' || call.request.headers['if-none-match'] === undefined)
      return response
    call.applied.add('not-modified')
    const { 'content-type': _, ...headers } = response.headers
    return { status: 304, headers }
  }
})

export const cors = defineScenario({
  name: 'cors',
  usage: 'cors',
  about: 'the response has no CORS headers: a page of another origin cannot read it',
  example: 'GET /api/users?scenario=cors',
  read: readNothing,
  after(call, response) {
    call.applied.add('cors')
    return { ...response, cors: false }
  }
})

/** Implemented by the handler of OPTIONS. */
export const corsPreflight = defineScenario({
  name: 'cors-preflight',
  usage: 'cors-preflight',
  about: 'responds to OPTIONS with 403 and no CORS headers; select it by query, path or rule only',
  example: 'OPTIONS /api/users?scenario=cors-preflight',
  read: readNothing
})
