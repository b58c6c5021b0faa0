import { findImageType } from '../../../kernel/images/image-type.ts'
import { createSnowflake } from '../../../kernel/snowflake.ts'
import type { StatusContext } from '../context.ts'
import { FileRefused, FileUnknown, ReplyUnknown } from '../contract.ts'
import { readImage, storeImage } from '../receive/store-file.ts'
import { findEntities } from '../records/find-entities.ts'
import { isPostId } from '../records/post-id.ts'
import { timeInId } from '../records/sort-key.ts'
import { changePost, type PostEdit } from '../store/change-post.ts'
import { createPost } from '../store/create-post.ts'
import { readOwnPost, readOwnPosts } from '../store/own-posts.ts'
import { checkAlt, checkLang, checkText } from './check-post.ts'
import type { Posting } from './posting.ts'

/** What posting needs of the service. */
export interface PostingContext extends Pick<StatusContext, 'store' | 'images'> {
  kernel: Pick<StatusContext['kernel'], 'files' | 'now'>
  options: Pick<StatusContext['options'], 'maxTextLength'>
}

export function createPosting({ kernel, options, store, images }: PostingContext): Posting {
  const { files, now } = kernel
  // One worker for all processes: each id is greater than the newest stored one.
  const snowflake = createSnowflake({ now, worker: 0 })
  const ids = { next: snowflake.next, timeOf: timeInId }
  const time = () => now().toISOString()

  async function edit(account: string, id: string, change: PostEdit, frees: boolean) {
    if (!isPostId(id)) return undefined
    const changed = await store.change((at) => changePost(account, id, change, at), { frees })
    return changed.record
  }

  return {
    async addImage(content) {
      const bytes = await readImage(content)
      if (findImageType(bytes) === undefined) {
        throw new FileRefused('The file is not an image (JPEG, PNG, WebP, GIF, AVIF)')
      }
      const file = await storeImage(bytes, files, await images())
      await store.addUpload(file)
      return file
    },

    async create(account, post, once) {
      const { media, visibility = 'public', inReplyTo, lang, sensitive = false } = post
      const text = checkText(post.text, media.length, options.maxTextLength)
      for (const { alt } of media) checkAlt(alt)
      checkLang(lang)
      if (inReplyTo !== undefined && !isPostId(inReplyTo)) throw new ReplyUnknown()
      for (const { file } of media) {
        if ((await files.keep(file.hash)) === undefined) throw new FileUnknown(file.hash)
      }
      const entities = findEntities(text)
      const described = media.map(({ file, alt }) => ({ file, alt: alt || undefined }))
      const request = { account, text, entities, visibility, inReplyTo, lang, sensitive, once }
      return store.change((at) => createPost({ ...request, media: described }, ids, at))
    },

    list: (account, page) => store.read(() => readOwnPosts(account, page, time())),

    async find(account, id) {
      return isPostId(id) ? store.read(() => readOwnPost(account, id, time())) : undefined
    },

    change(account, id, { media = [], visibility, sensitive, lang }) {
      for (const { alt } of media) checkAlt(alt)
      checkLang(lang)
      const alts = new Map(media.map((medium) => [medium.id, medium.alt || null]))
      return edit(account, id, { visibility, alts, sensitive, lang }, visibility === 'hidden')
    },

    remove: (account, id) => edit(account, id, { visibility: 'deleted' }, true)
  }
}
