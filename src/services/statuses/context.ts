import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Images } from '../../kernel/images/images.ts'
import type { PreparedResponse } from '../../kernel/prepared-response.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Form } from './http/negotiation.ts'
import type { Posting } from './posting/posting.ts'
import type { StatusOptions } from './settings.ts'
import type { StatusStore } from './store/store.ts'

/** Dependencies of the request handlers. */
export interface StatusContext {
  readonly kernel: Kernel
  readonly options: StatusOptions
  readonly store: StatusStore
  /** Folder of uploads that are being received or imported; emptied at the start. */
  readonly uploadFolder: string
  /** Loaded at first use. */
  readonly images: () => Promise<Images>
  /** Loaded at first use. */
  readonly posting: () => Promise<Posting>
  /** Changes with everything that clients see; older responses are not kept. */
  readonly generation: () => number
  /** When something that clients see was changed last; at the start the pages may have changed. */
  readonly lastModified: () => Promise<Date>
}

/** A request, and what handlers need to know of it. */
export interface StatusRequest {
  readonly path: string
  readonly query: URLSearchParams
  readonly baseUrl: string
  readonly form: Form
}

/** What is sent. */
export type StatusResponse =
  /** It is kept for requests without a query if the path decides alone. */
  | { kind: 'prepared'; response: PreparedResponse; isKept: boolean }
  /** A path from stored data, below the base URL. */
  | { kind: 'redirect'; path: string }
  | { kind: 'notFound' }
  /** A post that was public and is deleted. */
  | { kind: 'gone' }
  | { kind: 'media'; send: SendMedia }

export type SendMedia = (request: IncomingMessage, response: ServerResponse) => Promise<void>

export type Handler = (
  context: StatusContext,
  request: StatusRequest,
  params: Readonly<Record<string, string>>
) => Promise<StatusResponse>
