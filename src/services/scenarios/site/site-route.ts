import type { IncomingMessage } from 'node:http'
import type { ScenarioContext } from '../context.ts'
import type { ApiResponse } from '../http/response.ts'
import type { ScenarioTarget } from '../http/scenario-target.ts'

/** A request for something outside `/api`. */
export interface SiteRequest {
  readonly context: ScenarioContext
  readonly request: IncomingMessage
  /** HEAD counts as GET. */
  readonly method: string
  readonly target: ScenarioTarget
}

export interface SiteRoute {
  readonly handle: (call: SiteRequest) => Promise<ApiResponse>
  /** Pages of any origin may read the response. */
  readonly isOpen?: true
}
