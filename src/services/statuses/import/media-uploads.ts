import { type ArchiveEntry, sourceKeyOf } from '../../../kernel/archive-source/entries.ts'
import { Reasons } from '../../../kernel/exchange/reasons.ts'
import type { ConsoleClient } from './console-client.ts'
import type { ParsedMedium, ParsedPost } from './parsed.ts'
import type { AccountFile, ImportedMedium, StoredFile } from './protocol.ts'

/** A file of the archive with its key, and how it is stored; undefined in a dry run. */
interface KeyedFile {
  sourceKey: string
  file: StoredFile | undefined
}

/** Uploads files of the archive that are not stored yet. */
export class MediaUploads {
  uploaded = 0
  stored = 0
  readonly missing = new Reasons()
  readonly #client: ConsoleClient
  readonly #dryRun: boolean

  constructor(client: ConsoleClient, dryRun: boolean) {
    this.#client = client
    this.#dryRun = dryRun
  }

  /** The media of all posts, in their order; those that cannot be stored are omitted. */
  async storeAll(posts: readonly ParsedPost[]): Promise<ImportedMedium[][]> {
    const media = posts.flatMap((post) => post.media)
    const entries = media.flatMap(({ entry, poster }) => (poster ? [entry, poster] : [entry]))
    const files = await this.#storeEntries(entries)
    for (const { id, missingMedia } of posts) {
      for (const name of missingMedia) this.missing.add('not in the archive', name || id)
    }
    return posts.map((post) => post.media.flatMap((medium) => toImported(medium, files) ?? []))
  }

  /** Undefined if it cannot be stored, or in a dry run. */
  async storeOne(entry: ArchiveEntry | undefined): Promise<AccountFile | undefined> {
    if (entry === undefined) return undefined
    const { sourceKey, file } = (await this.#storeEntries([entry])).get(entry) ?? {}
    return sourceKey === undefined || file === undefined ? undefined : { sourceKey, file }
  }

  async #storeEntries(entries: readonly ArchiveEntry[]): Promise<Map<ArchiveEntry, KeyedFile>> {
    const keys = new Map<ArchiveEntry, string>()
    for (const entry of entries) {
      const key = await this.#keyOf(entry)
      if (key !== undefined) keys.set(entry, key)
    }
    const files = new Map<ArchiveEntry, KeyedFile>()
    if (keys.size === 0) return files
    const known = { ...(await this.#client.findKnown([...new Set(keys.values())])) }
    for (const [entry, sourceKey] of keys) {
      const stored = known[sourceKey]
      if (stored !== undefined) this.stored++
      else if (this.#dryRun) this.uploaded++
      const file = stored ?? (await this.#upload(entry))
      if (file === 'refused') continue
      if (file !== undefined) known[sourceKey] = file
      files.set(entry, { sourceKey, file })
    }
    return files
  }

  async #upload(entry: ArchiveEntry): Promise<StoredFile | 'refused' | undefined> {
    if (this.#dryRun) return undefined
    const outcome = await this.#client.upload(entry)
    if ('refused' in outcome) {
      this.missing.add('not stored', outcome.refused)
      return 'refused'
    }
    this.uploaded++
    return outcome
  }

  /** The file of an unpacked archive may be unreadable. */
  async #keyOf(entry: ArchiveEntry): Promise<string | undefined> {
    try {
      return await sourceKeyOf(entry)
    } catch (error) {
      this.missing.add('not readable', (error as Error).message)
      return undefined
    }
  }
}

function toImported(
  { entry, poster, ...medium }: ParsedMedium,
  files: ReadonlyMap<ArchiveEntry, KeyedFile>
): ImportedMedium | undefined {
  const stored = files.get(entry)
  if (stored === undefined) return undefined
  const image = poster === undefined ? undefined : files.get(poster)
  const { sourceKey, file } = stored
  return {
    ...medium,
    // The size of an image is known when it is stored, that of a video is in the archive.
    width: file?.width || medium.width,
    height: file?.height || medium.height,
    sourceKey,
    ...(file !== undefined && { file }),
    ...(image?.file !== undefined && { posterHash: image.file.hash, posterKey: image.sourceKey })
  }
}
