/** One request as any runtime can describe it. */
export interface FormInput {
  rawBody: string | Uint8Array | null | undefined
  /** Set by function platforms that hand a body over as base64 text. */
  isBase64?: boolean | undefined
  method?: string | undefined
  contentType?: string | null | undefined
  origin?: string | null | undefined
  /** The caller's address, for the rate limit. */
  ip?: string | undefined
}

/** With nothing but `webhook` set, the answers are exactly the seed's. */
export interface FormConfig {
  /** A catch-hook address is a credential: take it from the environment, not the source. */
  webhook: string | undefined
  /** Sent to the webhook's own origin only. */
  webhookHeaders?: Readonly<Record<string, string>> | undefined
  /** For the webhook's answer, all redirects included. */
  timeoutMs?: number | undefined
  /** Of the request's body. */
  maxBytes?: number | undefined
  /** Origins whose pages may call the function and read its answer; `*` is any. */
  origins?: readonly string[] | undefined
  /** Refuses other origins with 403; a request without `Origin` passes. */
  enforceOrigin?: boolean | undefined
  /** A field people do not see: whoever fills it is thanked and nothing is forwarded. */
  honeypot?: string | undefined
  /** Standard Webhooks secret, or several separated by blanks while they rotate. */
  signingSecret?: string | undefined
  /** Takes URL-encoded and multipart posts of plain HTML forms besides JSON. */
  acceptForms?: boolean | undefined
  /** Where a plain HTML form post lands afterwards. */
  redirectSuccess?: string | undefined
  redirectError?: string | undefined
  /** Hosts besides the webhook's own to which 307 and 308 may send the form. */
  redirectHosts?: readonly string[] | undefined
}

export interface SendRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  timeoutMs: number
  maxBytes: number
}

/** A web `Response`, or as much of one as the function reads. */
export interface SendResponse {
  status: number
  ok: boolean
  headers: { get: (name: string) => string | null }
  text: () => Promise<string>
}

/** One exchange without redirects; a failure carries `code`, two of them TIMEOUT and TOO_LARGE. */
export type Send = (url: string, request: SendRequest) => Promise<SendResponse>

export interface FormDeps {
  send?: Send
  now?: () => Date
  /** Seconds this address has to wait; 0 lets it pass. */
  secondsToWait?: (ip: string) => number
}

export const DEFAULT_TIMEOUT_MS = 10_000
export const DEFAULT_MAX_BYTES = 64 * 1024
/** Of the webhook's answer. */
export const RESPONSE_MAX_BYTES = 1024 * 1024
