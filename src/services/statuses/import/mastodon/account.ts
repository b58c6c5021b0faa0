import { createHash } from 'node:crypto'
import type { ArchiveEntry } from '../../../../kernel/archive-source/entries.ts'
import { UserError } from '../../../../kernel/errors.ts'
import type { Archive } from '../archive/open-archive.ts'
import { type JsonObject, readObject } from '../json/read-items.ts'
import { objectOf, stringOf, timeOf, webUrlOf } from '../json/values.ts'
import type { ParsedAccount, SourceOptions } from '../parsed.ts'
import { htmlText } from './html-text.ts'

/** Names on Mastodon have up to 30 characters. */
const USER_NAME = /^\w{1,30}$/

export interface Actor {
  /** The URL that is the id of the account on its server. */
  id: string
  account: ParsedAccount
}

export async function readActor(archive: Archive, options: SourceOptions): Promise<Actor> {
  const entries = archive.find('actor.json')
  const [first] = entries
  if (first === undefined) {
    throw new UserError('The archive does not tell whose it is, because it has no actor.json')
  }
  const actor = await readObject(first)
  const id = stringOf(actor.id)
  for (const entry of entries.slice(1)) checkSameActor(actor, await readObject(entry))
  const own = stringOf(actor.preferredUsername) ?? ''
  const userName = options.handle ?? own
  if (id === undefined || !USER_NAME.test(userName)) {
    throw new UserError(
      `${first.label} has no id or no valid user name; give the name with --handle`
    )
  }
  const names = [...options.formerHandles, own].filter((name) => USER_NAME.test(name))
  const former = names.filter((name) => name.toLowerCase() !== userName.toLowerCase())
  return { id, account: accountOf(archive, actor, id, userName, former) }
}

function checkSameActor(one: JsonObject, other: JsonObject): void {
  if (one.id === other.id) return
  throw new UserError(
    `The files belong to two accounts, ${one.id} and ${other.id}; import them one after the other`
  )
}

function accountOf(
  archive: Archive,
  actor: JsonObject,
  id: string,
  userName: string,
  former: readonly string[]
): ParsedAccount {
  const website = webUrlOf(actor.url)
  const createdAt = timeOf(actor.published)
  return {
    id: accountIdFrom(id),
    userName,
    name: stringOf(actor.name) ?? userName,
    bio: htmlText(stringOf(actor.summary) ?? '').text,
    ...(website !== undefined && { website }),
    ...(createdAt !== undefined && { createdAt }),
    formerNames: [...new Set(former)].map((name) => ({ userName: name })),
    source: 'mastodon',
    avatar: fileIn(archive, objectOf(actor.icon).url),
    header: fileIn(archive, objectOf(actor.image).url)
  }
}

/** Accounts of Mastodon are known by a URL; the ids of accounts here are numbers of 63 bits. */
function accountIdFrom(url: string): string {
  const hash = createHash('sha256').update(url).digest()
  return String((hash.readBigUInt64BE(0) >> 1n) | 1n)
}

/** The archive has paths instead of the URLs of its files. */
export function fileIn(archive: Archive, path: unknown): ArchiveEntry | undefined {
  const name = stringOf(path)?.replace(/^\/+/, '').normalize('NFC')
  return name === undefined ? undefined : archive.find(name)[0]
}
