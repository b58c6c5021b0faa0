import { fetchTweet, getOEmbed, getTweet } from 'react-tweet/api'

const HOSTS = ['cdn.syndication.twimg.com', 'publish.twitter.com']

export const serverFunctions = { fetchTweet, getOEmbed, getTweet }

/** Their hosts cannot be configured: until disposal they lead to `url`, as in a hosts file. */
export function redirectHosts(url: string): Disposable {
  const { fetch } = globalThis
  globalThis.fetch = (input, init) => {
    const wanted = new URL(String(input))
    if (!HOSTS.includes(wanted.host)) throw new Error(`Unexpected host: ${wanted.host}`)
    return fetch(new URL(wanted.pathname + wanted.search, url), init)
  }
  return {
    [Symbol.dispose]() {
      globalThis.fetch = fetch
    }
  }
}
