import type { OpenapiPart } from '../../../kernel/openapi.ts'
import type { HandlerName } from '../api/route-table.ts'
import { accountResponses } from './account-responses.ts'
import { controlResponses } from './control-responses.ts'
import { eventResponses } from './event-responses.ts'
import { messageResponses } from './message-responses.ts'
import { submitResponses } from './submit-responses.ts'

/** Of a request that succeeds. */
export interface DescribedResponse {
  readonly description: string
  readonly schema: OpenapiPart
  /** JSON by default. */
  readonly type?: string
  /** Of this route alone. */
  readonly errors?: OpenapiPart
}

/** A route without a response does not compile. */
export const RESPONSES: Readonly<Record<HandlerName, DescribedResponse>> = {
  ...accountResponses,
  ...messageResponses,
  ...submitResponses,
  ...controlResponses,
  ...eventResponses
}
