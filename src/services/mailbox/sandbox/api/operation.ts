import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../api/access.ts'
import type { MailboxContext } from '../../context.ts'

export interface OperationRequest {
  readonly caller: Caller
  readonly request: IncomingMessage
  /** To notice that the client is gone, and for downloads. */
  readonly response: ServerResponse
  /** Decoded parts of the path. */
  readonly params: Readonly<Record<string, string | undefined>>
}

/** Resolves to the JSON of the response. */
export type Operation = (context: MailboxContext, request: OperationRequest) => Promise<object>

/** Sends the response itself. */
export type Download = (context: MailboxContext, request: OperationRequest) => Promise<void>
