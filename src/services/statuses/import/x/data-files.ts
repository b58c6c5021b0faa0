import type { Archive } from '../archive/open-archive.ts'
import { type JsonObject, readItems, readObject } from '../json/read-items.ts'
import { idOf, integerOf, objectOf, objectsOf, stringOf } from '../json/values.ts'
import type { PostFile } from '../parsed.ts'

const POSTS = /^tweets?(?:-part\d+)?\.js$/
const COMMUNITY = /^community-tweets?(?:-part\d+)?\.js$/
/** Posts that were deleted or shown to a chosen group are never imported. */
const NEVER = /^(?:deleted-tweets?|twitter-circle-tweets?)(?:-part\d+)?\.js$/

/** Values of `manifest.js`; a value is undefined if the file does not contain it. */
export interface Manifest {
  accountId: string | undefined
  userName: string | undefined
  displayName: string | undefined
  /** The number of posts by the name of the file. */
  counts: ReadonlyMap<string, number>
}

export async function readManifests(archive: Archive): Promise<Manifest[]> {
  const manifests: Manifest[] = []
  for (const entry of archive.find('manifest.js'))
    manifests.push(manifestOf(await readObject(entry)))
  return manifests
}

function manifestOf({ userInfo, dataTypes }: JsonObject): Manifest {
  const { accountId, userName, displayName } = objectOf(userInfo)
  const { tweets, tweet } = objectOf(dataTypes)
  const counts = new Map<string, number>()
  for (const file of objectsOf(objectOf(tweets ?? tweet).files)) {
    const name = stringOf(file.fileName)?.split('/').at(-1)
    const count = integerOf(file.count)
    if (name !== undefined && count !== undefined) counts.set(name, count)
  }
  return {
    accountId: idOf(accountId),
    userName: stringOf(userName),
    displayName: stringOf(displayName),
    counts
  }
}

/** The files with posts: those of the manifest, and others that are named like them. */
export function postFilesOf(archive: Archive, withCommunity: boolean): PostFile[] {
  const names = archive.names.filter(
    (name) => POSTS.test(name) || (withCommunity && COMMUNITY.test(name))
  )
  const inOrder = names.sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
  return inOrder.flatMap((name) =>
    archive.find(name).map((entry) => ({ entry, array: 'assignment' as const }))
  )
}

export function isCommunityFile({ entry }: PostFile): boolean {
  return COMMUNITY.test(entry.name)
}

/** Posts that must not be imported, in case that a file of posts has them too, with the reason. */
export async function readNeverIds(archive: Archive): Promise<Map<string, string>> {
  const ids = new Map<string, string>()
  for (const name of archive.names.filter((candidate) => NEVER.test(candidate))) {
    const reason = name.startsWith('deleted') ? 'deleted' : 'for a chosen group of readers'
    for (const entry of archive.find(name)) {
      for await (const { value } of readItems(entry)) {
        const { tweet } = value
        const { id_str: text, id } = objectOf(tweet ?? value)
        const known = idOf(text) ?? idOf(id)
        if (known !== undefined) ids.set(known, reason)
      }
    }
  }
  return ids
}
