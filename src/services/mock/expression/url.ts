import type { Incoming } from '../message.ts'

/** As the client called it. */
export function urlOf({ headers, path, query }: Incoming): string {
  const search = query === '' ? '' : `?${query}`
  return `http://${headers.host ?? 'localhost'}${path}${search}`
}
