type Awaitable<T> = T | Promise<T>

/** A request as a hook sees it. */
export interface HookRequest {
  method: string
  /** As sent, still percent-encoded, without the query. */
  path: string
  /** As sent, without the question mark. */
  query: string
  /** Names in lower case. */
  headers: Record<string, string | string[]>
  /**
   * The value of JSON, a text, else bytes; nothing without a body, or with one over 10 MiB.
   * Taken away (`undefined`), the request has none; `null` is the null of JSON.
   */
  body?: unknown
  /** Of the document; nothing when the request meets no operation, or one without a name. */
  operationId?: string | undefined
}

/** An answer as a hook sees it, or as it makes one. */
export interface HookResponse {
  status: number
  headers: Record<string, string | string[]>
  body?: unknown
}

/** What a module for `--hooks` exports, one of these or both. */
export interface Hooks {
  /**
   * Before the request is checked. Change it in place, or give back another one, or an answer,
   * which is then sent without asking the document or the upstream.
   */
  onRequest?: (
    request: HookRequest
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook need not return anything
  ) => Awaitable<HookRequest | HookResponse | undefined | void>
  /** Before the answer is checked. Change it in place, or give back another one. */
  onResponse?: (
    response: HookResponse,
    request: HookRequest
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook need not return anything
  ) => Awaitable<HookResponse | undefined | void>
}

export type HookName = keyof Hooks
export const HOOK_NAMES: readonly HookName[] = ['onRequest', 'onResponse']
