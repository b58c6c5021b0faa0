import type { ServerResponse } from 'node:http'
import type { CardContext, SectionRequest } from '../context.ts'
import {
  API_CACHE,
  COMMON_HEADERS,
  DATA_POLICY,
  JSON_TYPE,
  PermissionMissing,
  RouteUnknown
} from '../contract.ts'
import { resolveViewer } from '../http/credentials.ts'
import { writeJson } from '../http/write-json.ts'
import { wholeBoard } from './whole-board.ts'

const SUFFIX = /\.json$/i

/** Whether the path is `/b/<short link>.json` or `/b/<short link>/<slug>.json`. */
export function isBoardJson(segments: readonly string[]): boolean {
  const [first, ...rest] = segments
  return first === 'b' && (rest.length === 1 || rest.length === 2) && SUFFIX.test(rest.at(-1) ?? '')
}

/** A board with all that is on it; the public gets the published part of public boards. */
export async function serveBoardJson(
  context: CardContext,
  { raw, path, segments, query, baseUrl }: SectionRequest
): Promise<(reply: ServerResponse) => Promise<void>> {
  if (raw.method !== 'GET' && raw.method !== 'HEAD') throw new RouteUnknown(raw.method ?? '', path)
  const viewer = await resolveViewer(context, raw, query)
  if (viewer.kind === 'publishable') throw new PermissionMissing()
  const link = (segments[1] ?? '').replace(SUFFIX, '')
  const board = await wholeBoard(context.store, viewer, link, baseUrl)
  const body = await writeJson(board)
  return async (reply) => {
    reply
      .writeHead(200, {
        ...COMMON_HEADERS,
        ...DATA_POLICY,
        'content-type': JSON_TYPE,
        'cache-control': API_CACHE,
        'content-length': body.length
      })
      .end(body)
  }
}
