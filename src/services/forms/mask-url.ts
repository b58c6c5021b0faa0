/** Hides the path of a catch hook, because it is the credential. */
export function maskUrl(url: URL): string {
  return `${url.protocol}//${url.host}/…${url.href.slice(-4)}`
}
