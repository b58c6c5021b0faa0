import { basename } from 'node:path'
import type { ArchivePart } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'

export type ArchiveKind = 'x' | 'mastodon' | 'nonet'

const KINDS = ['x', 'mastodon', 'nonet'] as const satisfies readonly ArchiveKind[]

/** Files and folders that only the folder with the data of an archive has. */
const MARKS: Readonly<Record<ArchiveKind, RegExp>> = {
  x: /^(?:(?:account|manifest|profile|note-tweet|tweets?|tweets?-part\d+)\.js$|(?:tweets?|profile|community_tweet)_media\/)/,
  mastodon: /^(?:outbox|actor)\.json$|^media_attachments\//,
  nonet: /^nonet-statuses\.jsonl$/
}

export interface ArchiveRoot {
  kind: ArchiveKind
  /** Empty, or a path that ends with a slash. */
  prefix: string
}

/**
 * Where the data is in a zip or folder: at its root (archives before 2019, a single file), below
 * `data/`, or below one more folder, which some programs add.
 */
export function findArchiveRoot({ path, entries }: ArchivePart): ArchiveRoot {
  const found = new Map<string, ArchiveRoot>()
  for (const { name } of entries) {
    for (const prefix of prefixesOf(name)) {
      const kind = kindOf(name.slice(prefix.length))
      if (kind !== undefined) found.set(`${kind} ${prefix}`, { kind, prefix })
    }
  }
  const [first, second] = outermost([...found.values()])
  if (first === undefined) {
    throw new UserError(
      `${path} is not an archive of posts: it has neither the tweets.js of X, the outbox.json of Mastodon nor the nonet-statuses.jsonl of an export`
    )
  }
  if (second !== undefined) {
    throw new UserError(`${path} contains several archives; unpack it and name each of them`)
  }
  return first
}

function prefixesOf(name: string): string[] {
  const [first = '', second] = name.split('/', 2)
  if (second === undefined) return ['']
  if (first === '__MACOSX') return []
  const below = second === 'data' ? [`${first}/data/`] : []
  return ['', `${first}/`, ...below]
}

function kindOf(rest: string): ArchiveKind | undefined {
  return KINDS.find((kind) => MARKS[kind].test(rest))
}

/** Without those inside of another one. */
function outermost(roots: readonly ArchiveRoot[]): ArchiveRoot[] {
  return roots.filter(({ prefix }) =>
    roots.every((other) => other.prefix === prefix || !prefix.startsWith(other.prefix))
  )
}

/** A file that was named alone is the posts of an X archive, whatever its name is. */
export function singleFileName(path: string): string {
  const name = basename(path)
  return MARKS.x.test(name) ? name : 'tweets.js'
}
