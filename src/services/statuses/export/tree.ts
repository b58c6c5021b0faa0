import type { StatusContext } from '../context.ts'
import { ExportInvalid } from '../contract.ts'
import { MAX_ACCOUNTS } from '../feeds/browse-sitemap.ts'
import { foldName } from '../records/user-name.ts'
import { readAccounts } from '../store/browse.ts'
import { readExportAccounts } from '../store/export-posts.ts'
import { accountFiles } from './tree-accounts.ts'
import type { TreeContext } from './tree-context.ts'
import type { TreeLine } from './tree-line.ts'
import { postFiles } from './tree-posts.ts'
import { rootFiles } from './tree-root.ts'

const MEDIA_FILE = /([0-9a-f]{64})(?:\.\w+)?$/
/** Files of the root, which no folder of an account may replace. */
const ROOT_NAME =
  /^(?:index\.html|404\.html|robots\.txt|sitemap(?:-\d+)?\.xml|favicon\.svg|_redirects)$/i

/** Throws if there is nothing to export or if a file would have the name of an account. */
export async function openTree(context: StatusContext, baseUrl: string): Promise<TreeContext> {
  const { store, options } = context
  const counted = await store.read(() => readAccounts(MAX_ACCOUNTS))
  const exported = new Map((await store.read(readExportAccounts)).map((one) => [one.id, one]))
  const accounts = counted.flatMap((one) => {
    const found = exported.get(one.account.id)
    return found === undefined ? [] : [{ ...one, exported: found }]
  })
  if (accounts.length === 0) throw new ExportInvalid('There are no public posts to export')
  const taken = accounts.find(({ account }) => ROOT_NAME.test(foldName(account.userName)))
  if (taken !== undefined) {
    throw new ExportInvalid(
      `A file of the tree has the name of the account ${taken.account.userName}`
    )
  }
  const files = accounts.flatMap(({ exported: { avatar, header } }) => [avatar, header])
  const paths = new Map(
    files.flatMap((file) => {
      const hash = MEDIA_FILE.exec(file ?? '')?.[1]
      return hash === undefined ? [] : [[hash, `/${file}`] as const]
    })
  )
  const site = { name: options.title ?? new URL(baseUrl).host, baseUrl, staticFiles: { paths } }
  return { context, site, accounts }
}

/** All files, in parts that are each read at once, so that memory is bounded. */
export async function* treeLines(tree: TreeContext): AsyncGenerator<string> {
  let posts = 0
  for await (const line of joined(tree)) {
    if ('isPost' in line) posts++
    yield `${JSON.stringify(line)}\n`
  }
  yield `${JSON.stringify({ end: { posts } } satisfies TreeLine)}\n`
}

async function* joined(tree: TreeContext): AsyncGenerator<TreeLine> {
  yield* postFiles(tree)
  yield* accountFiles(tree)
  yield* rootFiles(tree)
}
