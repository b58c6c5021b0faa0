import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import { Reasons } from '../../../../kernel/exchange/reasons.ts'
import type { ExportedAccount, ExportedMedium, ExportedPost } from '../../records/exported.ts'
import { foldName } from '../../records/user-name.ts'
import { NO_ALT_TEXTS } from '../alt-texts.ts'
import type { Archive } from '../archive/open-archive.ts'
import type { ConsoleClient } from '../console-client.ts'
import { MediaUploads } from '../media-uploads.ts'
import type { ImportOptions } from '../options.ts'
import type { ParsedMedium, ParsedPost } from '../parsed.ts'
import { PostBatches } from '../post-batches.ts'
import type { ImportedAccount } from '../protocol.ts'
import type { ImportReport } from '../report.ts'
import { reasonToSkip } from '../select.ts'
import { checkExport, openExportFile } from './check-export.ts'

/** Imports what `nonet export` wrote, with all its accounts. */
export async function importExport(
  archive: Archive,
  options: ImportOptions,
  client: ConsoleClient,
  show: (done: number, total: number) => void
): Promise<ImportReport> {
  checkOptions(options)
  const file = openExportFile(archive)
  const accounts = await checkExport(file, archive)
  if (accounts.length === 0) throw new UserError('The export has no account to import')
  const { dryRun, newAccount } = options
  // A name that is taken is found before anything is stored.
  for (const { avatar, header, ...account } of accounts) {
    await client.sendAccount({ account, newAccount, dryRun: true })
  }
  const media = new MediaUploads(client, dryRun)
  const skipped = new Reasons()
  const hidden = new Reasons()
  const counts = { added: 0, updated: 0, unchanged: 0 }
  let batches: PostBatches | undefined

  async function finish(): Promise<void> {
    await batches?.flush()
    for (const key of ['added', 'updated', 'unchanged'] as const) counts[key] += batches?.[key] ?? 0
  }

  let last = ''
  let ownNames: ReadonlySet<string> = new Set()
  for await (const { line, end } of file.lines()) {
    if ('account' in line) {
      await finish()
      ownNames = namesOf(line.account)
      const account = await toImported(line.account, archive, media)
      last = (await client.sendAccount({ account, newAccount, dryRun })).id
      batches = new PostBatches({ account: last, dryRun }, client, media, skipped)
    } else if ('post' in line) {
      const { visibility, raw, ...exported } = line.post
      const post = toParsed(exported, archive, ownNames)
      const reason = reasonToSkip(post, options)
      if (reason !== undefined) skipped.add(reason, post.id)
      else {
        const why = reasonToHide(visibility, options)
        if (why !== undefined) hidden.add(why, post.id)
        await batches?.add(post, why === undefined ? 'public' : 'hidden', raw)
      }
    }
    show(end, file.entry.size)
  }
  await finish()
  if (!dryRun) await client.end({ account: last })
  const { uploaded, stored, missing } = media
  const names = accounts.map(({ userName }) => userName)
  return {
    account: names[0] ?? '',
    ...(names.length > 1 && { accounts: names }),
    ...{ dryRun, ...counts, skipped: skipped.list, hidden: hidden.list },
    media: { uploaded, stored, missing: missing.list },
    warnings: []
  }
}

/** An export tells names, descriptions and visibility itself. */
function checkOptions(options: ImportOptions): void {
  const { handle, formerHandles, withCommunity, isPublicConfirmed } = options
  const given = [
    handle !== undefined && '--handle',
    formerHandles.length > 0 && '--former-handle',
    options.altTexts !== NO_ALT_TEXTS && '--alt-text',
    withCommunity && '--community',
    isPublicConfirmed && '--public'
  ].find((flag) => flag !== false)
  if (given !== undefined) throw new UserError(`${given} is not for an export of nonet; remove it`)
}

function reasonToHide(
  visibility: ExportedPost['visibility'],
  options: ImportOptions
): string | undefined {
  if (visibility !== 'public') return 'because they are hidden in the export'
  return options.visibility === 'hidden' ? 'because of --visibility hidden' : undefined
}

async function toImported(
  { avatar, header, ...account }: ExportedAccount,
  archive: Archive,
  media: MediaUploads
): Promise<ImportedAccount> {
  const images = {
    avatar: await media.storeOne(entryOf(avatar, archive)),
    header: await media.storeOne(entryOf(header, archive))
  }
  return {
    ...account,
    ...(images.avatar !== undefined && { avatar: images.avatar }),
    ...(images.header !== undefined && { header: images.header })
  }
}

function entryOf(name: string | undefined, archive: Archive): ArchiveEntry | undefined {
  return name === undefined ? undefined : archive.find(name)[0]
}

/** The name of an account and those that it had before. */
function namesOf({ userName, formerNames }: ExportedAccount): ReadonlySet<string> {
  return new Set([userName, ...formerNames.map((name) => name.userName)].map(foldName))
}

function toParsed(
  { media, ...post }: Omit<ExportedPost, 'visibility' | 'raw'>,
  archive: Archive,
  ownNames: ReadonlySet<string>
): ParsedPost {
  const userName = post.replyTo?.userName
  return {
    ...post,
    media: media.flatMap((medium) => toMedium(medium, archive) ?? []),
    missingMedia: [],
    repliesToOthers: userName !== undefined && !ownNames.has(foldName(userName)),
    hiddenBecause: undefined
  }
}

function toMedium(
  { file, poster, ...medium }: ExportedMedium,
  archive: Archive
): ParsedMedium | undefined {
  const entry = entryOf(file, archive)
  return entry && { ...medium, entry, poster: entryOf(poster, archive) }
}
