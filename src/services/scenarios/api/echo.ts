import type { IncomingHttpHeaders } from 'node:http'
import { groupFields } from '../../../kernel/form-fields.ts'
import { collect, isTooDeep } from '../http/body.ts'
import { bodyChunks } from '../http/body-chunks.ts'
import { type ApiResponse, json } from '../http/response.ts'
import type { RequestContext, Route } from '../pipeline/request-context.ts'

const MASK = '********'

/** Returns the request as received. */
async function handleEcho(call: RequestContext): Promise<ApiResponse> {
  const { request, target } = call
  const bytes = await collect(bodyChunks(call), call.context.options.maxBodyBytes)
  return json({
    method: request.method,
    path: target.path,
    query: groupFields(target.parameters),
    headers: withoutCookies(request.headers),
    ...bodyOf(bytes)
  })
}

/** Masks cookie values: browsers send cookies of all ports of a host, some hidden from scripts. */
function withoutCookies({ cookie, ...headers }: IncomingHttpHeaders): IncomingHttpHeaders {
  if (cookie === undefined) return headers
  const names = cookie.split(';').map((part) => part.split('=', 1)[0]?.trim() ?? '')
  return { ...headers, cookie: names.map((name) => `${name}=${MASK}`).join('; ') }
}

function bodyOf(bytes: Buffer): object {
  const text = bytes.toString('utf8')
  if (Buffer.compare(Buffer.from(text), bytes) !== 0) {
    return { body: bytes.toString('base64'), encoding: 'base64', json: null }
  }
  return { body: text, encoding: 'utf8', json: parsed(text) }
}

function parsed(text: string): unknown {
  try {
    const value = JSON.parse(text)
    return isTooDeep(value) ? null : value
  } catch {
    return null
  }
}

const ECHO: Route = { pattern: '/api/echo', endpoint: handleEcho, streamsBody: true }

export function echoRoute(_method: string, rest: readonly string[]): Route | undefined {
  return rest.length === 0 ? ECHO : undefined
}
