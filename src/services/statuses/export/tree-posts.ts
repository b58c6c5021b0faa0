import { renderEmbed } from '../pages/embed.ts'
import { mediaPath, postPath } from '../pages/links.ts'
import { renderPost } from '../pages/post.ts'
import { readView } from '../pages/read-view.ts'
import type { Post } from '../records/record.ts'
import { readPublicIds } from '../store/sitemap.ts'
import type { TreeContext } from './tree-context.ts'
import { pageFile, type TreeLine } from './tree-line.ts'

/** Ids per read. */
const GROUP = 200

/** Pages and media of all public posts, oldest first. */
export async function* postFiles({ context, site }: TreeContext): AsyncGenerator<TreeLine> {
  const { store } = context
  for (let after = ''; ; ) {
    const from = after
    const group = await store.read(() => readPublicIds(from, GROUP))
    for (const { id } of group) {
      const view = await store.read(() => readView(id, site.baseUrl))
      // Hidden or deleted since.
      if (view === undefined) continue
      const { post } = view
      const path = postPath(post.account.userName, post.id)
      yield* mediaFiles(post)
      yield { path: pageFile(path), text: renderPost(view, site), isPost: true }
      yield { path: pageFile(`${path}/embed`), text: renderEmbed(view, site) }
    }
    const last = group.at(-1)
    if (last === undefined || group.length < GROUP) return
    after = last.sortKey
  }
}

function* mediaFiles({ media }: Post): Generator<TreeLine> {
  for (const { hash, mediaType, posterHash, posterMediaType } of media) {
    yield { path: mediaPath(hash, mediaType).slice(1), hash }
    if (posterHash === undefined) continue
    yield { path: mediaPath(posterHash, posterMediaType).slice(1), hash: posterHash }
  }
}
