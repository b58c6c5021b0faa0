import type { IncomingMessage } from 'node:http'
import { isOwnCall } from '../../../kernel/forwarded.ts'
import type { Kernel } from '../../../kernel/service.ts'
import type { BoxSearch, ListedBox } from '../store/list-boxes.ts'
import type { BoxStore } from '../store/store.ts'

/** Boxes in the list beside a box. */
const LISTED = 25
const LISTED_ON_CONSOLE = 50

/**
 * Whether the request may see the ids of all boxes, as on the console: it is the operator's, it
 * names a known host, which protects from DNS rebinding, and nonet itself did not send it.
 * Pages have no CORS headers, so that pages of other origins cannot read them.
 */
export function isOperator(
  { isAdmin, isKnownHost }: Pick<Kernel, 'isAdmin' | 'isKnownHost'>,
  request: IncomingMessage
): boolean {
  const { headers } = request
  return isAdmin(request) && isKnownHost(headers.host ?? '') && !isOwnCall(headers)
}

export interface BoxIndexPage {
  readonly boxes: readonly ListedBox[]
  /** Id after which the next page begins; undefined on the last page. */
  readonly next: string | undefined
  readonly part: string
}

/**
 * Boxes for pages of the service. Private boxes are listed on the console only: on the URL of the
 * service a private box is the same as an unknown one to all who have no key for it.
 */
export function readBoxes(
  store: Pick<BoxStore, 'listBoxes'>,
  search: Partial<Pick<BoxSearch, 'part' | 'after'>> = {}
): Promise<BoxIndexPage> {
  return readPage(store, { part: '', after: '', ...search, limit: LISTED, withPrivate: false })
}

/** All boxes, for the console. */
export function readAllBoxes(
  store: Pick<BoxStore, 'listBoxes'>,
  search: Pick<BoxSearch, 'part' | 'after'>
): Promise<BoxIndexPage> {
  return readPage(store, { ...search, limit: LISTED_ON_CONSOLE, withPrivate: true })
}

async function readPage(
  store: Pick<BoxStore, 'listBoxes'>,
  search: BoxSearch
): Promise<BoxIndexPage> {
  const { part, limit } = search
  const found = await store.listBoxes({ ...search, limit: limit + 1 })
  const boxes = found.slice(0, limit)
  return { boxes, next: found.length > limit ? boxes.at(-1)?.id : undefined, part }
}
