/** `code` is TIMEOUT, TOO_LARGE, ADDRESS_REFUSED or a system code; no message names the target. */
export class OutboundError extends Error {
  readonly code: string

  constructor(code: string, options?: ErrorOptions) {
    super(`Outbound request failed (${code})`, options)
    this.name = 'OutboundError'
    this.code = code
  }
}

/** Codes of undici and zlib that have a name of their own here. */
const NAMES: Readonly<Record<string, string>> = {
  ERR_BUFFER_TOO_LARGE: 'TOO_LARGE',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT'
}

export function toOutboundError(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'UNKNOWN'
  return new OutboundError(NAMES[code] ?? code, { cause: error })
}
