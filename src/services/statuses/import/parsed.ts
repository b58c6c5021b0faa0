import type { ArchiveEntry } from '../../../kernel/archive-source/entries.ts'
import type { ArrayPosition } from './json/item-scanner.ts'
import type { JsonItem } from './json/read-items.ts'
import type { ImportedAccount, ImportedMedium, ImportedPost } from './protocol.ts'

/** A medium of a post whose file is still in the archive. */
export interface ParsedMedium extends Omit<ImportedMedium, 'file' | 'posterHash' | 'sourceKey'> {
  entry: ArchiveEntry
  poster: ArchiveEntry | undefined
}

export interface ParsedPost extends Omit<ImportedPost, 'media' | 'visibility' | 'raw'> {
  media: readonly ParsedMedium[]
  /** Names of media that the archive does not have. */
  missingMedia: readonly string[]
  /** Whether it replies to a post of another account. */
  repliesToOthers: boolean
  /** Why it is stored hidden; undefined if the options decide. */
  hiddenBecause: string | undefined
}

export interface SkippedPost {
  id: string
  skipped: string
}

export type ParsedItem = ParsedPost | SkippedPost

export interface ParsedAccount extends Omit<ImportedAccount, 'avatar' | 'header'> {
  avatar: ArchiveEntry | undefined
  header: ArchiveEntry | undefined
}

/** A file with posts. */
export interface PostFile {
  entry: ArchiveEntry
  array: ArrayPosition
}

/** An archive whose account is known and whose posts can be read. */
export interface PostSource {
  account: ParsedAccount
  files: readonly PostFile[]
  /** Why all posts are hidden unless the user says otherwise. */
  hiddenBecause: string | undefined
  /** Reads an item of a file before any is imported; throws if it cannot be one. */
  inspect(item: JsonItem, file: PostFile): void
  /** What the user should know about the archive, after all items were inspected. */
  warnings(): string[]
  parse(item: JsonItem, file: PostFile): ParsedItem
}

/** Options that change what an archive means. */
export interface SourceOptions {
  handle: string | undefined
  formerHandles: readonly string[]
  withCommunity: boolean
  altTexts: AltTexts
}

/** Descriptions of images from a file of the user. */
export interface AltTexts {
  find(post: string, media: { url: string | undefined; id: string | undefined }): string | undefined
}
