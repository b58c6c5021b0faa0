import { UserError } from '../../../../kernel/errors.ts'
import type { Archive } from '../archive/open-archive.ts'
import { type JsonItem, readItems } from '../json/read-items.ts'
import type { ParsedItem, PostFile, PostSource, SourceOptions } from '../parsed.ts'
import { readAccount } from './account.ts'
import {
  isCommunityFile,
  type Manifest,
  postFilesOf,
  readManifests,
  readNeverIds
} from './data-files.ts'
import { MediaFiles } from './media.ts'
import { Notes } from './notes.ts'
import { type PostContext, parsePost, tweetId, tweetOf, versionsOf } from './post.ts'

/** Reads everything but the posts of an archive of X. */
export async function openXSource(archive: Archive, options: SourceOptions): Promise<PostSource> {
  const files = postFilesOf(archive, options.withCommunity)
  if (files.length === 0) {
    throw new UserError('The archive has no posts: none of its files is called tweets.js')
  }
  const manifests = await readManifests(archive)
  const account = await readAccount(archive, manifests, options)
  const names = [account.userName, ...account.formerNames.map(({ userName }) => userName)]
  const context: PostContext = {
    accountId: account.id,
    userName: account.userName,
    ownNames: new Set(names.map((name) => name.toLowerCase())),
    notes: await Notes.read(archive),
    media: new MediaFiles(archive),
    altTexts: options.altTexts
  }
  const posts = new XPosts(context, manifests, await readNeverIds(archive))
  return {
    account,
    files,
    hiddenBecause: (await wasProtected(archive)) ? 'the account was protected' : undefined,
    inspect: (item, file) => posts.inspect(item, file),
    warnings: () => posts.warnings(),
    parse: (item, file) => posts.parse(item, file)
  }
}

async function wasProtected(archive: Archive): Promise<boolean> {
  for (const entry of archive.find('protected-history.js')) {
    for await (const _ of readItems(entry)) return true
  }
  return false
}

class XPosts {
  readonly #context: PostContext
  readonly #never: ReadonlyMap<string, string>
  readonly #manifests: readonly Manifest[]
  /** Newest versions of edited posts that the archive has. */
  readonly #newest = new Set<string>()
  readonly #found = new Map<string, number>()

  constructor(
    context: PostContext,
    manifests: readonly Manifest[],
    never: ReadonlyMap<string, string>
  ) {
    this.#context = context
    this.#manifests = manifests
    this.#never = never
  }

  inspect({ value }: JsonItem, { entry }: PostFile): void {
    this.#found.set(entry.name, (this.#found.get(entry.name) ?? 0) + 1)
    const tweet = tweetOf(value)
    const versions = versionsOf(tweet)
    const id = tweetId(tweet)
    if (versions.length > 1 && id !== undefined && versions.at(-1) === id) this.#newest.add(id)
  }

  /** Compares the numbers of posts with those of the manifest. */
  warnings(): string[] {
    const wanted = new Map(this.#manifests.flatMap(({ counts }) => [...counts]))
    return [...wanted].flatMap(([name, count]) => {
      const found = this.#found.get(name)
      if (found === undefined) {
        return count === 0
          ? []
          : [`${name} with ${count} posts is missing; import again with all parts of the archive`]
      }
      return found < count ? [`${name} has ${found} of its ${count} posts`] : []
    })
  }

  parse({ value }: JsonItem, file: PostFile): ParsedItem {
    const tweet = tweetOf(value)
    const id = tweetId(tweet) ?? ''
    const never = this.#never.get(id)
    if (never !== undefined) return { id, skipped: never }
    const parsed = parsePost(tweet, this.#context)
    if ('skipped' in parsed) return parsed
    if (isCommunityFile(file)) return { ...parsed, hiddenBecause: 'posts of communities' }
    const newest = versionsOf(tweet).at(-1)
    const isOlder = newest !== undefined && newest !== id && this.#newest.has(newest)
    if (!isOlder) return parsed
    return { ...parsed, hiddenBecause: 'earlier versions of edited posts' }
  }
}
