import { monthPath, postPath, profilePath } from '../pages/links.ts'

/** An account with public posts. */
export interface RedirectedAccount {
  userName: string
  /** In lower case. */
  formerNames: readonly string[]
}

export interface RedirectRules {
  /** The account with the most posts: other names lead there unless a rule says otherwise. */
  main: RedirectedAccount
  others: readonly RedirectedAccount[]
  /** Path of the base URL, without a slash at its end. */
  prefix: string
  status: string
}

/** Paths of a post after `/:user/status/:id` that lead to its page. */
const ENDINGS = [
  ...['history', 'likes', 'retweets', 'quotes', 'analytics'],
  ...['photo/:position', 'video/:position']
]

/**
 * Lines of a `_redirects` file, which Netlify, Cloudflare Pages and GitLab Pages read: the first
 * rule that matches counts. Rules without parameters come first, as Cloudflare wants. Some hosts
 * apply rules also to paths that have a file; the rules with status 200 show it.
 */
export function* redirectLines(
  { main, others, prefix, status }: RedirectRules,
  postsOfOthers: readonly { userName: string; id: string }[]
): Generator<string> {
  const rule = (from: string, to: string, code = status) =>
    `${prefix}${from} ${prefix}${to} ${code}\n`
  const show = (path: string) => rule(path, path, '200')
  const all = [main, ...others]
  for (const { name, userName } of namesOf(all)) yield rule(`/${name}`, profilePath(userName))
  for (const { userName, id } of postsOfOthers) {
    yield show(postPath(userName, id))
    yield show(`${postPath(userName, id)}/embed`)
  }
  for (const { name, userName } of namesOf(all)) {
    yield rule(`/${name}/archive/:year/:month`, monthPath(userName, ':year-:month'))
    for (const feed of ['feed.xml', 'feed.json']) {
      yield rule(`/${name}/${feed}`, `${profilePath(userName)}/${feed}`)
    }
  }
  // With several accounts a second rule finds the author.
  const target = postPath(others.length === 0 ? main.userName : 'i', ':id')
  for (const from of ['/status/:id', '/statuses/:id', '/i/web/status/:id']) yield rule(from, target)
  for (const from of ['/:user/statuses/:id', '/:user/thread/:id']) yield rule(from, target)
  for (const ending of ENDINGS) yield rule(`/:user/status/:id/${ending}`, target)
  for (const kind of ['photo', 'video']) {
    yield rule(`/:user/statuses/:id/${kind}/:position`, target)
  }
  for (const { userName, id } of postsOfOthers) {
    yield rule(postPath(':user', id), postPath(userName, id))
    yield rule(`${postPath(':user', id)}/embed`, `${postPath(userName, id)}/embed`)
  }
  const own = postPath(main.userName, ':id')
  yield show(own)
  yield show(`${own}/embed`)
  yield rule(postPath(':user', ':id'), own)
  yield rule(`${postPath(':user', ':id')}/embed`, `${own}/embed`)
}

/** Names before the current one, and `@` before it; a current name is of its account only. */
function* namesOf(
  accounts: readonly RedirectedAccount[]
): Generator<{ name: string; userName: string }> {
  const current = new Set(accounts.map(({ userName }) => userName.toLowerCase()))
  const used = new Set<string>()
  for (const { userName, formerNames } of accounts) {
    const lower = userName.toLowerCase()
    const cases = lower === userName ? [] : [lower]
    const former = formerNames.filter((name) => !current.has(name))
    for (const name of [`@${userName}`, ...cases, ...former]) {
      if (!used.has(name)) yield { name, userName }
      used.add(name)
    }
  }
}
