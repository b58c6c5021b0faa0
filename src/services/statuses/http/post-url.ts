import { decodeSegment } from '../../../kernel/request-target.ts'
import { isPostId } from '../records/post-id.ts'
import { matchRoute, type RouteMatch } from './route-table.ts'

const ORIGINAL_HOSTS = new Set(
  ['twitter.com', 'x.com'].flatMap((host) => [host, `www.${host}`, `mobile.${host}`])
)

/**
 * The id in the path of a post. Undefined if it is not a valid id, or if the user name is not valid
 * percent-encoding; any other user name is accepted.
 */
export function postIdOf({ params }: RouteMatch): string | undefined {
  const { id = '', user = 'i' } = params
  return isPostId(id) && decodeSegment(user) !== undefined ? id : undefined
}

/** The id of the post that a URL of the original site or of this one leads to. */
export function linkedPostId(href: string, baseUrl: string): string | undefined {
  if (!URL.canParse(href)) return undefined
  const { protocol, host, hostname, pathname } = new URL(href)
  if (protocol !== 'http:' && protocol !== 'https:') return undefined
  const own = new URL(baseUrl)
  const prefix = host === own.host ? own.pathname.replace(/\/$/, '') : ''
  if (host !== own.host && !ORIGINAL_HOSTS.has(hostname)) return undefined
  const isBelow = pathname.startsWith(`${prefix}/`)
  const match = isBelow ? matchRoute(pathname.slice(prefix.length)) : undefined
  if (match?.name !== 'post' && match?.name !== 'medium' && match?.name !== 'embed')
    return undefined
  return postIdOf(match)
}
