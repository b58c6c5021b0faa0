import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Images } from '../../kernel/images/images.ts'
import type { Kernel } from '../../kernel/service.ts'
import type { Input } from './http/input.ts'
import type { Signing } from './http/signing.ts'
import type { PageAccess } from './pages/access/signed-in.ts'
import type { BoardStreams } from './pages/board/follower.ts'
import type { BoardImports } from './pages/import/import-job.ts'
import type { Identity } from './records/viewer.ts'
import type { CardOptions } from './settings.ts'
import type { CardStore } from './store/store.ts'

/** Dependencies of the request handlers. */
export interface CardContext {
  readonly kernel: Kernel
  readonly options: CardOptions
  readonly store: CardStore
  /** Folder of uploads that are being received or imported; emptied at the start. */
  readonly uploadFolder: string
  /** Loaded at first use. */
  readonly images: () => Promise<Images>
  /** Loaded at first use. */
  readonly signing: () => Promise<Signing>
  /** Sessions of signed-in browsers, loaded at first use. */
  readonly pageAccess: () => Promise<PageAccess>
  /** Loaded with the first stream. */
  readonly boardStreams: () => Promise<BoardStreams>
  /** Imports by upload, loaded at first use. */
  readonly boardImports: () => Promise<BoardImports>
  /** A new id of an object. */
  readonly nextId: () => string
  /** A new `cards.sort_key`. */
  readonly nextSortKey: () => string
}

/** A request of the compatible API. */
export interface ApiRequest extends Identity {
  /** Of the path, decoded. */
  readonly params: Readonly<Record<string, string>>
  /** Parameters of query and body. */
  readonly input: Input
  readonly baseUrl: string
  readonly raw: IncomingMessage
  /** Another GET route, below `/1`, for the same client; for batches. */
  readonly get: (target: string) => Promise<ApiResponse>
}

/** What is sent: a value as JSON, or a function that sends another response. */
export type ApiResponse =
  | { readonly body: unknown }
  | { readonly send: (reply: ServerResponse) => Promise<void> }

export type ApiHandler = (context: CardContext, request: ApiRequest) => Promise<ApiResponse>

/** A request of any route. */
export interface SectionRequest {
  /** Its `url` is that of the router. */
  readonly raw: IncomingMessage
  /** Path and query as they were sent. */
  readonly target: string
  readonly path: string
  /** Of the path, percent-encoded, without empty ones. */
  readonly segments: readonly string[]
  readonly query: URLSearchParams
  readonly baseUrl: string
}

/** Handles a group of routes: resolves to a function that sends, rejects with the error to send. */
export type Section = (request: SectionRequest) => Promise<(reply: ServerResponse) => Promise<void>>
