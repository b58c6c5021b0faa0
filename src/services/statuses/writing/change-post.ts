import { FieldInvalid, PostUnknown } from '../contract.ts'
import type { PostChange, Posting } from '../posting/posting.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { NoteKind, PageQuery } from './view.ts'

const NOTES: Readonly<Record<string, NoteKind>> = {
  show: 'shown',
  hide: 'hidden',
  delete: 'deleted',
  describe: 'described'
}

/** Does what a button of a post says; returns the note for the page that follows. */
export async function changePost(
  posting: Posting,
  account: string,
  id: string,
  fields: URLSearchParams
): Promise<PageQuery> {
  const action = fields.get('do') ?? ''
  const note = Object.hasOwn(NOTES, action) ? NOTES[action] : undefined
  if (note === undefined) throw new FieldInvalid('do', 'show, hide, delete or describe')
  const before = await posting.find(account, id)
  if (before === undefined) throw new PostUnknown()
  const after =
    action === 'delete'
      ? await posting.remove(account, id)
      : await posting.change(account, id, changeOf(action, before, fields.getAll('alt')))
  if (after === undefined) throw new PostUnknown()
  const was = note === 'deleted' && before.visibility === 'hidden' ? 'hidden' : undefined
  return { note, post: id, was }
}

function changeOf(action: string, { media }: OwnPost, alts: readonly string[]): PostChange {
  if (action === 'show') return { visibility: 'public' }
  if (action === 'hide') return { visibility: 'hidden' }
  if (alts.length !== media.length) {
    throw new FieldInvalid('alt', 'sent once for each image')
  }
  return { media: media.map(({ hash }, index) => ({ id: hash, alt: alts[index]?.trim() || null })) }
}
