import { isObject } from '../../document/json.ts'
import { InvalidRequest } from '../errors.ts'
import type { HeaderLine, RawRequest } from './raw-request.ts'

const MEMBERS = ['method', 'target', 'headers', 'body']

/** Parses the JSON of a program that sends a request by the window. */
export function readSending(given: unknown): RawRequest {
  if (!isObject(given)) throw new InvalidRequest('The body must be a JSON object with target')
  const unknown = Object.keys(given).find((name) => !MEMBERS.includes(name))
  if (unknown !== undefined) {
    throw new InvalidRequest(`Unknown member ${unknown}; known members: ${MEMBERS.join(', ')}`)
  }
  const { method = 'GET', target, headers = {}, body } = given
  if (typeof method !== 'string') throw new InvalidRequest('method must be a string')
  if (typeof target !== 'string') throw new InvalidRequest('target must be a path with its query')
  if (body !== undefined && typeof body !== 'string') {
    throw new InvalidRequest('body must be a string')
  }
  return {
    method,
    target,
    headers: readHeaders(headers),
    body: body === undefined ? undefined : Buffer.from(body)
  }
}

function readHeaders(given: unknown): HeaderLine[] {
  if (!isObject(given)) throw new InvalidRequest('headers must be an object of strings')
  return Object.entries(given).map(([name, value]) => {
    if (typeof value === 'string') return [name, value]
    throw new InvalidRequest('headers must be an object of strings')
  })
}
