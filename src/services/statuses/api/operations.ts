import type { IncomingMessage } from 'node:http'
import { fingerprintOf, idempotencyKey } from '../../../kernel/idempotency.ts'
import type { StatusContext, StatusRequest } from '../context.ts'
import { IdempotencyKeyInvalid, PostUnknown } from '../contract.ts'
import type { ApiRoute } from '../http/route-table.ts'
import { prefixOf } from '../http/site.ts'
import { postPath } from '../pages/links.ts'
import { storeImages } from '../posting/store-images.ts'
import type { OwnPost } from '../records/own-post.ts'
import { ownRecordOf } from '../representations/json-record.ts'
import { readChange } from './read-change.ts'
import { readPage } from './read-page.ts'
import { type PostForm, withPostForm } from './read-post.ts'

export interface OperationRequest {
  /** Of the token. */
  account: string
  /** Empty for operations on all posts. */
  id: string
  raw: IncomingMessage
  request: StatusRequest
  /** Rejects if the token was revoked or has expired while the body was sent. */
  confirm: () => Promise<void>
}

export interface OperationResponse {
  status: number
  headers?: Readonly<Record<string, string>>
  body?: object
}

type Operation = (request: OperationRequest) => Promise<OperationResponse>

export function createOperations(
  context: StatusContext
): Readonly<Record<ApiRoute['name'], Operation>> {
  const { options, uploadFolder: folder } = context

  function shown(post: OwnPost | undefined, { request }: OperationRequest): OperationResponse {
    if (post === undefined) throw new PostUnknown()
    return { status: 200, body: ownRecordOf(post, request.baseUrl) }
  }

  return {
    async list({ account, request }) {
      const posting = await context.posting()
      const { posts, before } = await posting.list(account, readPage(request.query))
      const statuses = posts.map((post) => ownRecordOf(post, request.baseUrl))
      return { status: 200, body: { statuses, before: before ?? null } }
    },

    async create({ account, raw, request, confirm }) {
      const key = idempotencyKey(raw.headers, () => new IdempotencyKeyInvalid())
      const posting = await context.posting()
      return withPostForm(raw, { folder, ...options }, async (form) => {
        const post = { ...form.post, media: await storeImages(posting, form.images) }
        const fingerprint = fingerprintOf(contentOf(form))
        const once = key === undefined ? undefined : { key, fingerprint }
        await confirm()
        const { record, isReplayed } = await posting.create(account, post, once)
        const path = postPath(record.account.userName, record.id)
        const replayed: Record<string, string> = isReplayed ? { 'idempotent-replayed': 'true' } : {}
        return {
          status: 201,
          headers: { location: prefixOf(request.baseUrl) + path, ...replayed },
          body: ownRecordOf(record, request.baseUrl)
        }
      })
    },

    async show(operation) {
      const posting = await context.posting()
      return shown(await posting.find(operation.account, operation.id), operation)
    },

    async change(operation) {
      const { account, id, raw, confirm } = operation
      const posting = await context.posting()
      // A body is not read for a post that does not exist.
      if ((await posting.find(account, id)) === undefined) throw new PostUnknown()
      const change = await readChange(raw)
      await confirm()
      return shown(await posting.change(account, id, change), operation)
    },

    async remove({ account, id }) {
      const posting = await context.posting()
      const post = await posting.remove(account, id)
      if (post === undefined) throw new PostUnknown()
      const { visibility, restorableUntil } = post
      return { status: 200, body: { id, visibility, restorable_until: restorableUntil } }
    }
  }
}

/** What makes two requests the same. */
function contentOf({ post, images }: PostForm): string {
  const { text, inReplyTo, visibility, lang, sensitive } = post
  const files = images.map(({ sha256, alt }) => [sha256, alt])
  return JSON.stringify([text, inReplyTo, visibility, lang, sensitive, files])
}
