import type { ImportedAccount, ImportedMedium, ImportedPost } from '../import/protocol.ts'

/**
 * An exported folder has `nonet-statuses.jsonl` and `media/`. The lines of the file: the format,
 * then for each account a line of it and its posts in the order of time, at last the end, so that
 * a file that was cut off is noticed.
 */
export const EXPORT_FILE = 'nonet-statuses.jsonl'
export const EXPORT_FORMAT = 'nonet-statuses'
export const EXPORT_VERSION = 1

export interface ExportedAccount extends Omit<ImportedAccount, 'avatar' | 'header'> {
  id: string
  /** Files below the folder, such as `media/<hash>.png`. */
  avatar?: string
  header?: string
}

export interface ExportedMedium
  extends Omit<ImportedMedium, 'file' | 'sourceKey' | 'posterHash' | 'posterKey'> {
  file: string
  poster?: string
}

export interface ExportedPost extends Omit<ImportedPost, 'media'> {
  media: readonly ExportedMedium[]
}

/** What follows the first line. */
export type ExportedLine =
  | { account: ExportedAccount }
  | { post: ExportedPost }
  | { end: { accounts: number; posts: number } }

export const FIRST_LINE = { format: EXPORT_FORMAT, version: EXPORT_VERSION }

/** The files that a line names. */
export function filesOfLine(line: ExportedLine): string[] {
  if ('account' in line) {
    return [line.account.avatar, line.account.header].filter((file) => file !== undefined)
  }
  if (!('post' in line)) return []
  const files = line.post.media.flatMap(({ file, poster }) => [file, poster])
  return files.filter((file) => file !== undefined)
}

/** The line without the files that cannot be read; a medium without its file is left out. */
export function withoutFiles(line: ExportedLine, missing: ReadonlySet<string>): ExportedLine {
  const isThere = (file: string | undefined) => file !== undefined && !missing.has(file)
  if ('account' in line) {
    const { avatar, header, ...account } = line.account
    return {
      account: {
        ...account,
        ...(avatar !== undefined && isThere(avatar) && { avatar }),
        ...(header !== undefined && isThere(header) && { header })
      }
    }
  }
  if (!('post' in line)) return line
  const media = line.post.media
    .filter(({ file }) => isThere(file))
    .map(({ poster, ...medium }) => ({
      ...medium,
      ...(poster !== undefined && isThere(poster) && { poster })
    }))
  return { post: { ...line.post, media } }
}
