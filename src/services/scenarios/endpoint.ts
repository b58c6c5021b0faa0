import type { Outcome } from './answer.ts'
import type { Call } from './call.ts'

export type Endpoint = (call: Call) => Promise<Outcome>

/** What an address below `/api` leads to. */
export interface Route {
  /** One name for all addresses of a kind, by which calls are counted: `/api/users/{id}`. */
  readonly pattern: string
  readonly endpoint: Endpoint
  /** A login or register: the body may carry tags, and every refusal has one status. */
  readonly isLogin?: true
  /** Takes an `Idempotency-Key`. */
  readonly isWrite?: true
  /** A record or a list of them, which data scenarios are about. */
  readonly isResource?: true
  /** The endpoint reads the body by itself. */
  readonly streamsBody?: true
  /** Browsers may send credentials here, so the origin is named instead of `*`. */
  readonly takesCookies?: true
}
