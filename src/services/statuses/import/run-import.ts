import { UserError } from '../../../kernel/errors.ts'
import { Reasons } from '../../../kernel/exchange/reasons.ts'
import { openArchive } from './archive/open-archive.ts'
import type { ConsoleClient } from './console-client.ts'
import { fitAccount, fitPost } from './fit-limits.ts'
import { readItems } from './json/read-items.ts'
import { openMastodonSource } from './mastodon/source.ts'
import { MediaUploads } from './media-uploads.ts'
import type { ImportOptions } from './options.ts'
import type { ParsedAccount, ParsedPost, PostSource } from './parsed.ts'
import { PostBatches } from './post-batches.ts'
import type { ImportedAccount } from './protocol.ts'
import type { ImportReport } from './report.ts'
import { reasonToSkip } from './select.ts'
import { openXSource } from './x/source.ts'

/**
 * Imports the parts of one archive. All posts are read once before the first is sent, so that
 * nothing is stored of an archive that is damaged.
 */
export async function runImport(
  paths: readonly string[],
  options: ImportOptions,
  client: ConsoleClient,
  show: (done: number, total: number) => void
): Promise<ImportReport> {
  await using archive = await openArchive(paths)
  if (archive.kind === 'nonet') {
    const { importExport } = await import('./nonet/import-export.ts')
    // The archive is open until it is imported.
    return await importExport(archive, options, client, show)
  }
  const open = archive.kind === 'x' ? openXSource : openMastodonSource
  const source = await open(archive, options)
  await inspectAll(source)
  const { dryRun } = options
  const media = new MediaUploads(client, dryRun)
  const account = await toImported(fitAccount(source.account), media)
  const { id } = await client.sendAccount({ account, newAccount: options.newAccount, dryRun })
  const skipped = new Reasons()
  const hidden = new Reasons()
  const batches = new PostBatches({ account: id, dryRun }, client, media, skipped)
  for await (const { post, raw } of selectPosts(source, options, skipped, show)) {
    const reason = reasonToHide(post, source, options)
    if (reason !== undefined) hidden.add(reason, post.id)
    await batches.add(post, reason === undefined ? 'public' : 'hidden', raw)
  }
  await batches.flush()
  if (!dryRun) await client.end({ account: id })
  const { added, updated, unchanged } = batches
  const { uploaded, stored, missing } = media
  return {
    ...{ account: account.userName, dryRun, added, updated, unchanged },
    ...{ skipped: skipped.list, hidden: hidden.list },
    media: { uploaded, stored, missing: missing.list },
    warnings: source.warnings()
  }
}

async function inspectAll(source: PostSource): Promise<void> {
  let posts = 0
  for (const file of source.files) {
    for await (const item of readItems(file.entry, file.array)) {
      source.inspect(item, file)
      posts++
    }
  }
  if (posts === 0) throw new UserError('The archive has no posts; there is nothing to import')
}

async function toImported(
  { avatar, header, ...account }: ParsedAccount,
  media: MediaUploads
): Promise<ImportedAccount> {
  const images = { avatar: await media.storeOne(avatar), header: await media.storeOne(header) }
  return {
    ...account,
    ...(images.avatar !== undefined && { avatar: images.avatar }),
    ...(images.header !== undefined && { header: images.header })
  }
}

/** The posts that the options do not leave out. */
async function* selectPosts(
  { files, parse }: PostSource,
  options: ImportOptions,
  skipped: Reasons,
  show: (done: number, total: number) => void
): AsyncGenerator<{ post: ParsedPost; raw: string }> {
  const total = files.reduce((sum, { entry }) => sum + entry.size, 0)
  let before = 0
  for (const file of files) {
    for await (const item of readItems(file.entry, file.array)) {
      const post = parse(item, file)
      const reason = 'skipped' in post ? post.skipped : reasonToSkip(post, options)
      if (reason !== undefined) skipped.add(reason, post.id)
      if (reason === undefined && !('skipped' in post))
        yield { post: fitPost(post), raw: item.text }
      show(before + item.end, total)
    }
    before += file.entry.size
    show(before, total)
  }
}

function reasonToHide(
  post: ParsedPost,
  source: PostSource,
  options: ImportOptions
): string | undefined {
  if (post.hiddenBecause !== undefined) return post.hiddenBecause
  if (options.visibility === 'hidden') return 'because of --visibility hidden'
  const isProtected = source.hiddenBecause !== undefined && !options.isPublicConfirmed
  return isProtected ? `because ${source.hiddenBecause}; publish them with --public` : undefined
}
