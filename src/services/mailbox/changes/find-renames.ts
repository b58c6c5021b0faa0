import type { MailboxStatus } from './needs-comparison.ts'

/** A mailbox whose path is no longer listed, or lists another mailbox now. */
export interface GoneMailbox {
  readonly path: string
  readonly uidValidity: string
  readonly uidNext: number
  readonly messages: number
}

export interface AddedMailbox {
  readonly path: string
  readonly delimiter: string | undefined
  readonly status: MailboxStatus | undefined
}

interface Listing {
  readonly gone: readonly GoneMailbox[]
  readonly added: readonly AddedMailbox[]
  /** New paths by old ones, as the server told them. */
  readonly told: ReadonlyMap<string, string>
  /** UIDVALIDITY of the mailboxes that are neither gone nor added. */
  readonly otherValidities: ReadonlySet<string>
}

/**
 * New paths by old ones. A mailbox that was renamed keeps its UIDVALIDITY and its UIDs. Some servers
 * have one UIDVALIDITY for many mailboxes: then UIDNEXT and the number of messages must be equal too.
 */
export function findRenames({ gone, added, told, otherValidities }: Listing): Map<string, string> {
  const renames = new Map<string, string>()
  const left = new Map(added.map((mailbox) => [mailbox.path, mailbox]))
  const goneOf = Map.groupBy(gone, ({ uidValidity }) => uidValidity)
  // There may be thousands of each, so they are not compared in pairs.
  const addedOf = groupSets(added, ({ status }) => validityOf(status))
  const alikeOf = groupSets(added, ({ status }) => keyOf(status))
  const countOf = new Map([...addedOf].map(([validity, { size }]) => [validity, size]))
  const newPathOf = createNewPaths(told, added)

  function take(from: GoneMailbox, to: AddedMailbox): void {
    renames.set(from.path, to.path)
    left.delete(to.path)
    addedOf.get(validityOf(to.status))?.delete(to)
    alikeOf.get(keyOf(to.status))?.delete(to)
  }

  for (const from of gone) {
    const path = newPathOf(from.path)
    const to = path === undefined ? undefined : left.get(path)
    if (to !== undefined && isPossible(from, to)) take(from, to)
  }
  const isUnique = (validity: string) =>
    !otherValidities.has(validity) &&
    goneOf.get(validity)?.length === 1 &&
    countOf.get(validity) === 1

  function candidatesOf(from: GoneMailbox): readonly AddedMailbox[] {
    const { uidValidity, uidNext } = from
    if (isUnique(uidValidity)) {
      const [only] = addedOf.get(uidValidity) ?? []
      return only !== undefined && (only.status?.uidNext ?? 0) >= uidNext ? [only] : []
    }
    // Empty mailboxes with one UIDVALIDITY are all alike.
    if (uidNext <= 1) return []
    const [first, second] = alikeOf.get(keyOf(from)) ?? []
    return first === undefined ? [] : second === undefined ? [first] : [first, second]
  }

  for (const from of gone) {
    if (renames.has(from.path)) continue
    const [to, another] = candidatesOf(from)
    if (to !== undefined && another === undefined) take(from, to)
  }
  return renames
}

function groupSets<Key>(
  mailboxes: readonly AddedMailbox[],
  key: (mailbox: AddedMailbox) => Key
): ReadonlyMap<Key, Set<AddedMailbox>> {
  const groups = Map.groupBy(mailboxes, key)
  return new Map([...groups].map(([name, some]) => [name, new Set(some)]))
}

/** The server may tell only of the parent, whose mailboxes are renamed with it. */
function createNewPaths(
  told: ReadonlyMap<string, string>,
  added: readonly AddedMailbox[]
): (path: string) => string | undefined {
  const delimiter = added.find((mailbox) => mailbox.delimiter)?.delimiter
  const parents = delimiter === undefined ? [] : [...told.keys()].map((from) => from + delimiter)
  return (path) => {
    const named = told.get(path)
    if (named !== undefined) return named
    const parent = parents.find((start) => path.startsWith(start))
    if (parent === undefined) return undefined
    const from = parent.slice(0, -(delimiter ?? '').length)
    return `${told.get(from)}${path.slice(from.length)}`
  }
}

/** False if the server tells another UIDVALIDITY. */
function isPossible({ uidValidity }: GoneMailbox, { status }: AddedMailbox): boolean {
  const validity = validityOf(status)
  return validity === undefined || validity === uidValidity
}

/** Equal for mailboxes with the same messages, as far as their status tells. */
function keyOf(
  status: MailboxStatus | Pick<GoneMailbox, 'uidValidity' | 'uidNext' | 'messages'> | undefined
): string {
  const { uidValidity, uidNext, messages } = status ?? {}
  return `${uidValidity} ${uidNext} ${messages}`
}

function validityOf(status: MailboxStatus | undefined): string | undefined {
  return status?.uidValidity === undefined ? undefined : String(status.uidValidity)
}
