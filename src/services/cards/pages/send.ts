import type { ServerResponse } from 'node:http'
import { COMMON_HEADERS, JSON_TYPE } from '../contract.ts'

export type Send = (reply: ServerResponse) => Promise<void>

export function sending(
  status: number,
  headers: Readonly<Record<string, string | number>>,
  text = ''
): Send {
  const length = { 'content-length': Buffer.byteLength(text) }
  return async (reply) => {
    reply.writeHead(status, { ...headers, ...(status !== 304 && length) }).end(text)
  }
}

/** For scripts of pages, which are of the same origin: other sites may not read it. */
export function sendingJson(
  status: number,
  value: object,
  headers: Readonly<Record<string, string>> = {}
): Send {
  const own = {
    'content-type': JSON_TYPE,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff'
  }
  return sending(status, { ...own, ...headers }, JSON.stringify(value))
}

/** Relative to the page, so that it works behind proxies that remove a part of the path. */
export function redirecting(
  status: 301 | 303,
  location: string,
  headers: Readonly<Record<string, string>> = {}
): Send {
  return sending(status, { ...COMMON_HEADERS, 'cache-control': 'no-store', ...headers, location })
}
