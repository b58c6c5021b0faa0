import { fetchUids } from './fetch.ts'
import { openMailbox } from './open-mailbox.ts'
import {
  IDENTITY_QUERY,
  type IdentifiedCandidate,
  identityOf,
  type MailboxStream
} from './read-stream.ts'
import type { MailSession } from './session.ts'

/** Servers limit the length of a command. */
const MAX_IDENTITIES = 50
/** Of one search; a server may have many copies of a message. */
const MAX_FOUND = 1000

/**
 * UIDs of candidates of `\All` that another mailbox has too. Most copies are among the candidates of
 * the others; for the rest each mailbox is searched.
 */
export async function findCopies(
  session: MailSession,
  candidates: readonly IdentifiedCandidate[],
  others: readonly MailboxStream[]
): Promise<ReadonlySet<number>> {
  const known = new Set(
    others.flatMap((stream) => stream.candidates.map(({ identity }) => identity))
  )
  const wanted = new Set<string>()
  for (const { identity } of candidates) {
    if (identity !== undefined && !known.has(identity)) wanted.add(identity)
  }
  for (const { mailbox } of others) {
    if (wanted.size === 0) break
    session.signal.throwIfAborted()
    for (const identity of await findIdentities(session, mailbox.path, [...wanted])) {
      known.add(identity)
      wanted.delete(identity)
    }
  }
  const isCopy = ({ identity }: IdentifiedCandidate) =>
    identity !== undefined && known.has(identity)
  return new Set(candidates.filter(isCopy).map(({ uid }) => uid))
}

async function findIdentities(
  { client }: MailSession,
  path: string,
  identities: readonly string[]
): Promise<readonly string[]> {
  await openMailbox(client, path, 'read')
  const hasIds = client.capabilities.has('OBJECTID')
  const found: string[] = []
  for (let start = 0; start < identities.length; start += MAX_IDENTITIES) {
    const or = identities
      .slice(start, start + MAX_IDENTITIES)
      .map((identity) => (hasIds ? { emailId: identity } : { header: { 'message-id': identity } }))
    const uids = await client.search({ or }, { uid: true })
    if (!Array.isArray(uids) || uids.length === 0) continue
    const messages = await fetchUids(client, uids.slice(0, MAX_FOUND), IDENTITY_QUERY)
    found.push(...messages.flatMap((message) => identityOf(message) ?? []))
  }
  return found
}
