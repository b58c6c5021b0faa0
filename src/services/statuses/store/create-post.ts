import { query, type Transaction } from '../../../kernel/database/transaction.ts'
import { ReplyUnknown } from '../contract.ts'
import type { ImportedPost, StoredFile } from '../import/protocol.ts'
import { digestOf } from '../records/digest.ts'
import type { OwnPost } from '../records/own-post.ts'
import type { Entity } from '../records/record.ts'
import { erasePosts } from './erase-posts.ts'
import { applyChanges } from './import-posts.ts'
import { readOwnPost } from './own-posts.ts'
import { freeSortKeys } from './plan-import.ts'
import { findCreated, type Once, rememberCreated } from './post-keys.ts'
import { bumpRevision } from './revision.ts'

export interface CreateRequest {
  account: string
  text: string
  entities: readonly Entity[]
  visibility: 'public' | 'hidden'
  /** Id of a public post, or of a post of the account. */
  inReplyTo: string | undefined
  lang: string | undefined
  sensitive: boolean
  /** Files that are stored already. */
  media: readonly { file: StoredFile; alt: string | undefined }[]
  once: Once | undefined
}

export interface Created {
  record: OwnPost
  /** The post was created by an earlier request with the same key. */
  isReplayed: boolean
  isVisible: boolean
}

/** Ids with their times. */
export interface PostIds {
  /** Greater than all before. */
  next: (after: string | undefined) => string
  timeOf: (id: string) => string
}

export function* createPost(
  request: CreateRequest,
  ids: PostIds,
  time: string
): Transaction<Created> {
  const { account, once, visibility } = request
  yield* erasePosts(time)
  const earlier = once && (yield* findCreated(account, once, time))
  if (earlier !== undefined) return { record: earlier, isReplayed: true, isVisible: false }
  const replyTo = yield* readParent(account, request.inReplyTo)
  const id = yield* freeId(ids)
  const createdAt = ids.timeOf(id)
  const post = postOf(request, id, createdAt, replyTo)
  const keys = yield* freeSortKeys([post])
  const change = { post, digest: digestOf(post), stored: undefined, visibility }
  yield* applyChanges(account, [{ ...change, sortKey: keys.get(id) ?? '' }], time)
  const isVisible = visibility === 'public'
  if (isVisible) yield* bumpRevision(time)
  const record = yield* readOwnPost(account, id, time)
  if (record === undefined) throw new Error(`The post ${id} was not stored`)
  if (once !== undefined) yield* rememberCreated(once, record, time)
  return { record, isReplayed: false, isVisible }
}

interface Parent {
  id: string
  userName: string
}

/** Throws if it is neither public nor of the account. */
function* readParent(account: string, id: string | undefined): Transaction<Parent | undefined> {
  if (id === undefined) return undefined
  const [row] = yield* query<{ user_name: string }>(
    `select a.user_name from posts p join accounts a on a.id = p.account
     where p.id = ? and (p.visibility = 'public' or (p.visibility = 'hidden' and p.account = ?))`,
    ...[id, account]
  )
  if (row === undefined) throw new ReplyUnknown()
  return { id, userName: row.user_name }
}

/**
 * Greater than those of all posts that were written here, also by other processes and before a
 * restart: the sort keys of these posts are in the order of their ids.
 */
function* freeId({ next }: PostIds): Transaction<string> {
  const [newest] = yield* query<{ id: string }>(
    "select id from posts where source = 'local' order by sort_key desc limit 1"
  )
  let id = nextAfter(next, newest?.id)
  while ((yield* query('select 1 as found from posts where id = ?', id)).length > 0) id = next(id)
  return id
}

/** An import can bring an id that none can follow; the ids of this process still grow then. */
function nextAfter(next: PostIds['next'], newest: string | undefined): string {
  try {
    return next(newest)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return next(undefined)
  }
}

function postOf(
  request: CreateRequest,
  id: string,
  createdAt: string,
  replyTo: Parent | undefined
): ImportedPost {
  const { text, entities, visibility, lang, sensitive, media } = request
  return {
    id,
    visibility,
    kind: replyTo === undefined ? 'post' : 'reply',
    text,
    entities,
    createdAt,
    media: media.map(({ file, alt }) => ({
      type: 'photo',
      file,
      width: file.width,
      height: file.height,
      sourceKey: '',
      ...(alt !== undefined && { alt })
    })),
    counts: { likes: null, reposts: null, replies: null, quotes: null },
    sensitive,
    source: 'local',
    ...(lang !== undefined && { lang }),
    ...(replyTo !== undefined && { replyTo })
  }
}
