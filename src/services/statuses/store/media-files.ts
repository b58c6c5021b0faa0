import { queryAutocommit, type Transaction } from '../../../kernel/database/transaction.ts'

/** A file is public if a public post, or an account that has one, shows it. */
const PUBLIC_FILE = `select u.media_type, u.size from uploads u where u.hash = ? and (
  exists (select 1 from media m join posts p on p.id = m.post where m.hash = u.hash and p.visibility = 'public')
  or exists (select 1 from media m join posts p on p.id = m.post where m.poster = u.hash and p.visibility = 'public')
  or exists (select 1 from accounts a join months o on o.account = a.id where a.avatar = u.hash)
  or exists (select 1 from accounts a join months o on o.account = a.id where a.header = u.hash))`

export interface PublicFile {
  mediaType: string
  size: number
}

export function* readPublicFile(hash: string): Transaction<PublicFile | undefined> {
  const [row] = yield* queryAutocommit<{ media_type: string; size: number }>(PUBLIC_FILE, hash)
  return row && { mediaType: row.media_type, size: row.size }
}
