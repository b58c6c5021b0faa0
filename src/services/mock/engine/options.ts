import type { BasePath } from '../routing/mount.ts'

/** Options of an engine. */
export interface EngineOptions {
  /** Response violations become 500; with an upstream, request violations become 401 or 422. */
  errors: boolean
  dynamic: boolean
  seed: string | undefined
  ignoreExamples: boolean
  fillProperties: boolean | undefined
  cors: boolean
  basePath: BasePath
  validateRequest: boolean
  validateSecurity: boolean
  validateResponse: boolean
  callbacks: boolean
  upstream: Upstream | undefined
  /** Larger bodies are rejected; with an upstream they are forwarded without validation. */
  maxBodyBytes: number
  /** Approximate memory for prepared operations; the least recently used ones are freed. */
  cacheBytes: number
}

export interface Upstream {
  url: URL
  /** URL of an HTTP proxy between nonet and the upstream; may contain credentials. */
  proxy: string | undefined
  /** From the last byte of the request to the first byte of the response. */
  timeoutMs: number
  /** Maximum time a response is buffered in order to be validated as a whole. */
  maxHoldMs: number
  /** Statuses of the upstream for which the mock responds instead. */
  mockedStatuses: readonly number[]
}

const MEGABYTE = 1024 * 1024

export const DEFAULT_OPTIONS: EngineOptions = {
  errors: false,
  dynamic: false,
  seed: undefined,
  ignoreExamples: false,
  fillProperties: undefined,
  cors: true,
  basePath: 'both',
  validateRequest: true,
  validateSecurity: true,
  validateResponse: true,
  callbacks: true,
  upstream: undefined,
  maxBodyBytes: 10 * MEGABYTE,
  cacheBytes: 64 * MEGABYTE
}

export function upstreamAt(url: URL, more: Partial<Upstream> = {}): Upstream {
  return {
    url,
    proxy: undefined,
    timeoutMs: 60_000,
    maxHoldMs: 5000,
    mockedStatuses: [501],
    ...more
  }
}
