import type { BasePath } from '../routing/mount.ts'

/** How an engine behaves; plain data, whoever sets it. */
export interface EngineOptions {
  /** Response violations become 500; in front of an upstream, request violations 401 and 422. */
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
  /** Larger bodies are refused; in front of an upstream they pass unvalidated. */
  maxBodyBytes: number
}

export interface Upstream {
  url: URL
  /** An HTTP proxy on the way to it, perhaps with credentials. */
  proxy: string | undefined
  /** From the last byte of the request to the first of the answer. */
  timeoutMs: number
  /** An answer is kept back no longer than this to be judged as a whole. */
  maxHoldMs: number
  /** Statuses of the upstream that are answered by the mock instead. */
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
  maxBodyBytes: 10 * MEGABYTE
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
