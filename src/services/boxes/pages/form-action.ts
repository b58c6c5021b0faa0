import type { FastifyRequest } from 'fastify'
import type { BoxContext } from '../context.ts'
import type { PageRequest } from './page-request.ts'
import type { PageExtra } from './render-box.ts'

/** What a form asks for. */
export interface Submitted {
  readonly context: BoxContext
  readonly request: FastifyRequest
  readonly look: PageRequest
  readonly fields: URLSearchParams
  /** The part of the action after its name: a path or an id. */
  readonly object: string
}

/** What the page shows after an action: the page of `look`, or of a new URL without a message. */
export type ActionResult =
  | { readonly look: PageRequest; readonly extra: PageExtra }
  | { readonly done: Partial<PageRequest> }

export type Action = (submitted: Submitted) => Promise<ActionResult>
