const HOSTS = ['twitter.com', 'www.twitter.com', 'mobile.twitter.com', 'x.com', 'www.x.com']

/** The id in a URL of a post on twitter.com or x.com, under any of its forms. */
export function postIdInUrl(href: string): string | undefined {
  const url = URL.parse(href)
  if (url === null || !HOSTS.includes(url.host)) return undefined
  return /^\/(?:[^/]+\/|i\/web\/)?status(?:es)?\/([1-9]\d{0,18})\/?$/.exec(url.pathname)?.[1]
}
