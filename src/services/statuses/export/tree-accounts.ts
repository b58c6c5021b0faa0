import { MONTH_POSTS } from '../pages/browse-account.ts'
import { feedPath, monthPath, pageBeforePath, profilePath } from '../pages/links.ts'
import { browse } from '../pages/routes-browse.ts'
import { readMonthPosts, readMonths } from '../store/browse.ts'
import type { TreeAccount, TreeContext } from './tree-context.ts'
import { pageFile, type TreeLine } from './tree-line.ts'

/** Profiles, months, feeds and pictures of all accounts. */
export async function* accountFiles(tree: TreeContext): AsyncGenerator<TreeLine> {
  const { store } = tree.context
  for (const one of tree.accounts) {
    const { userName, id } = one.account
    const { avatar, header } = one.exported
    for (const file of [avatar, header]) {
      if (file !== undefined) yield { path: file, hash: hashOf(file) }
    }
    yield* browsed(tree, profilePath(userName), pageFile(profilePath(userName)))
    for (const format of ['xml', 'json'] as const) {
      const path = feedPath(userName, format)
      yield* browsed(tree, path, path.slice(1))
    }
    for (const { month, posts } of await store.read(() => readMonths(id))) {
      yield* monthFiles(tree, one, month, posts)
    }
  }
}

function hashOf(file: string): string {
  return /[0-9a-f]{64}/.exec(file)?.[0] ?? ''
}

async function* monthFiles(
  tree: TreeContext,
  { account }: TreeAccount,
  month: string,
  posts: number
): AsyncGenerator<TreeLine> {
  const path = monthPath(account.userName, month)
  yield* browsed(tree, path, pageFile(path))
  let before: string | undefined
  for (let shown = MONTH_POSTS; shown < posts; shown += MONTH_POSTS) {
    const page = { limit: MONTH_POSTS, before }
    before = (await tree.context.store.read(() => readMonthPosts(account.id, month, page))).next
    if (before === undefined) return
    yield* browsed(tree, path, pageFile(pageBeforePath(path, before)), { before })
  }
}

/** What the running service shows at the path. */
export async function* browsed(
  tree: Pick<TreeContext, 'context' | 'site'>,
  path: string,
  file: string,
  query: Record<string, string> = {}
): AsyncGenerator<TreeLine> {
  const { context, site } = tree
  const found = await browse(context.store, { path, query: new URLSearchParams(query), site })
  if (found?.kind === 'content') yield { path: file, text: found.body }
  else if (found?.kind === 'redirect') yield* browsed(tree, found.path, file)
}
