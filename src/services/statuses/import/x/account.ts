import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import type { Archive } from '../archive/open-archive.ts'
import { type JsonObject, readItems } from '../json/read-items.ts'
import { idOf, objectOf, stringOf, timeOf, webUrlOf } from '../json/values.ts'
import type { ParsedAccount, SourceOptions } from '../parsed.ts'
import type { Manifest } from './data-files.ts'

/** Some old names are longer than the 15 characters of today. */
export const USER_NAME = /^\w{1,20}$/

interface Owner {
  id: string | undefined
  userName: string
  name: string | undefined
  createdAt: string | undefined
}

/** The account of an archive; its email address is not read. */
export async function readAccount(
  archive: Archive,
  manifests: readonly Manifest[],
  options: SourceOptions
): Promise<ParsedAccount> {
  const owner = await readOwner(archive, manifests, options.handle)
  const profile = await readProfile(archive)
  const { bio, website, location } = objectOf(profile.description)
  const userName = options.handle ?? owner.userName
  const changed = await readFormerNames(archive, owner.id)
  const given = options.formerHandles.map((name) => ({ userName: name }))
  // Another name than the archive's is used from now on, and the archive's is a former one.
  const own = owner.userName === '' ? [] : [{ userName: owner.userName }]
  const formerNames = [...changed, ...given, ...own]
  return {
    ...(owner.id !== undefined && { id: owner.id }),
    userName,
    name: owner.name ?? userName,
    bio: stringOf(bio) ?? '',
    ...optional('website', webUrlOf(website)),
    ...optional('location', stringOf(location)),
    ...optional('createdAt', owner.createdAt),
    formerNames: uniqueNames(formerNames, userName),
    source: 'x_archive',
    avatar: profileFile(archive, owner.id, profile.avatarMediaUrl),
    header: profileFile(archive, owner.id, profile.headerMediaUrl)
  }
}

function optional<Key extends string>(
  key: Key,
  value: string | undefined
): Partial<Record<Key, string>> {
  return value === undefined ? {} : ({ [key]: value } as Partial<Record<Key, string>>)
}

async function readOwner(
  archive: Archive,
  manifests: readonly Manifest[],
  handle: string | undefined
): Promise<Owner> {
  const owners: Owner[] = []
  for (const entry of archive.find('account.js')) {
    for await (const { value } of readItems(entry)) {
      owners.push(ownerOf(objectOf(value.account ?? value)))
    }
  }
  const declared = manifests.map(({ accountId, userName, displayName }) => ({
    ...{ id: accountId, userName: userName ?? '', name: displayName, createdAt: undefined }
  }))
  const all = [...owners, ...declared].filter(({ id, userName }) => id !== undefined || userName)
  checkOneOwner(all)
  const [first] = all
  if (first !== undefined && (handle !== undefined || USER_NAME.test(first.userName))) return first
  if (handle !== undefined) {
    return { id: undefined, userName: '', name: undefined, createdAt: undefined }
  }
  throw new UserError(
    'The archive does not tell whose it is, because it has no account.js; give the user name with --handle'
  )
}

function ownerOf({ accountId, username, createdAt, accountDisplayName }: JsonObject): Owner {
  return {
    id: idOf(accountId),
    userName: stringOf(username) ?? '',
    name: stringOf(accountDisplayName),
    createdAt: timeOf(createdAt)
  }
}

function checkOneOwner(owners: readonly Owner[]): void {
  const [first] = owners
  const other = owners.find(({ id, userName }) =>
    first?.id === undefined || id === undefined
      ? userName.toLowerCase() !== first?.userName.toLowerCase()
      : id !== first.id
  )
  if (first === undefined || other === undefined) return
  throw new UserError(
    `The files belong to two accounts, @${first.userName} and @${other.userName}; import them one after the other`
  )
}

async function readProfile(archive: Archive): Promise<JsonObject> {
  for (const entry of archive.find('profile.js')) {
    for await (const { value } of readItems(entry)) return objectOf(value.profile ?? value)
  }
  return {}
}

/** The change is an object in an object of the same name, or not. */
async function readFormerNames(
  archive: Archive,
  account: string | undefined
): Promise<{ userName: string; endedAt?: string }[]> {
  const names: { userName: string; endedAt?: string }[] = []
  for (const entry of archive.find('screen-name-change.js')) {
    for await (const { value } of readItems(entry)) {
      const outer = objectOf(value.screenNameChange ?? value)
      const inner = objectOf(outer.screenNameChange ?? outer)
      const owner = idOf(outer.accountId)
      const userName = stringOf(inner.changedFrom)
      const isOther = owner !== undefined && account !== undefined && owner !== account
      if (userName === undefined || !USER_NAME.test(userName) || isOther) continue
      const endedAt = timeOf(inner.changedAt)
      names.push(endedAt === undefined ? { userName } : { userName, endedAt })
    }
  }
  return names
}

/** Each name once, without the current one; the last end counts. */
function uniqueNames(
  names: readonly { userName: string; endedAt?: string }[],
  current: string
): { userName: string; endedAt?: string }[] {
  const byName = new Map<string, { userName: string; endedAt?: string }>()
  for (const name of names) {
    const key = name.userName.toLowerCase()
    const known = byName.get(key)
    if (key === current.toLowerCase()) continue
    if (known === undefined || (name.endedAt ?? '') > (known.endedAt ?? '')) byName.set(key, name)
  }
  return [...byName.values()]
}

/** Files are named `<account>-<last segment of the URL>`, with an ending that the URL may lack. */
function profileFile(
  archive: Archive,
  account: string | undefined,
  url: unknown
): ArchiveEntry | undefined {
  const path = URL.parse(stringOf(url) ?? '')?.pathname
  const file = path?.slice(path.lastIndexOf('/') + 1)
  if (file === undefined || file === '') return undefined
  const folder = 'profile_media/'
  const stem = (name: string) => name.replace(/\.\w+$/, '')
  const wanted = account === undefined ? [file] : [`${account}-${file}`, file]
  const inFolder = archive.names.filter((name) => name.startsWith(folder))
  const exact = wanted.flatMap((name) => archive.find(folder + name))
  if (exact[0] !== undefined) return exact[0]
  const similar = inFolder.find((name) =>
    wanted.some((candidate) => stem(name.slice(folder.length)) === stem(candidate))
  )
  return similar === undefined ? undefined : archive.find(similar)[0]
}
