type Awaitable<T> = T | Promise<T>

/** A request as a hook sees it. */
export interface HookRequest {
  method: string
  /** As sent, still percent-encoded, without the query. */
  path: string
  /** As sent, without the question mark. */
  query: string
  /** Names are in lower case. */
  headers: Record<string, string | string[]>
  /**
   * The value of a JSON body, a string, or bytes; undefined without a body, or if it exceeds 10
   * MiB. Setting it to `undefined` removes the body; `null` is the JSON null.
   */
  body?: unknown
  /** Operation id; undefined if the request matches no operation, or one without an id. */
  operationId?: string | undefined
}

/** A response that a hook receives or returns. */
export interface HookResponse {
  status: number
  headers: Record<string, string | string[]>
  body?: unknown
}

/** Exports of a module for `--hooks`: one of these functions or both. */
export interface Hooks {
  /**
   * Called before the request is validated. Change the request in place, or return another one, or
   * return a response, which is then sent without using the document or the upstream.
   */
  onRequest?: (
    request: HookRequest
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook need not return anything
  ) => Awaitable<HookRequest | HookResponse | undefined | void>
  /** Called before the response is validated. Change it in place, or return another one. */
  onResponse?: (
    response: HookResponse,
    request: HookRequest
    // biome-ignore lint/suspicious/noConfusingVoidType: a hook need not return anything
  ) => Awaitable<HookResponse | undefined | void>
}

export type HookName = keyof Hooks
export const HOOK_NAMES: readonly HookName[] = ['onRequest', 'onResponse']
