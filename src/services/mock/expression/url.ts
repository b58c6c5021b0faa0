import type { Incoming } from '../message.ts'

/** URL as requested by the client. */
export function urlOf({ headers, path, query }: Incoming): string {
  const search = query === '' ? '' : `?${query}`
  return `http://${headers.host ?? 'localhost'}${path}${search}`
}
