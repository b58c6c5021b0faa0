import type { CardContext } from '../../context.ts'
import { createSignedUrl } from '../../files/signed-url.ts'
import type { AttachmentRow } from '../../store/rows.ts'
import type { PageRequest } from '../page-request.ts'

/** By id of the attachment; the session is no credential for downloads. */
export async function downloadUrls(
  context: CardContext,
  { root, signedIn }: Pick<PageRequest, 'root' | 'signedIn'>,
  board: string,
  attachments: readonly AttachmentRow[]
): Promise<ReadonlyMap<string, string>> {
  const urls = new Map<string, string>()
  if (signedIn === undefined) return urls
  const { viewer } = signedIn
  for (const { id, hash, image } of attachments) {
    if (hash === null || image !== null) continue
    const wanted = { viewer, board, attachment: id, expires: '24h', baseUrl: root }
    urls.set(id, (await createSignedUrl(context, wanted)).url)
  }
  return urls
}
