import type { IncomingMessage } from 'node:http'
import type { BaseUrl } from '../../kernel/base-url.ts'
import type { ErrorResponse } from '../../kernel/errors.ts'
import { isNavigation } from '../../kernel/navigation.ts'
import { parseRequestTarget } from '../../kernel/request-target.ts'
import {
  COMPACT_JSON,
  chooseRepresentation,
  prefersPage,
  type Representation
} from './negotiation.ts'
import { NO_PARAMETERS, type Parameters, parseParameters } from './query/parameters.ts'

/** A parsed GET request: base URL, query and representation. */
export interface ResourceRequest {
  readonly base: string
  /** Query string as sent, without the question mark. */
  readonly query: string
  readonly parameters: Parameters
  readonly form: Representation
}

export function parseResourceRequest(request: IncomingMessage, baseUrl: BaseUrl): ResourceRequest {
  const query = queryOf(request)
  const parameters = parseParameters(query)
  const form = chooseRepresentation(request.headers.accept, parameters)
  return { base: baseUrl(request), query, parameters, form }
}

/** A request without parameters, in the default representation. */
export function defaultResourceRequest(base: string): ResourceRequest {
  return { base, query: '', parameters: NO_PARAMETERS, form: COMPACT_JSON }
}

/**
 * The client chooses the format of an error as it chooses that of a record. Only people who open
 * the URL get a page for an error of the server.
 */
export function wantsErrorPage(request: IncomingMessage, { status }: ErrorResponse): boolean {
  const isPreferred = prefersPage(request.headers.accept, parseParameters(queryOf(request)))
  return isPreferred && (status < 500 || isNavigation(request))
}

function queryOf({ url = '' }: IncomingMessage): string {
  return parseRequestTarget(url).query
}
