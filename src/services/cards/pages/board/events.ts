import { lastEventId } from '../../../../kernel/event-stream.ts'
import type { CardContext } from '../../context.ts'
import { PermissionMissing } from '../../contract.ts'
import { findBoard } from '../../store/find.ts'
import type { PageOutcome, PageRequest } from '../page-request.ts'
import { requireLink } from '../read-pages.ts'
import type { Follower } from './follower.ts'

/**
 * `/b/:board/-/events`: events with the revision of the board as their id. `Last-Event-ID`, or
 * `since` for the first connection of a page, is the revision that the client shows.
 */
export async function boardEvents(
  context: CardContext,
  request: PageRequest
): Promise<PageOutcome> {
  const { viewer, params, query, raw } = request
  const link = requireLink(params.board)
  const board = await context.store.read(() => findBoard(viewer, link))
  const follower: Follower = {
    board: board.id,
    isMember: viewer.kind === 'member',
    isValid: await validity(context, request),
    since: lastEventId(raw.headers) ?? query.get('since') ?? undefined
  }
  const streams = await context.boardStreams()
  streams.requireSpace(follower)
  return {
    async send(reply) {
      await streams.open(follower, reply)
      if (request.signedIn === undefined || !follower.isMember) return
      const access = await context.pageAccess()
      access.streams.add(request.signedIn.session, reply)
    }
  }
}

/** Keys of web pages and previews cannot follow: a stream would not notice their end. */
async function validity(
  { kernel, pageAccess }: CardContext,
  { viewer, signedIn }: PageRequest
): Promise<Follower['isValid']> {
  if (viewer.kind === 'anonymous') return async () => true
  if (viewer.kind !== 'member') throw new PermissionMissing()
  if (signedIn === undefined) {
    return async () => (await kernel.credentials.find(viewer.tokenId)) !== undefined
  }
  const access = await pageAccess()
  return () => access.isValid(signedIn)
}
