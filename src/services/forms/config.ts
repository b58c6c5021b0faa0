/** A request, independent of the runtime. */
export interface FormInput {
  rawBody: string | Uint8Array | null | undefined
  /** Set by function platforms that pass the body as a base64 string. */
  isBase64?: boolean | undefined
  method?: string | undefined
  contentType?: string | null | undefined
  origin?: string | null | undefined
  /** `Access-Control-Request-Method`, which only preflight requests have. */
  requestMethod?: string | null | undefined
  /** IP address of the client, for the rate limit. */
  ip?: string | undefined
}

/** With only `webhook` set, the responses are exactly those of the specification. */
export interface FormConfig {
  /** A catch-hook URL is a credential: read it from the environment, not from the source. */
  webhook: string | undefined
  /** Sent to the origin of the webhook only. */
  webhookHeaders?: Readonly<Record<string, string>> | undefined
  /** Timeout of the webhook, all redirects included. */
  timeoutMs?: number | undefined
  /** Maximum size of the request body. */
  maxBytes?: number | undefined
  /** Origins whose pages may call the function and read its response; `*` allows any. */
  origins?: readonly string[] | undefined
  /** Without `origins`, pages of this machine may call the function and read its response. */
  loopbackOrigins?: boolean | undefined
  /** Rejects other origins with 403; a request without `Origin` is accepted. */
  enforceOrigin?: boolean | undefined
  /** Fields that are forwarded after `email` and `fullName` if they are sent. */
  fields?: readonly string[] | undefined
  /** Field hidden from people: a request that fills it gets a success and is not forwarded. */
  honeypot?: string | undefined
  /** Standard Webhooks secret, or several separated by spaces during rotation. */
  signingSecret?: string | undefined
  /** Accepts URL-encoded and multipart posts of plain HTML forms in addition to JSON. */
  acceptForms?: boolean | undefined
  /** URL to redirect to after a plain HTML form post. */
  redirectSuccess?: string | undefined
  redirectError?: string | undefined
  /** Hosts other than the webhook's to which 307 and 308 may send the form. */
  redirectHosts?: readonly string[] | undefined
}

export interface SendRequest {
  method: string
  headers: Readonly<Record<string, string>>
  body: string | undefined
  timeoutMs: number
  maxBytes: number
}

/** The part of a web `Response` that is used. */
export interface SendResponse {
  status: number
  ok: boolean
  headers: { get: (name: string) => string | null }
  text: () => Promise<string>
}

/** Sends one request, without redirects. Errors have a `code`, such as TIMEOUT or TOO_LARGE. */
export type Send = (url: string, request: SendRequest) => Promise<SendResponse>

export interface FormDeps {
  send?: Send
  now?: () => Date
  /** Seconds that this IP address has to wait; 0 if the request is allowed. */
  secondsToWait?: (ip: string) => number
}

export const DEFAULT_TIMEOUT_MS = 10_000
export const DEFAULT_MAX_BYTES = 64 * 1024
/** Maximum size of the webhook's response. */
export const RESPONSE_MAX_BYTES = 1024 * 1024
