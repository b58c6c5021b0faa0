import { SITEMAP_PATH, sitemapPartPath } from '../feeds/sitemap.ts'
import { prefixOf } from '../http/site.ts'
import { ICON_PATH } from '../pages/layout.ts'
import { renderNotFound } from '../pages/not-found.ts'
import { readAccountPosts } from '../store/browse.ts'
import { type RedirectedAccount, redirectLines } from './redirects.ts'
import { browsed } from './tree-accounts.ts'
import type { TreeAccount, TreeContext } from './tree-context.ts'
import { pageFile, type TreeLine } from './tree-line.ts'

/** Posts with redirect rules of their own: four each, and hosts read some thousands. */
const MAX_REDIRECTED = 2_500
/** Posts per read. */
const GROUP = 100

export async function* rootFiles(tree: TreeContext): AsyncGenerator<TreeLine> {
  yield* browsed(tree, '/', pageFile('/'))
  yield { path: '404.html', text: renderNotFound(tree.site) }
  for (const path of ['/robots.txt', ICON_PATH, SITEMAP_PATH]) {
    yield* browsed(tree, path, path.slice(1))
  }
  yield* sitemapParts(tree)
  yield { path: '_redirects', text: await renderRedirects(tree) }
}

/** None if the sitemap is a single file. */
async function* sitemapParts(tree: TreeContext): AsyncGenerator<TreeLine> {
  for (let part = 0; ; part++) {
    const path = sitemapPartPath(part)
    let isFound = false
    for await (const file of browsed(tree, path, path.slice(1))) {
      isFound = true
      yield file
    }
    if (!isFound) return
  }
}

async function renderRedirects(tree: TreeContext): Promise<string> {
  const { site, accounts, context } = tree
  const [main, ...others] = accounts.toSorted((one, other) => other.posts - one.posts)
  if (main === undefined) return ''
  const posts: { userName: string; id: string }[] = []
  for (const other of others) {
    for await (const post of newestPosts(tree, other, MAX_REDIRECTED - posts.length)) {
      posts.push(post)
    }
  }
  const rules = {
    ...{ main: namesOf(main), others: others.map(namesOf) },
    ...{ prefix: prefixOf(site.baseUrl), status: context.options.redirectStatus }
  }
  return [...redirectLines(rules, posts)].join('')
}

function namesOf({ account, exported }: TreeAccount): RedirectedAccount {
  return {
    userName: account.userName,
    formerNames: exported.formerNames.map(({ userName }) => userName)
  }
}

async function* newestPosts(
  { context }: TreeContext,
  { account }: TreeAccount,
  most: number
): AsyncGenerator<{ userName: string; id: string }> {
  let before: string | undefined
  for (let left = most; left > 0; left -= GROUP) {
    const page = { limit: Math.min(left, GROUP), before }
    const { posts, next } = await context.store.read(() => readAccountPosts(account.id, page))
    for (const { id } of posts) yield { userName: account.userName, id }
    if (next === undefined) return
    before = next
  }
}
