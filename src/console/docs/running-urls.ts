/** A service, or the console, of this process. */
export interface RunningUrl {
  /** The port that the documentation shows. */
  documentedPort: number
  /** As the reader reaches it, without a trailing slash. */
  url: string
  /** As this machine reaches it. */
  localUrl: string
}

const DOCUMENTED = /(https?:\/\/)?\b(?:127\.0\.0\.1|localhost):(4\d{3})(?!\d)/g

/**
 * Replaces the URLs of the default ports by those of this process. A host without a scheme, and all
 * URLs in the configuration of a proxy, are those of this machine; others are those of the reader.
 */
export function insertUrls(text: string, language: string, running: readonly RunningUrl[]): string {
  return text.replace(DOCUMENTED, (found: string, scheme: string | undefined, port: string) => {
    const service = running.find(({ documentedPort }) => documentedPort === Number(port))
    if (service === undefined) return found
    if (scheme === undefined) return new URL(service.localUrl).host
    return language === 'nginx' ? service.localUrl : service.url
  })
}
