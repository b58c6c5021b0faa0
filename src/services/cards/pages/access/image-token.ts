import type { CardContext } from '../../context.ts'
import { createImageOnlyToken } from '../../http/preview-token.ts'
import type { PageRequest } from '../page-request.ts'

const HOUR_S = 3600
/** As long as a session at most. */
const LIFETIME_S = 24 * HOUR_S

/**
 * For the URLs of images on a member's page: images of drafts are not public, and the session is
 * not accepted there. The same for an hour, so that browsers can keep the images.
 */
export function createImageToken(
  context: Pick<CardContext, 'kernel' | 'signing'>,
  board: string
): Promise<string> {
  const seconds = context.kernel.now().getTime() / 1000
  const expiresAt = Math.ceil(seconds / HOUR_S) * HOUR_S + LIFETIME_S
  return createImageOnlyToken(context, { board, card: undefined, expiresAt })
}

/** Of the page's reader: that of the preview link, or one for a signed-in member. */
export async function imageTokenFor(
  context: Pick<CardContext, 'kernel' | 'signing'>,
  { viewer, signedIn, token }: Pick<PageRequest, 'viewer' | 'signedIn' | 'token'>,
  board: string
): Promise<string | undefined> {
  return viewer === signedIn?.viewer ? createImageToken(context, board) : token
}
