import type { ReadText } from './document/load.ts'
import type { RemoteFile } from './watch-remote.ts'

/** Adds what is read from URLs to a list, with a way to read it again. */
export function rememberRemote(
  readText: ReadText,
  remote: RemoteFile[],
  again: (url: URL) => Promise<string>
): ReadText {
  return async (url) => {
    const text = await readText(url)
    if (url.protocol === 'file:') return text
    const { digestOf } = await import('./watch-remote.ts')
    remote.push({ url, digest: digestOf(text), read: () => again(url) })
    return text
  }
}
