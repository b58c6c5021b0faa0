import type { ImapFlow } from 'imapflow'
import { UnsupportedSearchTerm } from './contract.ts'
import { imapQueryOf, type SearchKeys } from './search-query.ts'

/** UIDs of the selected mailbox that match, ascending. */
export async function searchUids(client: ImapFlow, keys: SearchKeys): Promise<readonly number[]> {
  const query = imapQueryOf(keys, client.capabilities)
  // With WITHIN imapflow would send seconds by its own clock, malformed for `since` of today.
  client.capabilities.delete('WITHIN')
  const uids = await client.search(query, { uid: true })
  // False means that the server rejected the search.
  if (!Array.isArray(uids)) throw new UnsupportedSearchTerm()
  return uids
}

/** The number of messages of the selected mailbox whose UID is smaller. */
export async function countBelow(client: ImapFlow, uid: number): Promise<number> {
  if (uid <= 1) return 0
  const found = await client.search(
    { uid: `1:${uid - 1}` },
    { uid: true, returnOptions: ['COUNT'] }
  )
  if (found === undefined || found === false) throw new UnsupportedSearchTerm()
  return Array.isArray(found) ? found.length : (found.count ?? 0)
}
