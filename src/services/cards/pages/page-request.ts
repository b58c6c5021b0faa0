import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Viewer } from '../records/viewer.ts'
import type { SignedIn } from './access/signed-in.ts'

export interface ShownPage {
  readonly html: string
  readonly status?: number
  /** Those of public pages by default. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What a page sends: a page, a path below the root that has it, or a stream. */
export type PageOutcome =
  | ShownPage
  | { readonly redirect: string }
  | { readonly send: (reply: ServerResponse) => Promise<void> }

/** A request for a page, as its handler sees it. */
export interface PageRequest {
  /** Who reads. Of a signed-in browser it is the member, or anonymous on boards of others. */
  readonly viewer: Viewer
  /** Undefined for the public, and for programs that send a token with each request. */
  readonly signedIn: SignedIn | undefined
  /** Whether the page may have forms that change what it shows. */
  readonly canEdit: boolean
  /** Of a preview link: links to other pages and images have it too. */
  readonly token: string | undefined
  /** Segments of the path, decoded. */
  readonly names: readonly string[]
  /** Of the pattern in the table of pages, decoded. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  /** Path from the page to the root, without a trailing slash. */
  readonly root: string
  readonly baseUrl: string
  readonly raw: IncomingMessage
  /** URL for a form or script that posts to this path below the root; only with `signedIn`. */
  readonly action: (path: string) => string
}
