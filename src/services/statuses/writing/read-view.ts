import type { FastifyRequest } from 'fastify'
import { serviceUrlFor } from '../../../kernel/base-url.ts'
import { formAction } from '../../../kernel/form-token.ts'
import type { StatusContext } from '../context.ts'
import type { Posting } from '../posting/posting.ts'
import type { Account } from '../records/record.ts'
import { listWriters, readWriter } from '../store/accounts.ts'
import type { ArchiveImports } from './archive-imports.ts'
import { type Filter, isFilter, isNote, type WritingView } from './view.ts'

/** Posts on a page. */
const PAGE_POSTS = 12
/** Accounts in the list; others are found by their name. */
const MAX_ACCOUNTS = 30
const CURSOR = /^\d{19}$/

export interface WritingContext {
  context: StatusContext
  posting: Posting
  imports: ArchiveImports
  prefix: string
}

/** What the URL of the page selects. */
export async function readView(
  request: FastifyRequest,
  { context, posting, imports, prefix }: WritingContext,
  writer?: Account
): Promise<WritingView> {
  const query = request.query as Readonly<Record<string, unknown>>
  const stringOf = (name: string) => (typeof query[name] === 'string' ? query[name] : undefined)
  const { kernel, store, options } = context
  const accounts = await store.read(() => listWriters(MAX_ACCOUNTS))
  const userName = stringOf('account')
  const named = userName && (await store.read(() => readWriter({ userName })))
  const account = writer ?? (named || accounts[0])
  const findPost = async (id: string | undefined) =>
    account && id ? posting.find(account.id, id) : undefined
  const filter = isFilter(query.show) ? query.show : 'all'
  const cursor = CURSOR.test(stringOf('before') ?? '') ? stringOf('before') : undefined
  const { posts, before } = await listPosts(posting, account, filter, cursor)
  const kind = isNote(query.note) ? query.note : undefined
  const replyTo = await findPost(stringOf('reply'))
  return {
    prefix,
    actionOf: (path) => formAction(request, prefix + path),
    site: serviceUrlFor(request, kernel.localUrl()),
    accounts:
      account && !accounts.some(({ id }) => id === account.id) ? [...accounts, account] : accounts,
    account,
    addsAccount: query.new === '1',
    newAccount: { userName: '', name: '' },
    draft: { text: '', visibility: 'public', sensitive: false },
    replyTo: replyTo?.visibility === 'deleted' ? undefined : replyTo,
    posts,
    before,
    cursor,
    filter,
    note: kind && {
      kind,
      post: await findPost(stringOf('post')),
      wasHidden: query.was === 'hidden'
    },
    error: undefined,
    maxTextLength: options.maxTextLength,
    maxArchiveBytes: options.maxArchiveBytes,
    job: imports.current()
  }
}

async function listPosts(
  posting: Posting,
  account: Account | undefined,
  filter: Filter,
  before: string | undefined
): Promise<Pick<WritingView, 'posts' | 'before'>> {
  if (account === undefined) return { posts: [], before: undefined }
  const visibility = filter === 'all' ? undefined : filter
  return posting.list(account.id, { limit: PAGE_POSTS, before, visibility })
}
