import type { IncomingMessage, ServerResponse } from 'node:http'
import type { MailboxContext } from '../context.ts'
import type { Caller } from './caller.ts'
import type { Access, Action, Group } from './permissions.ts'

export type { Access, Action, Group }

/**
 * `here`: works. `later`: may follow. `never`: not planned. Routes that do not work respond 404 with
 * their sentence.
 */
export type Offer = 'here' | 'later' | 'never'

export interface ApiRoute {
  /** Of the handler and of the schemas. */
  readonly name: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** A segment after a colon is a parameter. */
  readonly pattern: string
  readonly access: Access
  readonly offer: Offer
  readonly group: Group
  readonly action: Action
  /** Summary in the OpenAPI document, or why the route is not offered. */
  readonly about: string
}

/** A checked request. */
export interface ApiRequest<Query = unknown, Body = unknown> {
  readonly caller: Caller
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** Decoded parts of the path. */
  readonly params: Readonly<Record<string, string>>
  /** Valid by the schema of the route; numbers and booleans are converted. */
  readonly query: Query
  /** Valid by the schema of the route; an empty object if the route has no body. */
  readonly body: Body
  /** Aborted when the client is gone or `timeoutMs` are over. */
  readonly signal: AbortSignal
  /** `x-ee-timeout`, or the default of commands. */
  readonly timeoutMs: number
}

/** The handler has sent the response. */
export const SENT = Symbol('sent')

/** Resolves to the JSON of the response. */
export type Handler<Query = unknown, Body = unknown> = {
  // A method, because its parameters are bivariant: handlers declare the types of their schemas.
  handle(context: MailboxContext, request: ApiRequest<Query, Body>): Promise<object | typeof SENT>
}['handle']

/** JSON Schemas of a route; without `body` the request must have no body. */
export interface InputSchemas {
  readonly query?: Readonly<Record<string, object>>
  /** Names of `query`. */
  readonly requiredQuery?: readonly string[]
  readonly body?: object
  readonly maxBodyBytes?: number
}
